/// The method of a load (RFC 9110, 9.3); the language writes it in small letters.
public enum HTTPMethod: String, Hashable, Sendable, CaseIterable {
  case get, post, put, delete

  /// Whether a body goes along.
  public var takesBody: Bool { self == .post || self == .put }

  /// The method in a request.
  public var word: String { rawValue.uppercased() }
}
