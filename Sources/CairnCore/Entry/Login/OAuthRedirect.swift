/// The parameters of the URL with which a provider returns the user (RFC 6749, 4.1.2). Other parameters are ignored.
struct OAuthRedirect {
  let code: String?
  let state: String?
  /// The provider's error and its description; `nil` if there is none, or if there is a code.
  let error: String?

  /// Reads the query of the redirect. An empty parameter counts as missing. Throws if the code or the state has an invalid escape.
  init(_ query: URLQuery) throws(Refusal) {
    code = try Self.value("code", of: query)
    state = try Self.value("state", of: query)
    // The error is only displayed. The login fails with this error even if its text cannot be decoded.
    let error = query.displayedValue("error").flatMap { $0.isEmpty ? nil : $0 }
    self.error = code == nil ? error.map { ProviderError.reason($0, description: query.displayedValue("error_description")) } : nil
  }

  private static func value(_ name: String, of query: URLQuery) throws(Refusal) -> String? {
    do throws(BadEscape) {
      return try query.value(name).flatMap { $0.isEmpty ? nil : $0 }
    } catch {
      throw error.refusal
    }
  }
}
