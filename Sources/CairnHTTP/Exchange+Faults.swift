import CMicroHTTPD

// Queries about the stage of a request, and functions that end a request with a fault. Used on the loop's thread.
extension Exchange {
  /// Whether the request has not been received completely.
  var isReading: Bool {
    switch stage {
    case .head, .body: true
    case .handed, .answered: false
    }
  }

  /// Whether the response has begun or the request has ended.
  var isAnswered: Bool {
    if case .answered = stage { true } else { false }
  }

  /// Ends the request and its connection with a fault, and writes the response without the library. The library must then close its
  /// descriptor. If the target is too long, `uriTooLong` replaces the fault.
  func sendLast(_ fault: Fault) {
    let fault = target.isTooLong ? .uriTooLong(limit: context.limits.target) : fault
    let request: Request? =
      switch stage {
      case .body(let request), .handed(let request): request
      case .head, .answered: nil
      }
    stage = .answered
    discard()
    peer.sendLast(fault, request)
  }

  /// Ends the request and its connection with a fault. Called within the access callback. Returns the callback's result.
  func answer(_ fault: Fault, _ request: Request) -> MHD_Result {
    stage = .answered
    discard()
    peer.sendLast(fault, request)
    return .NO
  }
}
