import Files
import Studio
import Testing

@Suite(.timeLimit(.minutes(20))) struct ChangeHistoryTests {
  @Test func undoAndRedoReturnToEveryState() {
    var history = ChangeHistory<Int>()
    #expect(!history.canUndo && !history.canRedo && history.undo(from: 0) == nil)
    for state in 0..<3 { history.record(state, key: nil, at: 0) }
    #expect(history.undo(from: 3) == 2 && history.undo(from: 2) == 1)
    #expect(history.redo(from: 1) == 2 && history.redo(from: 2) == 3 && !history.canRedo)
    #expect(history.undo(from: 3) == 2)
    history.record(2, key: nil, at: 1)
    #expect(!history.canRedo, "a new change ends what can be done again")
  }

  @Test func theStepsOfASliderAreOneChange() {
    var history = ChangeHistory<Int>()
    for state in 0..<10 { history.record(state, key: "sticker.alpha", at: Double(state) * 0.1) }
    history.record(10, key: "sticker.alpha", at: 5)
    #expect(history.undo(from: 11) == 10 && history.undo(from: 10) == 0 && !history.canUndo)
  }

  @Test func theHistoryIsBounded() {
    var history = ChangeHistory<Int>()
    for state in 0..<1000 { history.record(state, key: nil, at: 0) }
    var count = 0
    var state = 1000
    while let last = history.undo(from: state) { (state, count) = (last, count + 1) }
    #expect(count == ChangeHistory<Int>.limit)
  }

  @Test func changesNameThePropertiesThatDiffer() {
    var chain = ElementChain()
    chain.set("alpha", of: .sticker, to: .literal("0.5"))
    let old = chain
    #expect(chain.changes(from: old).isEmpty && chain.changeKey(from: old) == nil)
    chain.set("alpha", of: .sticker, to: .literal("0.6"))
    #expect(chain.changeKey(from: old) == "sticker.alpha")
    chain.set("alpha", of: .sticker, to: nil)
    #expect(
      chain.changes(from: old) == [.init(kind: .sticker, name: "alpha", value: nil)])
    #expect(chain.changeKey(from: old) == nil, "a reset is a step of its own")
    chain.turn(.look, on: true)
    #expect(chain.changes(from: old).count == 1 && chain.changeKey(from: old) == nil)
  }

  @Test func oneClickBlursTheRoom() {
    var chain = ElementChain()
    #expect(chain.backgrounds == [.none])
    for choice in BackgroundChoice.all where choice != .picture {
      chain.setBackground(choice)
      #expect(chain.backgrounds == [choice])
    }
    // The screen is on: a picture takes its place.
    chain.setBackground(picture: "/beach.jpg")
    #expect(chain.backgrounds == [.screen, .picture])
    #expect(chain.value("background", of: .screen) == .path("/beach.jpg"))
    chain.setBackground(.mediumBlur)
    #expect(chain.backgrounds == [.mediumBlur] && chain.elements == [.faces, .background])
    #expect(chain.value("blur", of: .background) == .literal("3"))
    chain.setBackground(picture: "/beach.jpg")
    #expect(chain.backgrounds == [.picture])
    chain.setBackground(.none)
    #expect(chain.elements.isEmpty)
  }

  @Test(
    arguments: [
      (0, "0:00"), (-3, "0:00"), (.nan, "0:00"), (7.9, "0:07"), (754, "12:34"), (3723, "1:02:03"),
    ] as [(Double, String)])
  func timesAreShortTexts(seconds: Double, text: String) {
    #expect(PlayingTime.text(seconds: seconds) == text)
  }

  @Test func favouritesComeFirst() {
    var favorites = Favorites(text: "c\nx\n\nc\n")
    #expect(favorites.names == ["c", "x"])
    #expect(favorites.order(of: ["a", "b", "c"]) == [2, 0, 1])
    favorites.toggle("b")
    favorites.toggle("c")
    favorites.toggle("two\nlines")
    #expect(favorites.order(of: ["a", "b", "c"]) == [1, 0, 2])
    #expect(Favorites(text: favorites.text) == favorites)
  }

  @Test func digitsThatFollowEachOtherAreOneNumber() {
    var keys = DigitKeys()
    #expect(keys.type(1, at: 0, count: 12) == 1 && keys.type(2, at: 0.3, count: 12) == 12)
    #expect(keys.type(3, at: 0.5, count: 12) == 3, "there is no item 123")
    #expect(keys.type(4, at: 0.6, count: 12) == 4, "there is no item 34")
    #expect(keys.type(1, at: 5, count: 12) == 1 && keys.type(0, at: 7, count: 12) == 0)
    #expect(keys.type(1, at: 8, count: 12) == 1 && keys.type(0, at: 8.2, count: 12) == 10)
  }
}
