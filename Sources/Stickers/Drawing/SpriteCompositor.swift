package import Faces
package import Pixels

/// Composites sprites and textures onto pictures, in place, in every format.
///
/// Writes only the bytes under the sprite. Keeps its scratch between frames, so that drawing
/// allocates nothing. Not thread-safe.
package final class SpriteCompositor {
  private let scratch: SpriteScratch
  let width: Int
  /// Scratch for rasterised meshes; made when the first one is drawn.
  private(set) lazy var surfaces = SurfaceScratch()
  /// Scratch for the face mesh that occludes billboards.
  private(set) lazy var occluderScratch = SurfaceScratch()
  /// Scratch for bodies; made when the first one is drawn.
  private(set) lazy var bodies = BodyScratch()
  /// The rasterised occluder of the last call that had one.
  var occluderLayout: SurfaceLayout?

  private let coverSampler = CoverSampler()
  /// Whether `coverSampler` covers parts of what is drawn.
  private var isCovered = false

  /// Sets what is in front of everything that is drawn from now on, in a frame of this size; nil for
  /// nothing.
  package func setCover(_ cover: CoverMap?, width: Int, height: Int) {
    isCovered = cover.map { coverSampler.set($0, width: width, height: height) } ?? false
  }

  /// Allocates scratch for pictures up to `width` pixels wide.
  package init(width: Int) {
    self.width = width
    scratch = SpriteScratch(width: width)
  }

  /// Draws `sprite` by `transform`, which maps its coordinates, in pixels from its top left corner,
  /// to those of the picture.
  ///
  /// `alpha`, 0...1, multiplies the sprite's own alpha. Parts outside the picture are clipped.
  /// Returns false, and draws nothing, if the transform is not finite, singular or out of range, if
  /// the sprite's space is not the one that `SpriteSpace` gives for the picture and the blend, and
  /// if the picture is wider than the compositor. On pictures with straight alpha both alphas are
  /// composited.
  @discardableResult
  package func draw(
    _ sprite: Sprite, by transform: Affine, alpha: Double = 1, blend: SpriteBlend = .over,
    on picture: borrowing Picture
  ) -> Bool {
    let space = SpriteSpace(format: picture.format, colorimetry: picture.colorimetry, blend: blend)
    guard sprite.space == space, picture.width <= width, alpha > 0,
      let scan = SpriteScan(
        sprite, transform: transform, width: picture.width, height: picture.height)
    else { return false }
    paint(scan, alpha, blend, SpriteTarget(picture), space)
    return true
  }

  /// Draws the samples of `source`.
  func paint(
    _ source: some TapSource, _ alpha: Double, _ blend: SpriteBlend, _ target: SpriteTarget,
    _ space: SpriteSpace
  ) {
    let opacity = alpha >= 1 ? nil : UInt16((alpha * 65535).rounded())
    let painter = SpritePainter(
      source: source, target: target, mixer: SpriteMixer(target, blend),
      deepMixer: SpriteMixer(target, blend), blend: blend,
      opacity: opacity,
      cover: isCovered ? coverSampler : nil, clear: space.clear)
    // Chroma cosited with even rows also depends on the row above.
    let halo = target.shifts.v == 1 && target.site.isCositedVertically ? 1 : 0
    let first = max(0, source.rows.lowerBound) & ~1
    let end = min(target.height, source.rows.upperBound + halo)
    if first < end { painter.paint(first..<end, scratch) }
  }
}
