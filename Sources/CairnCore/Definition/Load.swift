/// Work that brings a value into a node's content.
public struct Load: Hashable, Sendable {
  public var source: Source
  /// Milliseconds before the value is there, or before the request leaves.
  public var delay: WideInt
  /// Sent with `$result` when the value came; a step that it does not fit is a failure of the load.
  public var then: StepTemplate?
  /// Sent when the load failed.
  public var otherwise: StepTemplate?
  /// A second request replaces a running one, instead of being ignored.
  public var restart: Bool
  /// Cancelled when the node is covered.
  public var whileVisible: Bool

  public enum Source: Hashable, Sendable {
    case value(Expression)
    case request(LoadRequest)

    /// A plain GET; with `bearer` the session's access token goes along.
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
  /// The steps that its end sends.
  public var templates: [StepTemplate] { [then, otherwise].compactMap { $0 } }

  /// The HTTP request; `nil`: its value is known.
  public var request: LoadRequest? { if case .request(let request) = source { request } else { nil } }

  /// The expressions that it evaluates, beside the params of its steps.
  public var expressions: [Expression] {
    switch source {
    case .value(let value): [value]
    case .request(let request): request.expressions
    }
  }
}
