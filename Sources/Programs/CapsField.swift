import CGStreamer
import CJSONGLib

/// The values that a field of caps allows: one, a list or a range.
struct CapsField {
  private let values: [UnsafePointer<GValue>]

  init(_ structure: UnsafeMutablePointer<GstStructure>, _ name: String) {
    guard let value = gst_structure_get_value(structure, name) else {
      values = []
      return
    }
    guard value.pointee.g_type == gst_value_list_get_type() else {
      values = [value]
      return
    }
    values = (0..<gst_value_list_get_size(value)).compactMap { gst_value_list_get_value(value, $0) }
  }

  var texts: [String] {
    values.compactMap { value in
      guard value.pointee.g_type == cgst_type_string, let text = g_value_get_string(value) else {
        return nil
      }
      return String(cString: text)
    }
  }

  /// The integers, of a range the largest one up to `limit`, or else its smallest; 0 where there is none.
  func integers(upTo limit: Int) -> [Int] {
    let found = values.compactMap { value -> Int? in
      let type = value.pointee.g_type
      if type == cgst_type_int { return Int(g_value_get_int(value)) }
      guard type == gst_int_range_get_type() else { return nil }
      let minimum = Int(gst_value_get_int_range_min(value))
      let maximum = Int(gst_value_get_int_range_max(value))
      let step = max(1, Int(gst_value_get_int_range_step(value)))
      let wanted = max(minimum, min(limit, maximum))
      return minimum + (wanted - minimum) / step * step
    }
    return found.isEmpty ? [0] : found
  }

  /// The fractions, of a range the largest one up to `limit`, or else its smallest; 0 where there is none.
  func rates(upTo limit: Double) -> [(count: Int, seconds: Int)] {
    let found = values.compactMap { value -> (count: Int, seconds: Int)? in
      let type = value.pointee.g_type
      if type == gst_fraction_get_type() { return Self.fraction(value) }
      guard type == gst_fraction_range_get_type(),
        let minimum = gst_value_get_fraction_range_min(value),
        let maximum = gst_value_get_fraction_range_max(value)
      else { return nil }
      let (low, high) = (Self.fraction(minimum), Self.fraction(maximum))
      if Double(low.count) > limit * Double(low.seconds) { return low }
      return Double(high.count) > limit * Double(high.seconds) ? (Int(limit), 1) : high
    }
    return found.isEmpty ? [(0, 1)] : found
  }

  private static func fraction(_ value: UnsafePointer<GValue>) -> (count: Int, seconds: Int) {
    (
      Int(gst_value_get_fraction_numerator(value)),
      max(1, Int(gst_value_get_fraction_denominator(value)))
    )
  }
}
