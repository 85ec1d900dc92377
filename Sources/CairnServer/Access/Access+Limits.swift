import CairnAPI
import CairnHTTP

// Refuses requests that exceed a limit.
extension Access {
  /// Creates the response to a request that exceeds a limit, and counts the refusal.
  func refused(_ refusal: RateLimiter.Refusal, _ call: Call) -> Rejection {
    telemetry.refused(for: refusal.limit, address: call.address)
    let code: ProblemCode =
      switch refusal.limit {
      case .sessionsPerAddress: .tooManySessions
      case .connectionsPerAddress: .tooManyConnections
      case .streamsPerSession: .tooManyStreams
      default: .rateLimited
      }
    let seconds = max(1, (refusal.wait + 999_999_999) / 1_000_000_000)
    return Rejection(
      code, "too many \(refusal.limit.words); try again in \(seconds) s\(refusal.limit.remark)", headers: ["Retry-After": String(seconds)])
  }

  /// Throws if a request exceeds a limit of its address, unless it is a health check or has a valid operator's key.
  func admit(_ call: Call) throws(Rejection) {
    if call.route?.port == .both { return }
    do throws(RateLimiter.Refusal) {
      if call.seat?.isGranted == false { throw RateLimiter.Refusal(limit: .connectionsPerAddress, wait: 0) }
      try limiter.request(from: call.address)
    } catch {
      guard principal(of: Credentials(call.request.headers), call) == nil else { return }
      throw refused(error, call)
    }
  }

  /// Whether a request may have a body of up to `Settings.sessionFile` bytes. This is allowed only for an operator's import of a session.
  /// An import without a valid operator's key counts as a failed attempt of its address. Called before the body is read, on the
  /// connection's thread.
  func allowsLongBody(_ request: Request) -> Bool {
    guard request.method == "POST", request.path == ["v1", "sessions", "import"] else { return false }
    let (peer, proxies) = (request.remoteAddress, limiter.proxies)
    let address = proxies.isEmpty ? peer : proxies.client(of: peer, request.headers).address
    guard limiter.mayTry(from: address) else { return false }
    if operators.principal(of: Credentials(request.headers)) != nil { return true }
    try? limiter.failure(from: address, of: nil)
    return false
  }
}
