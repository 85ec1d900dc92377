/// A request that is made again and again.
public struct Polling: Hashable, Sendable {
  /// Milliseconds from one to the next.
  public var every: WideInt
  /// It ends with the first result for which this holds; nil: it goes on as long as its node lives.
  public var until: Guard?

  public init(every: WideInt, until: Guard? = nil) {
    self.every = every
    self.until = until
  }
}
