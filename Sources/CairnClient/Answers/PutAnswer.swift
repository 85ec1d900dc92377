public import CairnCore

/// What became of a definition that was put.
public struct PutAnswer: Sendable, Decodable {
  /// The definition's hash.
  public var definition: String
  /// False: it was served already.
  public var isChanged: Bool
  /// What looks doubtful in it.
  public var warnings: [Value]

  private enum CodingKeys: String, CodingKey {
    case definition, warnings
    case isChanged = "changed"
  }
}
