import Files
import Studio
import Testing

@Suite(.timeLimit(.minutes(10))) struct ElementChainTests {
  @Test func noElementIsOnAtFirst() {
    #expect(ElementChain().elements.isEmpty)
  }

  @Test(arguments: ElementKind.allCases)
  func elementsThatNeedFacesGetADetector(effect: ElementKind) {
    var chain = ElementChain()
    chain.turn(effect, on: true)
    #expect(chain.elements.contains(.faces) == (effect.needsFaces || effect == .faces))
    #expect(chain.elements.contains(effect))
    chain.turn(effect, on: false)
    #expect(chain.elements.isEmpty)
  }

  @Test func theOrderDoesNotDependOnTheSwitches() {
    var (one, other) = (ElementChain(), ElementChain())
    for effect in ElementKind.allCases { one.turn(effect, on: true) }
    for effect in ElementKind.allCases.reversed() { other.turn(effect, on: true) }
    #expect(one.elements == other.elements && one == other)
    #expect(one.elements.first == .faces && one.elements.last == .sticker)
  }

  @Test func propertiesAreKeptWhileAnElementIsOff() {
    var chain = ElementChain()
    chain.set("alpha", of: .sticker, to: .literal("0.5"))
    chain.turn(.sticker, on: true)
    chain.turn(.sticker, on: false)
    #expect(chain.value("alpha", of: .sticker) == .literal("0.5"))
    chain.set("alpha", of: .sticker, to: nil)
    #expect(chain.value("alpha", of: .sticker) == nil && chain[.sticker].isEmpty)
  }

  @Test func numberKeysSelectPacksOfTheShelf() {
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
