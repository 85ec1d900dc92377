/// A connection that was let in, on its way to a loop, which closes it.
struct Arrival: Sendable {
  let descriptor: Int32
  let address: SocketAddress
  /// The address without its port, as text.
  let host: String
}
