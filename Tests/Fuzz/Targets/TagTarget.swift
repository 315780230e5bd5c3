import CGStreamer
import Client
import Harness
import Programs
import Support

/// Metadata of films: tags, tables of contents, custom events, metadata of buffers.
///
/// Each contains a word that must not pass `MetadataFilter`. The first byte selects the muxer; each group of four bytes is one item before a frame.
final class TagTarget: Target {
  private static let word = "SecretOfTheTest"
  private static let muxers = [
    "jpegenc ! matroskamux", "jpegenc ! qtmux", "jpegenc ! avimux", "vp8enc deadline=1 ! webmmux",
    "theoraenc ! oggmux",
  ]
  private static let names =
    TaggedFilm.tags + [GST_TAG_LANGUAGE_CODE, GST_TAG_IMAGE_ORIENTATION, GST_TAG_CODEC]
  private static let metaName = "MienSecretOfTheTest"

  init() {
    gst_init(nil, nil)
    var tags: [UnsafePointer<gchar>?] = [nil]
    gst_meta_register_custom(Self.metaName, &tags, nil, nil, nil)
  }

  let maximumLength = 256
  let isFile = false

  func seeds() -> [[UInt8]] {
    var random = SplitMix(31)
    return Self.muxers.indices.map { muxer in
      [UInt8(muxer)] + (0..<64).map { _ in UInt8(random.below(256)) }
    }
  }

  func run(_ input: [UInt8]) -> Outcome {
    var steps = input.dropFirst()[...]
    var output: [UInt8] = []
    var frames = 0
    do {
      let muxer = Self.muxers[Int(input.first ?? 0) % Self.muxers.count]
      let pipeline = try Pipeline(
        "videotestsrc num-buffers=4 ! video/x-raw,format=I420,width=32,height=32"
          + " ! identity name=first ! \(muxer) ! fakesink name=sink")
      let pad = try pipeline.pad("first", "src")
      MetadataFilter(keepsText: false).install(on: pad)
      try pipeline.watch("first") { buffer in
        frames += 1
        // A quarter of the items before each of the four frames.
        for _ in 0..<max(1, input.count / 16) {
          guard steps.count >= 4 else { break }
          Self.addItem(Array(steps.prefix(4)), pad, buffer)
          steps = steps.dropFirst(4)
        }
      }
      try pipeline.watch("sink") { output += CapturedFrame($0).bytes }
      try pipeline.run(seconds: 5)
    } catch {
      return Outcome(frames: frames, failure: "\(error)")
    }
    let failure =
      output.isEmpty
      ? "nothing came out" : output.holds(Array(Self.word.utf8)) ? "a word came out" : nil
    return Outcome(isAccepted: true, frames: frames, failure: failure)
  }

  private static func addItem(
    _ bytes: [UInt8], _ pad: Pad, _ buffer: UnsafeMutablePointer<GstBuffer>
  ) {
    let text = word + String(bytes[2])
    switch bytes[0] % 8 {
    case 0:
      let toc = gst_toc_new(bytes[1] % 2 == 0 ? GST_TOC_SCOPE_GLOBAL : GST_TOC_SCOPE_CURRENT)
      let entry = gst_toc_entry_new(GST_TOC_ENTRY_TYPE_CHAPTER, word)
      gst_toc_entry_set_start_stop_times(entry, 0, 1000)
      gst_toc_entry_set_tags(entry, gst_tag_list_new_from_string("taglist,title=\(word)"))
      gst_toc_append_entry(toc, entry)
      gst_pad_push_event(pad.raw, gst_event_new_toc(toc, 0))
      gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(toc)))
    case 1:
      let types = [
        GST_EVENT_CUSTOM_DOWNSTREAM, GST_EVENT_CUSTOM_DOWNSTREAM_STICKY,
        GST_EVENT_CUSTOM_DOWNSTREAM_OOB, GST_EVENT_CUSTOM_BOTH,
      ]
      gst_pad_push_event(
        pad.raw,
        gst_event_new_custom(types[Int(bytes[1]) % types.count], gst_structure_new_empty(word)))
    case 2: gst_buffer_add_custom_meta(buffer, metaName)
    case 3:
      gst_buffer_add_video_caption_meta(
        buffer, GST_VIDEO_CAPTION_TYPE_CEA608_RAW, Array(text.utf8), gsize(text.utf8.count))
    default:
      let tag = names[Int(bytes[1]) % names.count]
      let list = TaggedFilm.list(tag, text: text, number: bytes[3], data: Array(text.utf8))
      if let list { gst_pad_push_event(pad.raw, gst_event_new_tag(list)) }
    }
  }
}
