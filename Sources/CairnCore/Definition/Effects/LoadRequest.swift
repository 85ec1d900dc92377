/// An HTTP request whose response is the value of a load, as written in a definition.
public struct LoadRequest: Hashable, Sendable {
  public var method: HTTPMethod
  public var url: Expression
  /// Whether the session's access token is sent.
  public var bearer: Bool
  /// The body, sent as JSON; `nil` for none.
  public var body: Expression?
  /// Additional header fields by name. A field whose value is missing is omitted.
  public var headers: [String: Expression]
  /// The environment variables with the values of header fields, by the fields' names. They are read when the request is sent.
  public var variables: [String: String]
  /// The timeout of all attempts together in milliseconds, counted from the time at which the first attempt may be sent; `nil` for `CallLimit.time`.
  public var timeout: WideInt?
  /// The retries; `nil` for a single attempt.
  public var retry: Retry?
  /// The repetition of the request; `nil` if it is sent only once.
  public var polling: Polling?
  /// The paths of the members of the response whose texts are secret, such as `order.code`.
  public var secretMembers: [String]

  public init(
    _ method: HTTPMethod, _ url: Expression, bearer: Bool = false, body: Expression? = nil, headers: [String: Expression] = [:],
    variables: [String: String] = [:], timeout: WideInt? = nil, retry: Retry? = nil, polling: Polling? = nil,
    secretMembers: [String] = []
  ) {
    self.method = method
    self.url = url
    self.bearer = bearer
    self.body = body
    self.headers = headers
    self.variables = variables
    self.timeout = timeout
    self.retry = retry
    self.polling = polling
    self.secretMembers = secretMembers
  }

  /// The expressions that are evaluated when the load starts.
  var expressions: [Expression] { [url] + [body].compactMap { $0 } + headers.sortedByKey.map { $0.value } }
}
