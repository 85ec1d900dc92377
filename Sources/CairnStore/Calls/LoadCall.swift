package import CairnCore

/// One attempt of a load's outgoing request.
package struct LoadCall: Hashable, Sendable {
  package var method: HTTPMethod
  package var url: String
  /// The session's access token; `nil` if the load does not send it. Must never be logged.
  package var bearer: String?
  package var body: Value?
  /// Whether the body or a header contains a secret param. Neither may then be logged.
  package var hasSecretParams = false
  package var headers: [String: String]
  /// The headers whose values are environment variables: the name of the variable, by the name of the header.
  package var variables: [String: String]
  /// A value shared by all attempts of this request. A POST sends its hash as `Idempotency-Key`. `nil` if the header is not sent.
  package var identity: String?
  /// The timeout of the attempt in milliseconds.
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
