/// A slot among the simultaneous requests of a client behind a proxy. The slot is released on deinitialization.
final class Seat: Sendable {
  /// Whether a slot was free.
  let isGranted: Bool
  private let limiter: RateLimiter
  private let address: String

  init(_ limiter: RateLimiter, _ address: String) {
    self.limiter = limiter
    self.address = address
    isGranted = limiter.entered(address)
  }

  deinit { limiter.left(address) }
}
