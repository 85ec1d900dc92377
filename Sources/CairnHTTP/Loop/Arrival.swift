/// An accepted connection that is passed to a loop. The receiver must close the descriptor.
struct Arrival: Sendable {
  let descriptor: Int32
  let address: SocketAddress
  /// The address without its port, as text.
  let host: String
}
