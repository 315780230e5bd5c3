import CGStreamer
import Pixels
import Support
import Testing

/// Frames of which a sink shows another part than the one that begins with the first pixel.
@Suite(.timeLimit(.minutes(20))) struct CropTests {
  /// Each element, set so that it changes every frame in place, or adds metadata to it.
  static let elements = [
    "facedetect", "beautifymask mask=full intensity=1", "sticker location=frame",
    "chromakey crop-left=0.5 background-color=0xff00ff00", "personkey background-color=0xff00ff00",
    "photoeffect look=noir", "facereshape effect=bulge", "facehide mode=color color=0xff00ff00",
  ]

  /// What sinks offer: some draw frames themselves, and know more ways to place them than elements do.
  private static let offers: [GType] = {
    // GStreamer registers these types after its own start alone.
    precondition(Registered.now)
    return [
      gst_video_meta_api_get_type(), gst_video_crop_meta_api_get_type(),
      gst_video_overlay_composition_meta_api_get_type(),
      gst_video_affine_transformation_meta_api_get_type(),
      gst_video_gl_texture_upload_meta_api_get_type(),
      gst_video_region_of_interest_meta_api_get_type(),
    ]
  }()

  @Test(arguments: elements + ["chromakey"])
  func onlyMetadataThatLeavesTheViewAsItIsIsOfferedUpstream(element: String) throws {
    let frames = try PushedFrames(element, width: 64, height: 48, sinkOffers: Self.offers)
    let offered = frames.offered()
    #expect(offered.contains("GstVideoMetaAPI"))
    let others = Set(offered).subtracting([
      "GstVideoMetaAPI", "GstVideoRegionOfInterestMetaAPI",
    ])
    #expect(others.isEmpty, "\(others)")
  }

  /// The visible part of a frame that has the photograph right of as wide a border, and is cropped to
  /// the photograph before any element.
  private static func visible(
    _ element: String, sinkOffers apis: [GType]
  ) throws -> (luma: [UInt8], faces: Int) {
    #expect(Registered.now)
    let detector = element == "facedetect" ? "" : "facedetect ! "
    let pipeline = try Pipeline(
      "\(Registered.photograph(.i420, width: 256, height: 256)) ! videobox left=-256"
        + " ! videocrop left=256 ! \(detector)\(element) ! fakesink name=sink")
    try pipeline.announceMetadata(apis, at: "sink")
    var seen: (luma: [UInt8], faces: Int) = ([], 0)
    try pipeline.watch("sink") { buffer in
      let crop = gst_buffer_get_meta(buffer, gst_video_crop_meta_api_get_type()).map {
        UnsafeMutableRawPointer($0).assumingMemoryBound(to: GstVideoCropMeta.self)
      }
      let stride = gst_buffer_get_video_meta(buffer).map { Int($0.pointee.stride.0) } ?? 256
      let (x, y) = (Int(crop?.pointee.x ?? 0), Int(crop?.pointee.y ?? 0))
      let frame = CapturedFrame(buffer)
      seen.luma = (y..<y + 256).flatMap { row in
        frame.bytes[row * stride + x..<row * stride + x + 256]
      }
      seen.faces = frame.faces.count
    }
    try pipeline.run()
    return seen
  }

  /// A sink that crops frames itself shows what any other does.
  @Test(arguments: elements)
  func aSinkThatCropsShowsTheSame(element: String) throws {
    let plain = try Self.visible(element, sinkOffers: [])
    let cropped = try Self.visible(element, sinkOffers: Self.offers)
    let isSame = plain.luma == cropped.luma
    #expect(plain.faces == 1 && cropped.faces == 1 && isSame)
  }

  // MARK: Unasked

  /// Crop rectangles that reach out of a picture of 100x80.
  static let outside: [[UInt32]] = [
    [100, 0, 100, 80], [1, 0, 100, 80], [0, 1, 100, 80], [0, 0, 0, 0], [5, 5, 0, 9], [5, 5, 9, 0],
    [.max, 0, 100, 80], [0, .max, 100, 80], [.max, .max, .max, .max], [1, 1, .max, .max],
    [1 << 31, 1 << 31, 1 << 31, 1 << 31], [0, 0, 200, 80],
  ]

  /// Bytes of which no two neighbours are alike, in a memory of twice the picture's width.
  private static let noise: [UInt8] = {
    var random = SplitMix(7)
    return (0..<200 * 80 * 3 / 2).map { _ in random.below(2) == 0 ? 16 : 235 }
  }()

  private static func push(
    _ frames: PushedFrames, crop: [UInt32], faces: [AttachedFace]? = nil
  ) -> GstFlowReturn {
    frames.push(noise) { buffer in
      buffer.describe(GST_VIDEO_FORMAT_I420, width: 200, height: 80)
      buffer.crop(crop)
      if let faces { AttachedFace.attach(faces, to: buffer) }
    }
  }

  static let face = AttachedFace(x: 0.2, y: 0.2, width: 0.4, height: 0.5)

  @Test(arguments: elements.filter { !$0.hasPrefix("face") } + ["facedetect"])
  func aFrameOfWhichAnotherPartIsShownEndsTheStream(element: String) throws {
    for crop in element == "facedetect" ? Self.outside : Array(Self.outside.prefix(3)) {
      let frames = try PushedFrames(element, width: 100, height: 80)
      #expect(Self.push(frames, crop: crop, faces: [Self.face]) == GST_FLOW_ERROR, "\(crop)")
      #expect(frames.count == 0)
      #expect(frames.failure?.description.contains("GstVideoCropMeta") == true)
    }
  }

  /// It needs more of a face than a box.
  @Test func noFaceIsReshapedWhereAnotherPartIsShown() throws {
    #expect(Registered.now)
    let crops: [(rectangle: [UInt32], isError: Bool)] = [
      ([1, 0, 256, 256], true), ([0, 0, 9, 9], false),
    ]
    for (crop, isError) in crops {
      let pipeline = try Pipeline(
        "\(Registered.photograph(.i420, width: 256, height: 256)) ! facedetect"
          + " ! facereshape name=e effect=bulge amount=0.6 ! fakesink")
      try pipeline.watch("e") { $0.crop(crop) }
      if isError {
        let failure = #expect(throws: Pipeline.Failure.self) { try pipeline.run() }
        #expect(failure?.description.contains("GstVideoCropMeta") == true)
      } else {
        try pipeline.run()
      }
    }
  }

  @Test(arguments: ["sticker location=halo", "facereshape effect=bulge", "beautifymask"])
  func aFrameThatIsLeftAlonePassesWhateverIsShown(element: String) throws {
    let frames = try PushedFrames(element, width: 100, height: 80)
    #expect(Self.push(frames, crop: [100, 0, 100, 80], faces: []) == GST_FLOW_OK)
    let isSame = frames.arrivals.first?.bytes == Self.noise
    #expect(frames.count == 1 && isSame)
  }

  /// The rectangle may be what the caps say, or lie within: elements work on all that is shown.
  @Test(arguments: elements.dropLast(), [[0, 0, 100, 80], [7, 9, 31, 41]])
  func aFrameOfWhichAPartOfThePictureIsShownIsWorkedOn(element: String, crop: [UInt32]) throws {
    let frames = try PushedFrames(element, width: 100, height: 80)
    #expect(Self.push(frames, crop: crop, faces: [Self.face]) == GST_FLOW_OK)
    #expect(frames.count == 1)
    #expect(frames.arrivals.first?.metas.contains("GstVideoCropMetaAPI") == true)
    if element == "facedetect" { #expect(frames.arrivals.first?.faces == 0) }
  }

  /// A frame of another layout keeps a rectangle that it has, and is never given one it has not.
  @Test(arguments: [PixelFormat.i420, .yuy2, .rgbx])
  func alphaComesWithTheRectangleWithinThePicture(format: PixelFormat) throws {
    let bytes = [UInt8](repeating: 90, count: 64 * 48 * 4)
    let crops: [([UInt32], GstFlowReturn)] = [
      ([8, 8, 30, 20], GST_FLOW_OK), ([8, 8, 64, 48], GST_FLOW_ERROR),
    ]
    for (crop, flow) in crops {
      let frames = try PushedFrames(
        "chromakey method=green", format, width: 64, height: 48,
        sinkOffers: [gst_video_meta_api_get_type()])
      let result = frames.push(bytes) { $0.crop(crop) }
      #expect(result == flow)
      #expect(frames.count == (flow == GST_FLOW_OK ? 1 : 0))
      let keepsCrop = frames.arrivals.allSatisfy { $0.metas.contains("GstVideoCropMetaAPI") }
      #expect(keepsCrop)
    }
  }

  @Test(arguments: outside + [[7, 9, 31, 41]])
  func aFrameOfWhichAnotherPartIsShownIsHiddenWithAllOfItsMemory(crop: [UInt32]) throws {
    for (faces, element) in product(
      [[], [Self.face], nil], ["facehide", "facehide lookahead=1 mode=blur"])
    {
      let frames = try PushedFrames(element, width: 100, height: 80)
      #expect(Self.push(frames, crop: crop, faces: faces) == GST_FLOW_OK)
      // Lets the first one go.
      #expect(Self.push(frames, crop: crop, faces: faces) == GST_FLOW_OK)
      #expect(frames.count == (element == "facehide" ? 2 : 1))
      let values = frames.arrivals.map { Set($0.bytes) }
      #expect(values.allSatisfy { $0.count == 1 })
    }
  }

  @Test func aRectangleOfTheWholePictureHidesNothingMore() throws {
    let frames = try PushedFrames("facehide", width: 200, height: 80)
    #expect(Self.push(frames, crop: [0, 0, 200, 80], faces: []) == GST_FLOW_OK)
    let isSame = frames.arrivals.first?.bytes == Self.noise
    #expect(isSame)
  }

  @Test(arguments: ["pass", "error"])
  func whatIsUnknownFollowsItsProperty(policy: String) throws {
    let frames = try PushedFrames("facehide when-unknown=\(policy)", width: 100, height: 80)
    let flow = Self.push(frames, crop: [100, 0, 100, 80], faces: [])
    #expect(flow == (policy == "pass" ? GST_FLOW_OK : GST_FLOW_ERROR))
    // A face that is held, or known, has no place in such a frame: all of it is hidden.
    if policy == "pass" {
      frames.push(Self.noise) { buffer in
        buffer.describe(GST_VIDEO_FORMAT_I420, width: 200, height: 80)
        AttachedFace.attach([Self.face], to: buffer)
      }
      #expect(Self.push(frames, crop: [100, 0, 100, 80], faces: [Self.face]) == GST_FLOW_OK)
      #expect(frames.count == 3)
      #expect(frames.arrivals.last.map { Set($0.bytes).count } == 1)
    }
  }
}
