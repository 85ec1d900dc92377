/// The identity of a node: `n` and a number that is never used again in its session.
public struct NodeID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let number: WideInt

  public init(_ number: WideInt) { self.number = number }

  /// Reads `n7`; nil for anything else.
  public init?(_ text: some StringProtocol) {
    guard text.first == "n", let number = WideInt(text.dropFirst()), number > 0, text.dropFirst().first != "+" else { return nil }
    self.number = number
  }

  public var description: String { "n\(number)" }

  public static func < (left: NodeID, right: NodeID) -> Bool { left.number < right.number }
}
