package import CairnCore

/// One attempt of a load that leaves the machine.
package struct LoadCall: Hashable, Sendable {
  package var method: HTTPMethod
  package var url: String
  /// The session's access token; never to be logged.
  package var bearer: String?
  package var body: Value?
  package var headers: [String: String]
  /// The variable that holds the value, by the header's name.
  package var variables: [String: String]
  /// A value that only repetitions of this call share: a POST sends its hash as `Idempotency-Key`. `nil`: it sends none.
  package var identity: String?
  /// Milliseconds that it may take.
  package var time: Int

  package init(
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
