/// The evaluated terms of a session's request, except its URL. A plain GET has no terms.
public struct CallTerms: Hashable, Sendable {
  public var method: HTTPMethod
  public var body: Value?
  public var headers: [String: String]
  /// The environment variables that contain header values, by header name.
  public var variables: [String: String]
  /// The numbers of the secrets that are header values, by header name.
  public var sealedHeaders: [String: WideInt] = [:]
  /// The timeout of all attempts together, in milliseconds; `nil` if the definition sets none.
  public var timeout: WideInt?
  public var retry: Retry?
  public var polling: Polling?
  /// The paths of the members of the response whose texts are secret.
  public var secretMembers: [String] = []

  public init(
    method: HTTPMethod = .get, body: Value? = nil, headers: [String: String] = [:], variables: [String: String] = [:],
    timeout: WideInt? = nil, retry: Retry? = nil, polling: Polling? = nil
  ) {
    self.method = method
    self.body = body
    self.headers = headers
    self.variables = variables
    self.timeout = timeout
    self.retry = retry
    self.polling = polling
  }

  /// Whether the terms are those of a plain GET.
  var isPlain: Bool { self == CallTerms() }

  /// The numbers of the secrets that the request sends.
  package var secrets: [WideInt] { (body?.secrets ?? []) + sealedHeaders.map { $0.value } }

  /// Whether the request sends a secret param, or a header from the environment.
  package var hasSecrets: Bool { !variables.isEmpty || !secrets.isEmpty }

  /// The approximate size in bytes.
  var size: Int {
    64 + 32 * sealedHeaders.count + (body?.size ?? 0) + secretMembers.reduce(0) { $0 + 16 + $1.utf8.count }
      + (headers.sortedByKey + variables.sortedByKey)
      .reduce(0) { $0 + 16 + $1.key.utf8.count + $1.value.utf8.count }
  }
}

extension Effect {
  /// The terms of a request except its URL; `nil` for a plain GET, or if the effect is not a request.
  public var terms: CallTerms? {
    switch work {
    case .request(_, _, _, _, _, let terms): terms
    case .message(let message): message.terms
    case .timer, .value, .exchange: nil
    }
  }

  /// The deadline of all attempts of a request, in milliseconds since 1970; `nil` for a message, and for a request without a timeout. The
  /// timeout of a message begins with its first attempt after the start of the service, so that a message is also sent if the service was
  /// down for a long time.
  public var deadline: WideInt? { isMessage ? nil : terms?.timeout.map { due(tick: 1).addingSaturated($0) } }

  /// The time at which a request without a response ends: its own deadline or, without one, `CallLimit.time` after its due time. `nil` for a
  /// repeated request without a deadline.
  package var endOfCall: WideInt? { deadline ?? (terms?.polling == nil ? due.addingSaturated(callTime) : nil) }

  /// The timeout of a request without a deadline, in milliseconds.
  var callTime: WideInt { isMessage ? terms?.timeout ?? CallLimit.time : CallLimit.time }

  /// The time of the next call of a repeated request, later than `time`; `nil` if the request is not repeated.
  public func nextCall(after time: WideInt) -> WideInt? {
    guard let every = terms?.polling?.every, every > 0 else { return nil }
    let passed = time.subtractingSaturated(due(tick: 1))
    return passed < 0 ? due(tick: 1) : due(tick: 1).addingSaturated((passed / every + 1).multipliedSaturated(by: every))
  }
}
