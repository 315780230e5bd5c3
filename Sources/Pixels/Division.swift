/// `value / 255` rounded to nearest, exact for every product of two bytes.
///
/// (x + 128 + ((x + 128) >> 8)) >> 8; all 65 536 products are checked by a test.
@inline(__always)
package func dividedBy255(_ value: UInt16) -> UInt16 {
  let biased = value &+ 128
  return (biased &+ (biased &>> 8)) &>> 8
}
