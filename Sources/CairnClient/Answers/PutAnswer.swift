public import CairnCore

/// The result of putting a definition.
public struct PutAnswer: Sendable, Decodable {
  /// The definition's hash.
  public var definition: String
  /// False: it was served already.
  public var isChanged: Bool
  /// The warnings about the definition.
  public var warnings: [Value]

  private enum CodingKeys: String, CodingKey {
    case definition, warnings
    case isChanged = "changed"
  }
}
