/// The HTTP method of a load (RFC 9110, 9.3), which definitions spell in lower case.
public enum HTTPMethod: String, Hashable, Sendable, CaseIterable {
  case get, post, put, delete

  /// Whether the request may have a body.
  public var takesBody: Bool { self == .post || self == .put }

  /// The method's name in a request.
  public var word: String { rawValue.uppercased() }
}
