import CMicroHTTPD

// Answers requests with a stream. Used on the loop's thread.
extension Exchange {
  /// Passes the connection to the stream; the library closes only its own descriptor. If the stream cannot begin, ends it with `left` and
  /// responds with `Fault.tooManyStreams`. Returns the result of the access callback.
  func begin(_ stream: ByteStream, _ request: Request) -> MHD_Result {
    stage = .answered
    guard peer.loop.begin(stream, on: peer) else {
      stream.finish(.left)
      return answer(.tooManyStreams(limit: peer.loop.context.limits.streams), request)
    }
    return .NO
  }

  /// Drops a response that has been delivered, and rejects a response that is delivered later. A dropped stream ends with `left`.
  func discard() {
    if case .stream(let stream)? = delivery.takeForGood() { stream.finish(.left) }
  }
}
