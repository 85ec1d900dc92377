import CairnAPI
import CairnHTTP

// Requests that exceed a limit.
extension Service {
  /// The response to a request that exceeds a limit. The refusal is counted.
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
      code, "too many \(refusal.limit.words); try again in \(seconds) s", headers: ["Retry-After": String(seconds)])
  }

  /// Checks the limits of a request, and throws if one is exceeded. Requests of operators and health checks are always allowed.
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
}
