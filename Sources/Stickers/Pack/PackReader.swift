package import Files
import JSON
package import Threads

/// Reads sticker packs of version 1 (IRCameraSticker's format), 2 and 3 (Mien's own), which are
/// untrusted.
///
/// Reads the manifest and finds the frames' files; pictures are decoded elsewhere. Reads from disk:
/// not for a streaming thread. May be called on any thread.
package struct PackReader {
  /// The kind of source at a location.
  package enum Source: Equatable, Sendable {
    case pack(StickerPack)
    /// Path of a single picture.
    case picture(FilePath)
  }

  /// Maximum length of a manifest in bytes.
  package static let maximumManifest = 1 << 20
  /// Maximum number of items of a pack.
  package static let maximumItems = 256
  /// Maximum number of frames of an item.
  package static let maximumFrames = 10_000

  /// All errors, in the order of the manifest.
  package private(set) var problems: [PackProblem] = []
  /// Warnings: what is allowed but probably unintended.
  package private(set) var warnings: [PackProblem] = []
  /// The manifest's path.
  private var manifest: FilePath = ""
  private let token: CancellationToken

  private init(_ token: CancellationToken) { self.token = token }

  /// Reads a pack's folder, its meta.json, or a picture; throws the first problem.
  ///
  /// Returns soon after `token` is cancelled or its time is over.
  package static func read(
    _ location: FilePath, _ token: CancellationToken = CancellationToken()
  ) throws(PackProblem) -> Source {
    var reader = PackReader(token)
    let source = reader.readSource(location)
    if let problem = reader.problems.first { throw problem }
    guard let source else {
      throw PackProblem(
        file: location.description, item: nil, itemName: nil, key: nil, reason: "cannot be read")
    }
    return source
  }

  /// Reads all of a pack and collects all problems and warnings; the source is nil if there are
  /// problems.
  package static func check(
    _ location: FilePath
  ) -> (source: Source?, problems: [PackProblem], warnings: [PackProblem]) {
    var reader = PackReader(CancellationToken())
    let source = reader.readSource(location)
    return (reader.problems.isEmpty ? source : nil, reader.problems, reader.warnings)
  }

  private mutating func readSource(_ location: FilePath) -> Source? {
    manifest = location
    guard !location.isEmpty, !location.bytes.contains(0) else {
      report(nil, "is not a path")
      return nil
    }
    switch FileKind(location) {
    case .nothing:
      report(nil, "does not exist")
    case .other:
      report(nil, "is neither a folder nor a file")
    case .folder:
      return readPack(location, manifest: "meta.json")
    case .file(let size):
      if location.hasSuffix(".json") {
        let (folder, name) = location.split
        return readPack(folder, manifest: name)
      }
      guard size == 0 else { return .picture(location) }
      report(nil, "is an empty file")
    }
    return nil
  }

  private mutating func readPack(_ path: FilePath, manifest name: FilePath) -> Source? {
    manifest = path == "." ? name : path.appending(name)
    guard let folder = try? Folder(path) else {
      report(nil, "the folder \(path) cannot be opened")
      return nil
    }
    guard let bytes = readManifest(name, folder) else { return nil }
    let document: JSONValue
    do {
      document = try JSONValue.parse(bytes)
    } catch {
      report(nil, error.reason)
      return nil
    }
    guard case .object(let members) = document else {
      report(nil, "must be one JSON object with \"version\", \"name\" and \"items\"")
      return nil
    }
    return makePack(members, PackFolder(folder, token))
  }

  /// The manifest's bytes; nil, and a report, if it cannot be read.
  private mutating func readManifest(_ name: FilePath, _ folder: Folder) -> [UInt8]? {
    do throws(FileError) {
      return try folder.openFile(name, limit: Self.maximumManifest).bytes()
    } catch {
      switch error.kind {
      case .missing, .folder, .notRegularFile:
        report(nil, "does not exist; a pack is a folder with a meta.json")
      case .tooLarge(let size):
        report(nil, "has \(size) bytes, at most \(Self.maximumManifest) are allowed")
      case .outside: report(nil, "is a link to a file outside the pack")
      case .unreadable: report(nil, "cannot be read")
      }
      return nil
    }
  }

  private mutating func makePack(
    _ members: [String: JSONValue], _ folder: PackFolder
  ) -> Source? {
    var fields = PackFields(members)
    let version = fields.int("version", 1...3)
    let name = fields.string("name")
    let preview = fields.optionalString("preview").flatMap { optionalFile($0, "preview", folder) }
    let audio = fields.optionalString("audio").flatMap { optionalFile($0, "audio", folder) }
    let list = fields.array("items", 1...Self.maximumItems)
    collectFaults(&fields, nil)
    guard let version, let list else { return nil }
    var items: [StickerItem] = []
    for (index, value) in list.enumerated() {
      guard case .object(let members) = value else {
        report(index + 1, "must be a JSON object")
        continue
      }
      var fields = PackFields(members)
      let item = PackItemReader(version: version, folder: folder).read(&fields)
      collectFaults(&fields, index + 1)
      if version > 1 { warnAboutUnknownKeys(members, PackKeys.item, index + 1, fields.itemName) }
      if let item {
        items.append(item)
        if item.isOnFace, item.trigger == .noFace {
          warn(index + 1, fields.itemName, "trigger", "\"no-face\" never shows an item on a face")
        }
      }
    }
    if version > 1 { warnAboutUnknownKeys(members, PackKeys.pack, nil, nil) }
    guard problems.isEmpty, let name else { return nil }
    return .pack(
      StickerPack(
        name: name, folder: folder.folder, preview: preview, audio: audio, items: items))
  }

  /// The path of an optional file; a file outside the pack is an error.
  private mutating func optionalFile(_ name: String, _ key: String, _ folder: PackFolder)
    -> FilePath?
  {
    let path = folder.folder.path.appending(FilePath(name))
    do throws(FieldError) {
      if case .file = try folder.kind(name) { return path }
      warn(nil, nil, key, "\(path) is not a file")
    } catch {
      if error.reason.hasSuffix("does not exist") {
        warn(nil, nil, key, error.reason)
      } else {
        problems.append(makeProblem(nil, nil, key, error.reason))
      }
    }
    return nil
  }

  /// Warns of unknown members: misspelt, or of a later version.
  private mutating func warnAboutUnknownKeys(
    _ members: [String: JSONValue], _ known: Set<String>, _ item: Int?, _ name: String?
  ) {
    for key in members.keys.sorted() where !known.contains(key) {
      warn(item, name, PackFields.sanitized(key), "is unknown here and ignored")
    }
  }

  private mutating func collectFaults(_ fields: inout PackFields, _ item: Int?) {
    problems += fields.faults.map { makeProblem(item, fields.itemName, $0.key, $0.reason) }
  }

  private mutating func report(_ item: Int?, _ reason: String) {
    problems.append(makeProblem(item, nil, nil, reason))
  }

  private mutating func warn(_ item: Int?, _ name: String?, _ key: String, _ reason: String) {
    warnings.append(makeProblem(item, name, key, reason))
  }

  private func makeProblem(_ item: Int?, _ name: String?, _ key: String?, _ reason: String)
    -> PackProblem
  {
    PackProblem(
      file: manifest.description, item: item, itemName: name, key: key, reason: reason)
  }
}
