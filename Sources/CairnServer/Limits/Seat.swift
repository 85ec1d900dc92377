/// The slot of a client behind a proxy among its simultaneous requests. Free again when it is released.
final class Seat: Sendable {
  /// Whether there was one.
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
