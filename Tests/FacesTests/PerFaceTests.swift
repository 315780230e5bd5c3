import Faces
import Testing

@Suite(.timeLimit(.minutes(10))) struct PerFaceTests {
  /// A state with memory of its own.
  private final class State {
    var name = ""
  }

  private func frame(_ faces: inout PerFace<State>, _ keys: [UInt64]) -> [Int?] {
    faces.beginFrame()
    let places = keys.map { key in
      let place = faces.lastIndex { $0.key == key } ?? faces.add(key)
      if let place { faces[place].isSeen = true }
      return place
    }
    faces.keep { $0.isSeen }
    return places
  }

  @Test func facesKeepTheirStatesAndTheirOrder() {
    var faces = PerFace(most: 4) { State() }
    #expect(frame(&faces, [7, 8, 9]) == [0, 1, 2])
    for (index, name) in ["a", "b", "c"].enumerated() { faces[index].state.name = name }
    #expect(frame(&faces, [9, 7]) == [2, 0])
    #expect(faces.map(\.key) == [7, 9])
    #expect(faces.map(\.state.name) == ["a", "c"])
  }

  @Test func aStateThatIsFreeGoesToTheNextNewFace() {
    var made = 0
    var faces = PerFace(most: 4) {
      made += 1
      return State()
    }
    for round in 0..<10 { _ = frame(&faces, [UInt64(round), UInt64(round + 1)]) }
    // Of two faces one goes and one comes: there is one more while both are there.
    #expect(made == 3)
    let states = faces.map { ObjectIdentifier($0.state) }
    faces.removeAll()
    #expect(faces.isEmpty)
    _ = frame(&faces, [1, 2, 3])
    #expect(made == 3)
    #expect(Set(states).isSubset(of: faces.map { ObjectIdentifier($0.state) }))
  }

  @Test func facesOverTheMostHaveNoPlace() {
    var faces = PerFace(most: 2) { State() }
    #expect(frame(&faces, [1, 2, 3]) == [0, 1, nil])
    #expect(frame(&faces, [3, 2]) == [nil, 1])
    #expect(frame(&faces, [3, 2]) == [1, 0])
  }
}
