import CairnCore
import CairnTransfer
import Foundation

/// The token request (RFC 6749, 4.1.3) in the form that a definition specifies, and the reader of its response.
struct TokenExchange: Sendable {
  private let oauth: OAuthDefinition
  private let address: String
  /// The fields in the order in which they are sent.
  private let fields: [(name: String, value: String)]

  /// Reads the variables at the time of the call. A variable that is no longer set has the value from the session's start. Throws
  /// `.notConfigured` if a variable has neither a value nor a fallback.
  init(
    _ oauth: OAuthDefinition, environment: [String: String], code: String, secret: (String) -> String?
  ) throws(CallFault) {
    func value(_ variable: OAuthDefinition.Variable, in values: [String: String]) throws(CallFault) -> String {
      guard let value = secret(variable.name) ?? variable.value(in: values) else { throw .notConfigured("\(variable.name) is not set") }
      return value
    }
    let secretName = oauth.clientSecret.name
    let secrets = secret(secretName).map { [secretName: $0] } ?? [:]
    self.oauth = oauth
    var base = try value(oauth.baseURL, in: environment)
    while base.hasSuffix("/") { base.removeLast() }
    address = base + oauth.tokenPath
    fields =
      [
        ("client_id", try value(oauth.clientID, in: environment)),
        ("client_secret", try value(oauth.clientSecret, in: secrets)),
        ("code", code),
      ] + oauth.fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns the request. `bearer` is the session's access token, if it already has one.
  func request(bearer: String?) throws(CallFault) -> TransferRequest {
    let pairs = fields.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
    var request = try TransferRequest(.post, oauth.send == .query ? "\(address)?\(pairs)" : address, bearer: bearer, isSecret: true)
    switch oauth.send {
    case .query: break
    case .form:
      request.set("Content-Type", "application/x-www-form-urlencoded")
      request.body = Array(pairs.utf8)
    case .json:
      request.set("Content-Type", "application/json")
      let members = Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
      // A dictionary of strings can always be encoded.
      request.body = Array((try? JSONEncoder().encode(members)) ?? Data())
    }
    return request
  }

  /// Returns the token in a response. Throws the provider's error if it has one, with whatever status (RFC 6749, 5.2; some providers send 200).
  /// Throws unless the response has a usable token, all required members, and only known scopes.
  func token(status: Int, body: [UInt8]) throws(CallFault) -> String {
    let reply = try? ReceivedValue.read(body)
    if case .string(let code)? = reply?["error"], !code.isEmpty {
      var description: String?
      if case .string(let text)? = reply?["error_description"] { description = text }
      throw .provider(ProviderError.reason(code, description: description))
    }
    guard (200..<300).contains(status) else { throw .status(status) }
    guard let reply else { throw .malformed("not JSON") }
    guard case .object(let members) = reply else { throw .malformed("not a JSON object") }
    for name in oauth.requiredMembers where members[name] == nil || members[name] == .null {
      throw .malformed("\(name) is missing")
    }
    if let known = oauth.knownScopes {
      guard case .array(let scopes)? = members["scopes"] else { throw .malformed("scopes is not a list") }
      guard scopes.allSatisfy({ scope in known.contains { .string($0) == scope } }) else {
        throw .malformed("scopes holds one that is not known")
      }
    }
    guard case .string(let token)? = members[oauth.tokenMember] else {
      throw .malformed("\(oauth.tokenMember) is not a string")
    }
    if let fault = TokenText.fault(of: token) { throw .malformed("\(oauth.tokenMember) \(fault)") }
    try checkType(members["token_type"])
    return token
  }

  /// Throws unless the token is one that is sent as `Authorization: Bearer` (RFC 6749, 7.1). A missing type is accepted.
  private func checkType(_ type: Value?) throws(CallFault) {
    guard let type, type != .null else { return }
    guard case .string(let name) = type, name.lowercased() == "bearer" else { throw .malformed("token_type is not Bearer") }
  }
}
