/// An accepted connection on its way to a loop. The receiver closes the descriptor.
struct Arrival: Sendable {
  let descriptor: Int32
  let address: SocketAddress
  /// The address without its port, as text.
  let host: String
}
