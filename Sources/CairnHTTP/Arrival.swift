/// An accepted connection that is passed to a loop, which closes it.
struct Arrival: Sendable {
  let descriptor: Int32
  let address: SocketAddress
  /// The address as text, without the port.
  let host: String
}
