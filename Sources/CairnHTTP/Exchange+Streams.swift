import CMicroHTTPD

// A request that is answered by a stream. On the loop's thread.
extension Exchange {
  /// Passes the connection to the stream. The library closes its own descriptor of it.
  func begin(_ stream: ByteStream, _ request: Request) -> MHD_Result {
    stage = .answered
    guard peer.loop.begin(stream, on: peer) else {
      stream.finish(.left)
      return answer(.full, request)
    }
    return .NO
  }

  /// Discards the response, also one that is delivered later.
  func discard() {
    if case .stream(let stream)? = delivery.takeForGood() { stream.finish(.left) }
  }
}
