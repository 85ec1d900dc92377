/// A call over HTTP whose answer is a load's value, as a definition says it.
public struct LoadRequest: Hashable, Sendable {
  public var method: HTTPMethod
  public var url: Expression
  /// The session's access token goes along.
  public var bearer: Bool
  /// Sent as JSON; nil: there is none.
  public var body: Expression?
  /// Further headers by name; one whose value is not there is left out.
  public var headers: [String: Expression]
  /// Headers whose value an environment variable holds: the variable by the header's name. Read when the call leaves.
  public var variables: [String: String]
  /// Milliseconds for all attempts together, from when the first may leave; nil: as long as a call may take.
  public var timeout: WideInt?
  /// nil: one attempt.
  public var retry: Retry?
  /// nil: it is asked once.
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

  /// The expressions that are evaluated when it starts.
  var expressions: [Expression] { [url] + [body].compactMap { $0 } + headers.sorted { $0.key < $1.key }.map { $0.value } }
}
