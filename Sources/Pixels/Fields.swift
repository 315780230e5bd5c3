// Interlaced frames hold two fields, pictures of two moments: the rows 0, 2, 4… and 1, 3, 5… of
// every plane. A filter that reads neighbouring rows would mix the moments, so such filters process
// each field as a picture of half the height.

extension VideoFormat {
  /// The format of one field; the same format where `fieldCount` is 1.
  package var field: VideoFormat {
    guard fieldCount == 2 else { return self }
    return VideoFormat(
      format: format, width: width, height: height / 2, colorimetry: colorimetry,
      chromaSite: chromaSite, pixelAspect: pixelAspect / 2, transfer: transfer)
  }
}

extension Picture {
  /// Field `index` of `video.fieldCount`, in the picture's memory; the first has the upper rows.
  package func field(_ index: Int) -> Picture {
    let count = video.fieldCount
    precondition(index >= 0 && index < count)
    let layout = format.layout
    var planes = InlineArray<4, Plane?>(repeating: nil)
    for number in 0..<layout.planeCount { planes[number] = plane(number).rows(index, every: count) }
    return Picture(video.field, planes: planes)
  }
}
