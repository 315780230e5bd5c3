import CGStreamer
import CJSONGLib
import Client

/// Sends datagrams to one place, over UDP.
///
/// One thread at a time.
package final class DatagramSender {
  private let socket: UnsafeMutablePointer<GSocket>
  private let address: UnsafeMutablePointer<GSocketAddress>
  /// The place, as "127.0.0.1:39539".
  package let place: String
  /// Why the last datagram was not sent; nil if it was.
  package private(set) var failure: String?

  /// The host's name is resolved, which may take seconds; `place` is HOST, HOST:PORT or :PORT.
  ///
  /// Without a place it is this machine.
  package init(to place: String?, port: UInt16) throws(ProgramError) {
    var name = place ?? "127.0.0.1"
    if name.hasPrefix(":") { name = "127.0.0.1" + name }
    var error: UnsafeMutablePointer<GError>?
    guard let wanted = g_network_address_parse(name, port, &error) else {
      throw .usage("\(Terminal.singleLine(name)) is no HOST:PORT: \(Self.text(error))")
    }
    defer { g_object_unref(gpointer(wanted)) }
    guard let address = Self.resolve(wanted, &error) else {
      throw .failure("\(Terminal.singleLine(name)) is not found: \(Self.text(error))")
    }
    let socket = g_socket_new(
      g_socket_address_get_family(address), G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, &error)
    guard let socket else {
      g_object_unref(UnsafeMutableRawPointer(address))
      throw .failure("no datagrams can be sent: \(Self.text(error))")
    }
    // A full buffer drops a datagram, and never holds up a frame.
    g_socket_set_blocking(socket, 0)
    (self.socket, self.address) = (socket, address)
    let text = g_socket_connectable_to_string(OpaquePointer(address))
    self.place = text.map { String(cString: $0) } ?? name
    g_free(text)
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(socket))
    g_object_unref(UnsafeMutableRawPointer(address))
  }

  /// The first address of the host, of IPv4 if it has one: some receivers listen to that alone.
  private static func resolve(
    _ wanted: OpaquePointer, _ error: inout UnsafeMutablePointer<GError>?
  ) -> UnsafeMutablePointer<GSocketAddress>? {
    guard let all = g_socket_connectable_enumerate(wanted) else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(all)) }
    var first: UnsafeMutablePointer<GSocketAddress>?
    while let next = g_socket_address_enumerator_next(all, nil, &error) {
      let isPreferred = g_socket_address_get_family(next) == G_SOCKET_FAMILY_IPV4
      if first == nil || isPreferred {
        if let first { g_object_unref(UnsafeMutableRawPointer(first)) }
        first = next
      } else {
        g_object_unref(UnsafeMutableRawPointer(next))
      }
      if isPreferred { break }
    }
    // Of a later lookup, whose result is not needed.
    if first != nil { g_clear_error(&error) }
    return first
  }

  private static func text(_ error: UnsafeMutablePointer<GError>?) -> String {
    ClientError(error, or: "there is no such name").text
  }

  /// Sends a datagram; a receiver need not be there.
  package func send(_ bytes: [UInt8]) {
    var error: UnsafeMutablePointer<GError>?
    let sent = bytes.withUnsafeBytes {
      g_socket_send_to(
        socket, address, $0.baseAddress?.assumingMemoryBound(to: CChar.self), gsize($0.count), nil,
        &error)
    }
    if sent >= 0 {
      failure = nil
      return
    }
    let isFull = error.map {
      $0.pointee.domain == g_io_error_quark()
        && $0.pointee.code == gint(G_IO_ERROR_WOULD_BLOCK.rawValue)
    }
    failure = isFull == true ? nil : Self.text(error)
    if isFull == true { g_error_free(error) }
  }
}
