/// One attempt of a load that leaves the machine.
public struct LoadCall: Hashable, Sendable {
  public var method: HTTPMethod
  public var url: String
  /// The session's access token; never to be logged.
  public var bearer: String?
  public var body: Value?
  public var headers: [String: String]
  /// The variable that holds the value, by the header's name.
  public var variables: [String: String]
  /// What a call that is no repetition of this one never has: a POST says its hash as `Idempotency-Key`. nil: it says none.
  public var identity: String?
  /// Milliseconds that it may take.
  public var time: Int

  public init(
    _ method: HTTPMethod = .get, url: String, bearer: String?, body: Value? = nil, headers: [String: String] = [:],
    variables: [String: String] = [:], identity: String? = nil, time: Int? = nil
  ) {
    self.method = method
    self.url = url
    self.bearer = bearer
    self.body = body
    self.headers = headers
    self.variables = variables
    self.identity = identity
    self.time = time ?? CallLimit.time
  }
}
