import Files
import Studio
import Testing

@Suite(.timeLimit(.minutes(10))) struct ChainTests {
  @Test func nothingIsOnAtFirst() {
    #expect(Chain().elements.isEmpty)
  }

  @Test(arguments: Effect.allCases)
  func whatNeedsFacesHasThemFound(effect: Effect) {
    var chain = Chain()
    chain.turn(effect, on: true)
    #expect(chain.elements.contains(.faces) == (effect.needsFaces || effect == .faces))
    #expect(chain.elements.contains(effect))
    chain.turn(effect, on: false)
    #expect(chain.elements.isEmpty)
  }

  @Test func theOrderIsTheSameHoweverTheyAreSwitched() {
    var (one, other) = (Chain(), Chain())
    for effect in Effect.allCases { one.turn(effect, on: true) }
    for effect in Effect.allCases.reversed() { other.turn(effect, on: true) }
    #expect(one.elements == other.elements && one == other)
    #expect(one.elements.first == .faces && one.elements.last == .sticker)
  }

  @Test func aSettingIsKeptWhileItsElementIsOff() {
    var chain = Chain()
    chain.set("alpha", of: .sticker, to: .word("0.5"))
    chain.turn(.sticker, on: true)
    chain.turn(.sticker, on: false)
    #expect(chain.value("alpha", of: .sticker) == .word("0.5"))
    chain.set("alpha", of: .sticker, to: nil)
    #expect(chain.value("alpha", of: .sticker) == nil && chain[.sticker].isEmpty)
  }

  @Test func keysReachThePacksThatLieThere() {
    var shelf = Shelf()
    for number in 1...3 {
      let name = "\(number)"
      #expect(
        shelf.add(
          Shelf.Pack(name: name, location: FilePath("p" + name), folder: FilePath("/p" + name)))
          == number - 1)
    }
    #expect(shelf.add(Shelf.Pack(name: "again", location: "p2", folder: "/p2")) == 1)
    #expect(shelf.pack(forKey: 1) == .some(0) && shelf.pack(forKey: 3) == .some(2))
    #expect(shelf.pack(forKey: 0) == .some(nil))
    #expect(shelf.pack(forKey: 4) == nil)
  }
}
