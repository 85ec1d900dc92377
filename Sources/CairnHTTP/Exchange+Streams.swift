import CMicroHTTPD

// A request that is answered with a stream. On the loop's thread.
extension Exchange {
  /// The connection is the stream's from now on; the library closes its descriptor of it.
  func begin(_ stream: ByteStream, _ request: Request) -> MHD_Result {
    stage = .answered
    guard peer.loop.begin(stream, on: peer) else {
      stream.finish(.left)
      return answer(.full, request)
    }
    return .NO
  }

  /// Drops its response, also one that is delivered later.
  func discard() {
    if case .stream(let stream)? = delivery.takeForGood() { stream.finish(.left) }
  }
}
