import CGStreamer
package import Faces
package import Frames
import Pixels

/// GstVideoRegionOfInterestMeta "face": faces as everybody else's elements know them.
///
/// Parameters are laid out as DL Streamer's `gvawatermark` and `gvametaconvert` read them:
/// `detection` (x_min, y_min, x_max, y_max in shares of the frame, confidence), `object_id` (id)
/// and `landmarks` (format "landmark_points", floats in shares of the region).
enum RegionMetadata {
  static let type = "face"
  /// Tells our regions from those of another detector upstream.
  private static let modelName = "mien"

  /// Takes off the regions an earlier `facedetect` put on the buffer.
  static func removeOwn(from buffer: Buffer) {
    gst_buffer_foreach_meta(
      buffer,
      { _, slot, _ in
        guard let meta = slot?.pointee,
          meta.pointee.info.pointee.api == gst_video_region_of_interest_meta_api_get_type()
        else { return 1 }
        let detection = gst_video_region_of_interest_meta_get_param(cast(meta), "detection")
        if let detection, let name = gst_structure_get_string(detection, "model_name"),
          String(cString: name) == RegionMetadata.modelName
        {
          // GStreamer removes a meta whose slot the callback empties.
          slot?.pointee = nil
        }
        return 1
      }, nil)
  }

  /// Adds the region of a face; `number` is that of the face's detection, where GstAnalytics has it
  /// too, by which DL Streamer knows the two for one.
  static func attach(
    _ face: Face, width: Int, height: Int, number: guint? = nil, to buffer: Buffer
  ) {
    let frame = Rectangle(x: 0, y: 0, width: Double(width), height: Double(height))
    let clipped = face.box.scaled(x: frame.width, y: frame.height).intersection(frame)
    let box = PixelBox(face.box, width: width, height: height)
    let (x, y, w, h) = (box.x, box.y, box.width, box.height)
    guard let meta = gst_buffer_add_video_region_of_interest_meta(buffer, type, x, y, w, h) else {
      return
    }
    meta.pointee.id = gint(bitPattern: number ?? gst_util_seqnum_next())

    let detection = Structure("detection")
    detection.set("x_min", clipped.x / frame.width)
    detection.set("y_min", clipped.y / frame.height)
    detection.set("x_max", clipped.maxX / frame.width)
    detection.set("y_max", clipped.maxY / frame.height)
    detection.set("confidence", face.confidence)
    detection.set("model_name", modelName)
    gst_video_region_of_interest_meta_add_param(meta, detection.take())

    if face.id != 0 {
      let object = Structure("object_id")
      object.set("id", Int32(bitPattern: face.id))
      gst_video_region_of_interest_meta_add_param(meta, object.take())
    }
    let points = points(of: face)
    guard !points.isEmpty, w > 0, h > 0 else { return }
    let landmarks = Structure("landmarks")
    landmarks.set("format", "landmark_points")
    landmarks.set("model_name", modelName)
    landmarks.set("precision", Int32(10))  // float32
    landmarks.set("layout", Int32(0))  // any
    landmarks.set("dims", array: [1, UInt32(points.count * 2)])
    landmarks.set("data_buffer", tensor: points.count * 2) { floats in
      for (index, point) in points.enumerated() {
        floats[2 * index] = Float((point.x * frame.width - Double(x)) / Double(w))
        floats[2 * index + 1] = Float((point.y * frame.height - Double(y)) / Double(h))
      }
    }
    gst_video_region_of_interest_meta_add_param(meta, landmarks.take())
  }

  /// Left eye, right eye, nose tip and mouth corners; without a mesh the mouth's centre stands for
  /// the corners, which the detector alone does not know.
  private static func points(of face: Face) -> [Point] {
    guard let left = face[.leftEye], let right = face[.rightEye], let nose = face[.noseTip],
      let mouth = face[.mouthCenter]
    else { return [] }
    let (leftCorner, rightCorner) = MeshIndex.mouthCorners
    guard face.landmarks.count > rightCorner else { return [left, right, nose, mouth] }
    let corners = [leftCorner, rightCorner].map { face.landmarks[$0] }
    return [left, right, nose] + corners.map { Point(x: Double($0.x), y: Double($0.y)) }
  }

  /// Whether a detector calls it a face.
  static func isFace(_ region: UnsafeMutablePointer<GstVideoRegionOfInterestMeta>) -> Bool {
    guard let name = g_quark_to_string(region.pointee.roi_type) else { return false }
    return DetectedFace.isFace(name)
  }

  /// A region's box, normalized to the frame.
  static func box(
    of region: UnsafeMutablePointer<GstVideoRegionOfInterestMeta>, width: Int, height: Int
  ) -> Rectangle {
    let r = region.pointee
    let box = Rectangle(x: Double(r.x), y: Double(r.y), width: Double(r.w), height: Double(r.h))
    return box.scaled(x: 1 / Double(width), y: 1 / Double(height))
  }

  /// The tracking number of a region's face; 0 for none.
  static func id(of region: UnsafeMutablePointer<GstVideoRegionOfInterestMeta>) -> UInt32 {
    gst_video_region_of_interest_meta_get_param(region, "object_id").map {
      FieldNumber.id($0, "id")
    } ?? 0
  }

  /// Makes `face` what a region says.
  static func read(
    _ region: UnsafeMutablePointer<GstVideoRegionOfInterestMeta>, width: Int, height: Int,
    into face: inout Face
  ) {
    face.box = box(of: region, width: width, height: height)
    face.confidence = 1
    face.id = id(of: region)
    face.pose = nil
    face.expression = nil
    face.landmarks.removeAll(keepingCapacity: true)
    face.keypoints.removeAll(keepingCapacity: true)
    if let detection = gst_video_region_of_interest_meta_get_param(region, "detection") {
      face.confidence = FieldNumber.double(detection, "confidence") ?? 1
    }
    guard let landmarks = gst_video_region_of_interest_meta_get_param(region, "landmarks"),
      let value = gst_structure_get_value(landmarks, "data_buffer"),
      g_type_check_value_holds(value, cgst_type_variant) != 0,
      let variant = g_value_get_variant(value),
      g_strcmp0(g_variant_get_type_string(variant), "ay") == 0
    else { return }
    var count: gsize = 0
    guard let data = g_variant_get_fixed_array(variant, &count, 1), count >= 4 * 2 * 4 else {
      return
    }
    func point(_ index: Int) -> Point {
      let x = data.loadUnaligned(fromByteOffset: index * 8, as: Float.self)
      let y = data.loadUnaligned(fromByteOffset: index * 8 + 4, as: Float.self)
      return Point(
        x: face.box.x + Double(x) * face.box.width, y: face.box.y + Double(y) * face.box.height)
    }
    for index in 0..<3 { face.keypoints.append(point(index)) }
    // Five points end with the corners of the mouth, four with its centre.
    face.keypoints.append(count >= 5 * 2 * 4 ? (point(3) + point(4)) * 0.5 : point(3))
  }
}

extension Frame {
  /// Puts the faces found in this frame on its buffer, in place of what `facedetect` put before.
  package func attach(_ faces: [Face]) {
    let (width, height) = (picture.width, picture.height)
    FaceMetadata.attach(faces, width: width, height: height, to: header.buffer)
    RegionMetadata.removeOwn(from: header.buffer)
    for face in faces {
      RegionMetadata.attach(face, width: width, height: height, to: header.buffer)
    }
  }
}
