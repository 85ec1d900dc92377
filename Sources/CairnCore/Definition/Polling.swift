/// A request that is repeated.
public struct Polling: Hashable, Sendable {
  /// The interval in milliseconds.
  public var every: WideInt
  /// The request is repeated until a result for which this holds; if it is `nil`, as long as its node exists.
  public var until: Guard?

  public init(every: WideInt, until: Guard? = nil) {
    self.every = every
    self.until = until
  }
}
