/// An HTTP request whose response is the value of a load.
public struct LoadRequest: Hashable, Sendable {
  public var method: HTTPMethod
  public var url: Expression
  /// Whether the session's access token is added.
  public var bearer: Bool
  /// The body, which is sent as JSON; `nil` if there is none.
  public var body: Expression?
  /// Additional headers by name. A header without a value is omitted.
  public var headers: [String: Expression]
  /// The environment variables that contain the values of further headers, by the header's name. Read when the request is sent.
  public var variables: [String: String]
  /// The milliseconds for all attempts together, from the time when the first may be sent; `nil` for the limit of a call.
  public var timeout: WideInt?
  /// nil: one attempt.
  public var retry: Retry?
  /// The interval of repeated requests; `nil` if the request is not repeated.
  public var polling: Polling?

  public init(
    _ method: HTTPMethod, _ url: Expression, bearer: Bool = false, body: Expression? = nil, headers: [String: Expression] = [:],
    variables: [String: String] = [:], timeout: WideInt? = nil, retry: Retry? = nil, polling: Polling? = nil
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
  }

  /// The expressions that are evaluated when the load starts.
  var expressions: [Expression] { [url] + [body].compactMap { $0 } + headers.sorted { $0.key < $1.key }.map { $0.value } }
}
