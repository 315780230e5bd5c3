import Pixels

/// What a row of a matte of people is made of; valid while the grids that the rows are of live.
struct EdgeRow {
  // Of each cell: what makes opacity of a colour, what of the last opacity is kept, and what is in
  // its windows, as bits of `EdgeFilter.Kind`.
  let fits: Row<SIMD4<Float>>
  let holds: Row<Float>
  let kinds: Row<UInt8>
  // Where samples lie among cells; see `CellPlaces`.
  let starts: Row<Int32>
  let shares: Row<UInt16>
  // Of each sample: its three components, and the matte of the frame before.
  let colors: PackedPixels.Rows
  let last: Row<UInt8>
}
