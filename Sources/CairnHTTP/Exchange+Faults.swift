import CMicroHTTPD

// The state of a request for its peer, and its end by a fault. On the loop's thread.
extension Exchange {
  /// Whether more of the message may be read.
  var isReading: Bool {
    switch stage {
    case .head, .body: true
    case .handed, .answered: false
    }
  }

  /// Whether the response is being sent.
  var isAnswered: Bool {
    if case .answered = stage { true } else { false }
  }

  /// Ends the request and its connection with a fault, without the library, which must close its descriptor.
  func say(_ fault: Fault) {
    let fault = target.isTooLong ? .uriTooLong(limit: context.limits.target) : fault
    let request: Request? =
      switch stage {
      case .body(let request), .handed(let request): request
      case .head, .answered: nil
      }
    stage = .answered
    discard()
    peer.say(fault, request)
  }

  /// Ends the request with a fault from within the library's call. Returns the result of that call.
  func answer(_ fault: Fault, _ request: Request) -> MHD_Result {
    stage = .answered
    discard()
    peer.say(fault, request)
    return .NO
  }
}
