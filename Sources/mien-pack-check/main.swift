import Files
import Glibc
import Stickers

/// Says in words what is wrong with sticker packs: `mien-pack-check FOLDER...`.
///
/// Exit status 0 when all are right, 1 when one is not, 2 when none was named.
func check(_ location: FilePath) -> Bool {
  let (source, problems, remarks) = PackReader.check(location)
  for problem in problems { print("wrong: \(problem)") }
  for remark in remarks { print("note: \(remark)") }
  var sizes = PictureSizes()
  switch source {
  case .pack(let pack)?:
    for file in pack.items.flatMap(\.files) { sizes.add(file, of: pack) }
    for problem in sizes.problems { print("wrong: \(problem)") }
    guard sizes.problems.isEmpty else { return false }
    let frames = pack.items.reduce(0) { $0 + $1.files.count }
    print("\(location): right. \"\(pack.name)\": \(pack.items.count) items, \(frames) pictures.")
    return true
  case .picture?:
    print("\(location): a picture that stands alone, not a pack.")
    return true
  case nil: return false
  }
}

let locations = CommandLine.arguments.dropFirst()
if locations.isEmpty {
  print("usage: mien-pack-check FOLDER...")
  exit(2)
}
exit(locations.map { check(FilePath($0)) }.allSatisfy { $0 } ? 0 : 1)
