package import Faces
package import Inference
package import Occlusion
package import Pixels

/// Finds and follows hands that are at faces.
///
/// The palm network, which is dear, runs when something covers a face that no known hand explains, and
/// seldom otherwise. A hand is followed by the landmark network while it is at a face. One film,
/// one thread at a time.
package final class HandFinder: HandSource {
  /// The hands that are followed at most, and those that one search adds.
  private static let maximumHands = 4, maximumNew = 2
  private static let minScore = 0.5
  /// The side of the searched square in widths of the face.
  private static let searchedWidths = 3.0
  /// Pictures between two searches: at a covered face, after searches that found nothing there, at a face
  /// that is new, and at a bare face.
  private static let coveredInterval = 2, vainInterval = 6, newInterval = 3, bareInterval = 30
  /// Searches without a hand after which a covered face is searched less often.
  private static let vainSearches = 5

  package private(set) var hands: [Hand] = []
  private var isFollowed: [Bool] = []
  /// Where the followed hands are expected in the next picture.
  private var regions: [Region] = []
  private var picturesSinceSearch = 1000
  private var searchesInVain = 0

  private var palms: PalmDetector?
  private var landmarks: HandLandmarkModel?
  private var view: UprightView?
  private var gain: Float = 1
  /// The runs of both networks so far.
  package private(set) var searchCount = 0, measurementCount = 0
  /// The number of hands of this picture that are at faces.
  package var followedCount: Int { isFollowed.count { $0 } }
  /// The first error of this picture.
  package private(set) var error: ModelError?

  package init() {
    hands.reserveCapacity(Self.maximumHands)
    isFollowed.reserveCapacity(Self.maximumHands)
    regions.reserveCapacity(Self.maximumHands)
  }

  package var canSearch: Bool { palms != nil && landmarks != nil }
  var hasPalms: Bool { palms != nil }
  var hasLandmarks: Bool { landmarks != nil }

  package func installPalms(_ graph: Graph) throws(ModelError) {
    palms = try PalmDetector(graph)
  }
  package func installLandmarks(_ graph: Graph) throws(ModelError) {
    landmarks = try HandLandmarkModel(graph)
  }

  /// Forgets all hands, as at a cut or after a seek.
  package func reset() {
    hands.removeAll(keepingCapacity: true)
    isFollowed.removeAll(keepingCapacity: true)
    regions.removeAll(keepingCapacity: true)
    (picturesSinceSearch, searchesInVain) = (1000, 0)
  }

  /// Measures the followed hands in the next picture, whose codes networks read times `gain`.
  package func begin(
    _ picture: borrowing Picture, orientation: Orientation = .up, gain: Float = 1
  ) {
    let view = UprightView(picture, orientation)
    (self.view, self.gain, error) = (view, gain, nil)
    picturesSinceSearch += 1
    regions.removeAll(keepingCapacity: true)
    for index in hands.indices where isFollowed[index] { regions.append(expectedRegion(index)) }
    hands.removeAll(keepingCapacity: true)
    isFollowed.removeAll(keepingCapacity: true)
    for region in regions { measure(picture, view, region) }
  }

  /// The region of a hand, whose points are in pixels of the stored picture, in the upright one.
  private func expectedRegion(_ index: Int) -> Region {
    var hand = hands[index]
    guard let back = view?.toStoredPixels.inverse else { return Region(hand) }
    for point in hand.points.indices { hand.points[point] = back(hand.points[point]) }
    return Region(hand)
  }

  /// Adds the hand in a region, unless it is known already.
  private func measure(_ picture: borrowing Picture, _ view: UprightView, _ region: Region) {
    guard let landmarks, hands.count < Self.maximumHands, error == nil else { return }
    measurementCount += 1
    do throws(ModelError) {
      guard
        var hand = try landmarks.measure(
          in: picture, view.orientation, region, gain: gain, minScore: Self.minScore)
      else { return }
      let toStored = view.toStoredPixels
      for point in hand.points.indices { hand.points[point] = toStored(hand.points[point]) }
      // Regions of two hands at one place measure the same one.
      let reach = 0.35 * region.width / 2
      guard !hands.contains(where: { ($0.center - hand.center).length < reach }) else { return }
      hands.append(hand)
      isFollowed.append(false)
    } catch {
      self.error = error
    }
  }

  package func search(
    _ picture: borrowing Picture, around box: Rectangle, _ reason: HandSearchReason
  ) {
    guard let palms, landmarks != nil, let view, error == nil, hands.count < Self.maximumHands,
      picturesSinceSearch >= interval(reason)
    else { return }
    let center = view.toStoredPixels.inverse.map { $0(box.center) } ?? box.center
    let side = Self.searchedWidths * min(box.width, box.height)
    let square = Region(center: center, width: side, height: side)
    picturesSinceSearch = 0
    searchCount += 1
    let known = hands.count
    do throws(ModelError) {
      let found = try palms.detect(
        in: picture, view.orientation, square: square, gain: gain, limit: Self.maximumNew)
      for region in found { measure(picture, view, region) }
    } catch {
      self.error = error
    }
    searchesInVain = hands.count > known ? 0 : min(searchesInVain + 1, 100)
  }

  private func interval(_ reason: HandSearchReason) -> Int {
    switch reason {
    case .newFace: Self.newInterval
    case .covered:
      searchesInVain < Self.vainSearches ? Self.coveredInterval : Self.vainInterval
    case .bare: Self.bareInterval
    }
  }

  package func follow(_ number: Int) {
    if isFollowed.indices.contains(number) { isFollowed[number] = true }
  }
}
