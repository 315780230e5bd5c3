package import Files

extension TFLiteModel {
  /// Reads a model file; the error names the path and says why.
  package init(path: FilePath) throws(ModelError) {
    do {
      try self.init(bytes: Self.read(path), name: path.description)
    } catch {
      throw ModelError("\(path): \(error)")
    }
  }

  private static func read(_ path: FilePath) throws(ModelError) -> [UInt8] {
    do {
      let file = try HostileFile(path, limit: Ceiling.fileBytes)
      guard file.size > 0 else { throw ModelError("the file is empty") }
      return try file.bytes()
    } catch let error as ModelError {
      throw error
    } catch {
      throw ModelError("\(error)")
    }
  }
}
