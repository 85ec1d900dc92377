package import CairnCore

/// One attempt of the outgoing request of a load or a message.
package struct LoadCall: Hashable, Sendable {
  package var method: HTTPMethod
  package var url: String
  /// The access token to send; `nil` if the request sends none. Must never be logged.
  package var bearer: String?
  package var body: Value?
  /// Whether the body or a header contains a secret param. If so, neither may be logged.
  package var hasSecretParams = false
  package var headers: [String: String]
  /// The environment variables that supply the values of headers: names of variables by names of headers.
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
