import Files
import Studio
import Testing

@Suite(.timeLimit(.minutes(20))) struct ElementChainTests {
  @Test func noElementIsOnAtFirst() {
    #expect(ElementChain().elements.isEmpty)
  }

  @Test(arguments: ElementKind.allCases)
  func elementsThatNeedFacesGetADetector(kind: ElementKind) {
    var chain = ElementChain()
    chain.turn(kind, on: true)
    #expect(chain.elements.contains(.faces) == (kind.needsFaces || kind == .faces))
    #expect(chain.elements.contains(kind))
    chain.turn(kind, on: false)
    #expect(chain.elements.isEmpty)
  }

  @Test func facesAreFoundForAnAvatarWithoutAnyEffect() {
    var chain = ElementChain()
    chain.alwaysFindsFaces = true
    #expect(chain.elements == [.faces])
    chain.turn(.look, on: true)
    chain.alwaysFindsFaces = false
    #expect(chain.elements == [.look])
  }

  @Test func theOrderDoesNotDependOnTheSwitches() {
    var (one, other) = (ElementChain(), ElementChain())
    for kind in ElementKind.allCases { one.turn(kind, on: true) }
    for kind in ElementKind.allCases.reversed() { other.turn(kind, on: true) }
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

  @Test func aPackIsFoundByItsNameItsFolderOrItsManifest() {
    var shelf = Shelf()
    for number in 1...3 {
      let name = "\(number)"
      #expect(
        shelf.add(
          Shelf.Pack(name: name, location: FilePath("p" + name), folder: FilePath("/p" + name)))
          == number - 1)
    }
    #expect(shelf.add(Shelf.Pack(name: "again", location: "p2", folder: "/p2")) == 1)
    #expect(shelf.index(of: "p2") == 1 && shelf.index(of: "/p3") == 2)
    #expect(shelf.index(of: "/p1/meta.json") == 0 && shelf.index(of: "p4") == nil)
  }
}
