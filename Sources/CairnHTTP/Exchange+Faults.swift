import CMicroHTTPD

// How far a request is for others, and its end by a fault. On the loop's thread.
extension Exchange {
  /// Whether its message may still go on.
  var isReading: Bool {
    switch stage {
    case .head, .body: true
    case .handed, .answered: false
    }
  }

  /// Whether its response is on its way.
  var isAnswered: Bool {
    if case .answered = stage { true } else { false }
  }

  /// Ends it and its connection with a fault, past the library, which must close its descriptor.
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

  /// The same from within the library's call: its result.
  func answer(_ fault: Fault, _ request: Request) -> MHD_Result {
    stage = .answered
    discard()
    peer.say(fault, request)
    return .NO
  }
}
