import Files

/// What `parse` makes of the model file at `path`; errors begin with the path.
func readModel<Model>(
  _ path: FilePath, _ parse: ([UInt8]) throws(ModelError) -> Model
) throws(ModelError) -> Model {
  do {
    let file = try UntrustedFile(path, limit: Limits.fileBytes)
    guard file.size > 0 else { throw ModelError("the file is empty") }
    return try parse(file.bytes())
  } catch {
    throw ModelError("\(path): \(error)")
  }
}
