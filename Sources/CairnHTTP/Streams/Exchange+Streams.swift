import CMicroHTTPD

// Answers requests with a stream. Used on the loop's thread.
extension Exchange {
  /// Passes the connection to the stream; the library closes only its own descriptor. If the stream cannot begin, responds with
  /// `Fault.tooManyStreams`.
  func begin(_ stream: ByteStream, _ request: Request) -> MHD_Result {
    stage = .answered
    guard peer.loop.begin(stream, on: peer) else {
      stream.finish(.left)
      return answer(.tooManyStreams(limit: peer.loop.context.limits.streams), request)
    }
    return .NO
  }

  /// Drops the response that has been delivered, and rejects a response that is delivered later.
  func discard() {
    if case .stream(let stream)? = delivery.takeForGood() { stream.finish(.left) }
  }
}
