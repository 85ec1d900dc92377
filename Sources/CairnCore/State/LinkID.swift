/// The identity of a held link: `l` and a number that is never used again in its session.
public struct LinkID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let number: WideInt

  public init(_ number: WideInt) { self.number = number }

  /// Reads `l3`; nil for anything else.
  public init?(_ text: some StringProtocol) {
    guard text.first == "l", let number = WideInt(text.dropFirst()), number > 0, text.dropFirst().first != "+" else { return nil }
    self.number = number
  }

  public var description: String { "l\(number)" }

  public static func < (left: LinkID, right: LinkID) -> Bool { left.number < right.number }
}
