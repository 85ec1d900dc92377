/// The repetition of a request.
public struct Polling: Hashable, Sendable {
  /// The interval between requests in milliseconds.
  public var every: WideInt
  /// The condition that ends the repetition. It is evaluated for each result. If it is `nil`, the request is repeated until the node is
  /// removed.
  public var until: Guard?

  public init(every: WideInt, until: Guard? = nil) {
    self.every = every
    self.until = until
  }
}
