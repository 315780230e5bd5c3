package import Faces
package import Inference
package import Occlusion
package import Pixels

/// Finds and follows hands: those that are at faces, and others if they are wanted.
///
/// The palm network, which is dear, runs when something covers a face that no known hand explains, and
/// seldom otherwise; while wanted hands are missing, also in every third picture. A hand is followed by the
/// landmark network while it is at a face or wanted: a wanted one is measured in every picture, another one that
/// moves evenly in every second one. One film, one thread at a time.
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
  private var motions: [HandMotion] = []
  /// The followed hands as they are expected in this picture.
  private var expected: [(hand: Hand, motion: HandMotion)] = []
  private var picturesSinceSearch = 1000
  private var searchesInVain = 0

  /// The hands that are followed wherever they are.
  private var wantedCount = 0
  private var wideSearch = WideSearch()

  private var palms: PalmDetector?
  private var landmarks: HandLandmarkModel?
  var gestures = GestureRecognizer()
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
    motions.reserveCapacity(Self.maximumHands)
    expected.reserveCapacity(Self.maximumHands)
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
    removeHands()
    (picturesSinceSearch, searchesInVain) = (1000, 0)
    wideSearch = WideSearch()
    error = nil
  }

  /// Measures the followed hands in the next picture, whose codes networks read times `gain`.
  ///
  /// Up to `wanted` hands are followed also where there is no face.
  package func begin(
    _ picture: borrowing Picture, orientation: Orientation = .up, gain: Float = 1, wanted: Int = 0
  ) {
    wantedCount = wanted
    let view = UprightView(picture, orientation)
    (self.view, self.gain, error) = (view, gain, nil)
    picturesSinceSearch += 1
    expected.removeAll(keepingCapacity: true)
    for index in hands.indices where isFollowed[index] {
      expected.append((motions[index].next(hands[index]), motions[index]))
    }
    removeHands()
    gestures.beginPicture()
    for (hand, motion) in expected {
      if motion.isPredictable, hands.count >= wanted {
        var motion = motion
        motion.recordPrediction()
        add(hand, motion)
      } else {
        measure(picture, view, region(hand), expected: hand, motion)
      }
    }
  }

  private func removeHands() {
    hands.removeAll(keepingCapacity: true)
    isFollowed.removeAll(keepingCapacity: true)
    motions.removeAll(keepingCapacity: true)
  }

  private func add(_ hand: Hand, _ motion: HandMotion) {
    hands.append(hand)
    isFollowed.append(hands.count <= wantedCount)
    motions.append(motion)
  }

  /// The region in the upright picture of a hand, whose points are in pixels of the stored one.
  private func region(_ hand: Hand) -> Region {
    guard let back = view?.toStoredPixels.inverse else { return Region(hand) }
    var upright = hand
    for point in hand.points.indices { upright.points[point] = back(hand.points[point]) }
    return Region(upright)
  }

  /// Whether a hand that a search found is known: the centres of both regions are near each other.
  ///
  /// The intersection of equal squares at this distance is half of their union, MediaPipe's limit too.
  private func isKnown(_ found: Region) -> Bool {
    hands.indices.contains { index in
      let known = region(hands[index])
      return (known.center - found.center).length < 0.3 * min(known.width, found.width)
    }
  }

  /// Adds the hand in a region, unless it is known already; one that is not expected is new.
  private func measure(
    _ picture: borrowing Picture, _ view: UprightView, _ region: Region, expected: Hand? = nil,
    _ motion: HandMotion = HandMotion()
  ) {
    guard let landmarks, hands.count < Self.maximumHands, error == nil else { return }
    measurementCount += 1
    do throws(ModelError) {
      guard
        var hand = try landmarks.measure(
          in: picture, view.orientation, region, gain: gain, minScore: Self.minScore)
      else { return }
      if wantedCount > 0, expected == nil || gestures.isDue(for: hands.count) {
        hand.gestureScores = try gestures.scores(
          of: hand, in: picture, view.orientation, gain: gain, minScore: Self.minScore)
      }
      let toStored = view.toStoredPixels
      for point in hand.points.indices { hand.points[point] = toStored(hand.points[point]) }
      // Regions of two hands at one place measure the same one.
      let reach = 0.35 * region.width / 2
      guard !hands.contains(where: { ($0.center - hand.center).length < reach }) else { return }
      var motion = motion
      if let expected { motion.recordMeasurement(hand, expected: expected) }
      add(hand, motion)
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
    picturesSinceSearch = 0
    let known = hands.count
    search(picture, view, palms, Region(center: center, width: side, height: side))
    searchesInVain = hands.count > known ? 0 : min(searchesInVain + 1, 100)
  }

  /// Adds the hands in a square of the upright picture.
  private func search(
    _ picture: borrowing Picture, _ view: UprightView, _ palms: PalmDetector, _ square: Region
  ) {
    searchCount += 1
    do throws(ModelError) {
      let found = try palms.detect(
        in: picture, view.orientation, square: square, gain: gain, limit: Self.maximumNew)
      for region in found where !isKnown(region) {
        measure(picture, view, region)
      }
    } catch {
      self.error = error
    }
  }

  /// Searches for wanted hands that are missing: in the whole picture, and around each face.
  ///
  /// `faces` are the boxes of the faces in pixels of the upright picture. In a film one of these squares is
  /// searched in a picture, and not in every one; in a still all are.
  func searchWidely(_ picture: borrowing Picture, faces: [Rectangle], isStill: Bool) {
    guard let palms, landmarks != nil, let view, hands.count < wantedCount else { return }
    let squares = WideSearch.squares(in: view.frame, faces)
    guard !isStill else {
      for square in squares where hands.count < wantedCount && error == nil {
        search(picture, view, palms, square)
      }
      return
    }
    guard let number = wideSearch.next(of: squares.count, hasHands: !hands.isEmpty), error == nil
    else { return }
    search(picture, view, palms, squares[number])
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
