package import Files
package import Threads

/// Reads sticker packs of version 1 (IRCameraSticker's layout), 2 and 3 (Mien's own), trusting
/// nothing in them.
///
/// Only the manifest is read and the frame files found; pictures are decoded elsewhere. May
/// touch the disk, so not for a streaming thread. Safe to call from any thread.
package struct PackReader {
  /// What a `location` turned out to be.
  package enum Source: Equatable, Sendable {
    case pack(StickerPack)
    /// Path of a picture that stands alone.
    case picture(FilePath)
  }

  /// Longest manifest, in bytes.
  package static let maximumManifest = 1 << 20
  /// Most items of a pack.
  package static let maximumItems = 256
  /// Most frames of an item.
  package static let maximumFrames = 10_000

  /// All that was found wrong, in the order of the manifest.
  package private(set) var problems: [PackProblem] = []
  /// What is allowed but surely not meant.
  package private(set) var remarks: [PackProblem] = []
  /// The manifest's path.
  private var manifest: FilePath = ""
  private let order: CancellationToken

  private init(_ order: CancellationToken) { self.order = order }

  /// A pack's folder, its meta.json, or a picture; throws the first problem found.
  ///
  /// Ends soon after `order` is cancelled, or late.
  package static func read(
    _ location: FilePath, _ order: CancellationToken = CancellationToken()
  ) throws(PackProblem) -> Source {
    var reader = PackReader(order)
    let source = reader.examine(location)
    if let problem = reader.problems.first { throw problem }
    guard let source else {
      throw PackProblem(
        file: location.description, item: nil, itemName: nil, key: nil, reason: "cannot be read")
    }
    return source
  }

  /// Reads all of a pack and collects everything that is wrong with it.
  package static func check(
    _ location: FilePath
  ) -> (source: Source?, problems: [PackProblem], remarks: [PackProblem]) {
    var reader = PackReader(CancellationToken())
    let source = reader.examine(location)
    return (reader.problems.isEmpty ? source : nil, reader.problems, reader.remarks)
  }

  private mutating func examine(_ location: FilePath) -> Source? {
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
      return pack(location, manifest: "meta.json")
    case .file(let size):
      if location.hasSuffix(".json") {
        let (folder, name) = location.split
        return pack(folder, manifest: name)
      }
      guard size == 0 else { return .picture(location) }
      report(nil, "is an empty file")
    }
    return nil
  }

  private mutating func pack(_ path: FilePath, manifest name: FilePath) -> Source? {
    manifest = path == "." ? name : path.appending(name)
    guard let folder = try? Folder(path) else {
      report(nil, "the folder \(path) cannot be opened")
      return nil
    }
    guard let bytes = bytes(name, folder) else { return nil }
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
    return pack(members, PackFolder(folder, order))
  }

  /// The manifest's bytes; nil where it is reported why there are none.
  private mutating func bytes(_ name: FilePath, _ folder: Folder) -> [UInt8]? {
    do throws(FileError) {
      return try folder.file(name, limit: Self.maximumManifest).bytes()
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

  private mutating func pack(
    _ members: [String: JSONValue], _ folder: PackFolder
  ) -> Source? {
    var fields = PackFields(members)
    let version = fields.int("version", 1...3)
    let name = fields.string("name")
    let preview = fields.optionalString("preview").flatMap { named($0, "preview", folder) }
    let audio = fields.optionalString("audio").flatMap { named($0, "audio", folder) }
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
      if version > 1 { remarkUnknown(members, PackKeys.item, index + 1, fields.itemName) }
      if let item {
        items.append(item)
        if item.isOnFace, item.trigger == .noFace {
          remark(index + 1, fields.itemName, "trigger", "\"no-face\" never shows an item on a face")
        }
      }
    }
    if version > 1 { remarkUnknown(members, PackKeys.pack, nil, nil) }
    guard problems.isEmpty, let name else { return nil }
    return .pack(
      StickerPack(
        name: name, folder: folder.folder, preview: preview, audio: audio, items: items))
  }

  /// The path of a file that the pack can do without; one outside the pack is still an error.
  private mutating func named(_ name: String, _ key: String, _ folder: PackFolder) -> FilePath? {
    let path = folder.folder.path.appending(FilePath(name))
    do throws(JSONProblem) {
      if case .file = try folder.kind(name) { return path }
      remark(nil, nil, key, "\(path) is not a file")
    } catch {
      if error.reason.hasSuffix("does not exist") {
        remark(nil, nil, key, error.reason)
      } else {
        problems.append(problem(nil, nil, key, error.reason))
      }
    }
    return nil
  }

  /// Says which members mean nothing: they are misspelt, or of a later version.
  private mutating func remarkUnknown(
    _ members: [String: JSONValue], _ known: Set<String>, _ item: Int?, _ name: String?
  ) {
    for key in members.keys.sorted() where !known.contains(key) {
      remark(item, name, PackFields.shown(key), "is unknown here and ignored")
    }
  }

  private mutating func collectFaults(_ fields: inout PackFields, _ item: Int?) {
    problems += fields.faults.map { problem(item, fields.itemName, $0.key, $0.reason) }
  }

  private mutating func report(_ item: Int?, _ reason: String) {
    problems.append(problem(item, nil, nil, reason))
  }

  private mutating func remark(_ item: Int?, _ name: String?, _ key: String, _ reason: String) {
    remarks.append(problem(item, name, key, reason))
  }

  private func problem(_ item: Int?, _ name: String?, _ key: String?, _ reason: String)
    -> PackProblem
  {
    PackProblem(
      file: manifest.description, item: item, itemName: name, key: key, reason: reason)
  }
}
