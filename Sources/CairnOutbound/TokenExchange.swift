import CairnCore
import CairnStore
import CairnTransfer
import Foundation

/// A token request (RFC 6749, 4.1.3 and 6) in the form that a definition specifies, and the reader of its response.
struct TokenExchange: Sendable {
  private let oauth: OAuthDefinition
  private let address: String
  /// The fields in the order in which they are sent.
  private var fields: [(name: String, value: String)] = []
  /// The value of the header `Authorization`; `nil` if the client's credentials are not sent in this header.
  private var authorization: String?
  private let bearer: String?

  /// Creates a request. Reads the environment variables at the time of the call. A variable that is no longer set keeps its value from the
  /// session's start, except the client secret. Throws `.notConfigured` if a variable has neither a value nor a fallback, or if the client
  /// secret is not set now.
  init(_ call: TokenCall, secret: (String) -> String?) throws(CallFault) {
    let oauth = call.oauth
    func value(_ variable: OAuthDefinition.Variable) throws(CallFault) -> String {
      guard let value = variable.text({ secret($0) ?? call.environment[$0] }) else {
        throw .notConfigured("the environment variable \(variable.name ?? "of a setting") is not set")
      }
      return value
    }
    self.oauth = oauth
    bearer = call.bearer
    address = try value(oauth.tokenEndpoint)
    let id = try value(oauth.clientID)
    var clientSecret: String?
    if let name = oauth.clientSecret {
      guard let text = secret(name) else { throw .notConfigured("the environment variable \(name) is not set") }
      clientSecret = text
    }
    if let clientSecret, oauth.clientAuth == .basic {
      let pair = "\(PercentCoding.encodeForm(id)):\(PercentCoding.encodeForm(clientSecret))"
      authorization = "Basic \(Data(pair.utf8).base64EncodedString())"
    } else {
      fields.append(("client_id", id))
      if let clientSecret { fields.append(("client_secret", clientSecret)) }
    }
    switch call.grant {
    case .code(let code, let verifier):
      if !oauth.omitted.contains(.grantType) { fields.append(("grant_type", "authorization_code")) }
      fields.append(("code", code))
      if !oauth.omitted.contains(.redirectURI) { fields.append(("redirect_uri", try value(oauth.redirectURL))) }
      if let verifier { fields.append(("code_verifier", verifier)) }
    case .refresh(let token):
      fields += [("grant_type", "refresh_token"), ("refresh_token", token)]
    }
    fields += oauth.fields.sortedByKey.map { ($0.key, $0.value) }
  }

  func request() throws(CallFault) -> TransferRequest {
    let pairs = fields.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
    let separator = address.contains("?") ? "&" : "?"
    var request = try TransferRequest(
      .post, oauth.encoding == .query ? address + separator + pairs : address, bearer: authorization == nil ? bearer : nil, isSecret: true)
    if let authorization { request.set("Authorization", authorization) }
    switch oauth.encoding {
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

  /// Returns the tokens in a response. If the response contains a provider's error, throws this error, even if the status is 200 (RFC 6749,
  /// 5.2; some providers send 200). Throws unless the response has a usable token, all required members, and only known scopes.
  func tokens(status: Int, body: [UInt8]) throws(CallFault) -> TokenSet {
    let reply = try? ReceivedValue.read(body)
    if case .string(let code)? = reply?.at(oauth.response.error), !code.isEmpty {
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
        throw .malformed("scopes contains an unexpected scope")
      }
    }
    if !oauth.omitted.contains(.tokenType) { try checkType(members["token_type"]) }
    return TokenSet(
      try token(oauth.response.accessToken, in: reply), refresh: try refreshToken(in: reply), lifetime: lifetime(in: reply))
  }

  /// Throws unless the token's type is `Bearer` (RFC 6749, 7.1). A missing type is accepted.
  private func checkType(_ type: Value?) throws(CallFault) {
    guard let type, type != .null else { return }
    guard case .string(let name) = type, name.lowercased() == "bearer" else { throw .malformed("token_type is not Bearer") }
  }

  private func token(_ pointer: String, in reply: Value) throws(CallFault) -> String {
    let name = pointer.dropFirst()
    guard case .string(let token)? = reply.at(pointer) else { throw .malformed("\(name) is not a string") }
    if let fault = TokenText.fault(of: token) { throw .malformed("\(name) \(fault)") }
    return token
  }

  private func refreshToken(in reply: Value) throws(CallFault) -> String? {
    switch reply.at(oauth.response.refreshToken) {
    case nil, .null?, .string("")?: return nil
    default: return try token(oauth.response.refreshToken, in: reply)
    }
  }

  /// The lifetime in seconds, which some providers send as a string. `nil` if it is missing, negative or not a number; the token then
  /// counts as valid until an upstream server rejects it.
  private func lifetime(in reply: Value) -> Int? {
    let seconds: Int? =
      switch reply.at(oauth.response.expiresIn) {
      case .integer(let number)?: number
      case .number(let number)?: Int(exactly: number.rounded(.down))
      case .string(let text)?: Int(text)
      default: nil
      }
    return seconds.flatMap { $0 >= 0 ? $0 : nil }
  }
}

extension Value {
  /// The value at a JSON Pointer (RFC 6901); `nil` if the pointer refers to no value.
  fileprivate func at(_ pointer: String) -> Value? {
    var value = self
    for token in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      let name = String(token).replacing("~1", with: "/").replacing("~0", with: "~")
      switch value {
      case .object(let members):
        guard let member = members[name] else { return nil }
        value = member
      case .array(let elements):
        guard let index = Int(name), elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }
}
