/// The method of a load (RFC 9110, 9.3). Definitions write it in lower case.
public enum HTTPMethod: String, Hashable, Sendable, CaseIterable {
  case get, post, put, delete

  /// Whether a request with this method has a body.
  public var takesBody: Bool { self == .post || self == .put }

  /// The method as written in a request.
  public var word: String { rawValue.uppercased() }
}
