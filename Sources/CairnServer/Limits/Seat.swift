/// A slot of a client behind a proxy among its simultaneous requests. It is freed when the object is released.
final class Seat: Sendable {
  /// Whether the client had a free slot.
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
