import Files
import Support
import Testing
import XNNPACKReference

@testable import Inference

@Suite struct DamagedModelTests {
  static let detectors = ["face_detection_short_range", "face_detection_full_range_sparse"]

  /// Loads and runs a model on either back end, or notes why it was refused; nothing else may happen.
  private func tryOut(_ bytes: [UInt8], run: Bool, refusals: inout Set<String>) {
    for backEnd in [BackEnd.own, .xnnpack] {
      do {
        let graph = try Graph(TFLiteModel(bytes: bytes), backEnd: backEnd)
        guard run else { continue }
        try graph.invoke()
      } catch {
        #expect(error.description.count > 10)
        refusals.insert(error.description)
      }
    }
  }

  /// Half of the flips go anywhere, which is mostly weights; the other half go where the file has
  /// no weights, so that offsets, counts and options are hit often.
  @Test(arguments: detectors)
  func aFlippedByteIsRefusedWithAReasonOrRuns(_ name: String) throws {
    let whole = try TFLiteModel(path: FilePath(ModelFiles.path(name)))
    let weights = whole.tensors.map(\.data).filter { $0.count > 64 }
    var isWeight = [Bool](repeating: false, count: whole.file.count)
    for range in weights { for index in range { isWeight[index] = true } }
    let structure = isWeight.indices.filter { !isWeight[$0] }
    var bytes = whole.file.bytes
    var random = SplitMix(1)
    var refusals: Set<String> = []
    // Without optimisation the sparse model takes 20 ms to unpack.
    #if DEBUG
      let flips = name.contains("sparse") ? 240 : 1000
    #else
      let flips = 2000
    #endif
    for flip in 0..<flips {
      let place =
        flip % 2 == 0
        ? random.below(bytes.count) : structure[random.below(structure.count)]
      let old = bytes[place]
      bytes[place] = old ^ UInt8(1 + random.below(255))
      tryOut(bytes, run: flip % 8 < 2, refusals: &refusals)
      bytes[place] = old
    }
    // The structure is dense enough that many different faults are met.
    #expect(refusals.count > 50)
  }

  @Test(arguments: detectors)
  func everyTruncationIsRefusedWithAReason(_ name: String) throws {
    let whole = try TFLiteModel(path: FilePath(ModelFiles.path(name))).file.bytes
    var random = SplitMix(2)
    let lengths = Array(0..<64) + (0..<200).map { _ in random.below(whole.count) }
    for length in lengths {
      for backEnd in [BackEnd.own, .xnnpack] {
        let error = #expect(throws: ModelError.self) {
          _ = try Graph(TFLiteModel(bytes: Array(whole.prefix(length))), backEnd: backEnd)
        }
        #expect(error?.description.isEmpty == false)
      }
    }
  }

  @Test func noiseIsRefused() {
    var random = SplitMix(3)
    for length in 0..<400 {
      var bytes = (0..<length).map { _ in UInt8(random.below(256)) }
      for (index, byte) in "TFL3".utf8.enumerated() where index + 4 < length {
        bytes[index + 4] = byte
      }
      if length > 4 { bytes.replaceSubrange(0..<4, with: [8, 0, 0, 0]) }
      #expect(throws: ModelError.self) { _ = try TFLiteModel(bytes: bytes) }
    }
  }
}
