public import CairnCore

/// The response to the upload of a definition.
public struct PutAnswer: Sendable, Decodable {
  /// The definition's hash.
  public var definition: String
  /// Whether the definition differs from the app's previous definition.
  public var isChanged: Bool
  /// The warnings about the definition.
  public var warnings: [Value]

  private enum CodingKeys: String, CodingKey {
    case definition, warnings
    case isChanged = "changed"
  }
}
