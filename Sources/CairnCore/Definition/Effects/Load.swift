/// A load, which writes the value of an expression or of an HTTP response to a node's content.
public struct Load: Hashable, Sendable {
  public var source: Source
  /// Milliseconds before the value is delivered or the request is sent.
  public var delay: WideInt
  /// The step sent with `$result` when the value has arrived. If the value does not fit the step, the load fails.
  public var then: StepTemplate?
  /// The step sent when the load has failed.
  public var otherwise: StepTemplate?
  /// Whether the load replaces a load that is running for the same node. Otherwise the new load is ignored.
  public var restart: Bool
  /// Whether the load runs only while its node is visible: it is cancelled when the node is covered, and starts again when the node is visible again.
  public var whileVisible: Bool

  public indirect enum Source: Hashable, Sendable {
    case value(Expression)
    case request(LoadRequest)

    /// A plain GET. With `bearer`, the session's access token is sent.
    public static func get(url: Expression, bearer: Bool) -> Source { .request(LoadRequest(.get, url, bearer: bearer)) }
  }

  public init(
    _ source: Source, delay: WideInt = 0, then: StepTemplate? = nil, otherwise: StepTemplate? = nil, restart: Bool = false,
    whileVisible: Bool = false
  ) {
    self.source = source
    self.delay = delay
    self.then = then
    self.otherwise = otherwise
    self.restart = restart
    self.whileVisible = whileVisible
  }
}

extension Load {
  /// The steps sent at the end of the load.
  public var templates: [StepTemplate] { [then, otherwise].compactMap { $0 } }

  /// The HTTP request; `nil` if the load evaluates an expression.
  public var request: LoadRequest? { if case .request(let request) = source { request } else { nil } }

  /// The expressions that the load evaluates, except the params of its steps.
  public var expressions: [Expression] {
    switch source {
    case .value(let value): [value]
    case .request(let request): request.expressions
    }
  }
}
