/// Work that produces a value for a node's content.
public struct Load: Hashable, Sendable {
  public var source: Source
  /// The milliseconds until a known value is set, or until the request is sent.
  public var delay: WideInt
  /// The step that is sent with the value as `$result`. If its params do not fit, the load fails.
  public var then: StepTemplate?
  /// The step that is sent if the load fails.
  public var otherwise: StepTemplate?
  /// Whether a second request replaces a running one. Otherwise it is ignored.
  public var restart: Bool
  /// Whether the load is cancelled when the node is covered.
  public var whileVisible: Bool

  public enum Source: Hashable, Sendable {
    case value(Expression)
    case request(LoadRequest)

    /// A plain GET. `bearer` adds the session's access token.
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
  /// The steps that the end of the load may send.
  public var templates: [StepTemplate] { [then, otherwise].compactMap { $0 } }

  /// The HTTP request; `nil` if the value is known.
  public var request: LoadRequest? { if case .request(let request) = source { request } else { nil } }

  /// The expressions that the load evaluates, except those of its steps' params.
  public var expressions: [Expression] {
    switch source {
    case .value(let value): [value]
    case .request(let request): request.expressions
    }
  }
}
