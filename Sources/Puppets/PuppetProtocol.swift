/// The protocols of programs that animate avatars.
package enum PuppetProtocol: String, CaseIterable, Sendable {
  case vmc, openseeface, ifacialmocap

  /// The UDP port that receivers listen on.
  package var port: UInt16 {
    switch self {
    case .vmc: 39539
    case .openseeface: 11573
    case .ifacialmocap: 49983
    }
  }

  /// The datagram for one frame; nil if there is none to send.
  ///
  /// `face`: the face that animates the avatar, if there is one; `time`: seconds since the beginning.
  package func datagram(_ face: PuppetFace?, time: Double) -> [UInt8]? {
    switch self {
    case .vmc: VMC.datagram(face, time: time)
    case .openseeface: face.map { OpenSeeFace.datagram($0, time: time) }
    case .ifacialmocap: face.map { IFacialMocap.datagram($0) }
    }
  }
}
