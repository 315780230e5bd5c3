import Files
import Support
import Testing
import XNNPACKReference

@testable import Inference

@Suite(.timeLimit(.minutes(20))) struct DamagedModelTests {
  static let detectors = ["face_detection_short_range", "face_detection_full_range_sparse"]

  /// Loads and runs a model on both back ends; collects the errors.
  private func loadAndRun(_ bytes: [UInt8], run: Bool, errors: inout Set<String>) {
    for backEnd in [BackEnd.engine, .xnnpack] {
      do {
        let graph = try Graph(TFLiteModel(bytes: bytes), backEnd: backEnd)
        guard run else { continue }
        try graph.invoke()
      } catch {
        #expect(error.description.count > 10)
        errors.insert(error.description)
      }
    }
  }

  /// Half of the bytes are anywhere, which is mostly in weights; the other half are in offsets, counts
  /// and options.
  @Test(arguments: detectors)
  func aChangedByteIsRejectedWithAReasonOrRuns(_ name: String) throws {
    let whole = try TFLiteModel(path: FilePath(ModelFiles.path(name)))
    let weights = whole.tensors.map(\.data).filter { $0.count > 64 }
    var isWeight = [Bool](repeating: false, count: whole.file.count)
    for range in weights { for index in range { isWeight[index] = true } }
    let structure = isWeight.indices.filter { !isWeight[$0] }
    var bytes = whole.file.bytes
    var random = SplitMix(1)
    var errors: Set<String> = []
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
      loadAndRun(bytes, run: flip % 8 < 2, errors: &errors)
      bytes[place] = old
    }
    #expect(errors.count > 50)
  }

  @Test(arguments: detectors)
  func everyTruncationIsRejectedWithAReason(_ name: String) throws {
    let whole = try TFLiteModel(path: FilePath(ModelFiles.path(name))).file.bytes
    var random = SplitMix(2)
    let lengths = Array(0..<64) + (0..<200).map { _ in random.below(whole.count) }
    for (length, backEnd) in product(lengths, [BackEnd.engine, .xnnpack]) {
      let error = #expect(throws: ModelError.self) {
        _ = try Graph(TFLiteModel(bytes: Array(whole.prefix(length))), backEnd: backEnd)
      }
      #expect(error?.description.isEmpty == false)
    }
  }

  @Test func noiseIsRejected() {
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
