/// The letter at the start of all identifiers of a kind.
public protocol IdentifierLetter: Sendable {
  /// A lower-case ASCII letter.
  static var letter: StaticString { get }
}

/// The letter of nodes: `n7`.
public enum NodeLetter: IdentifierLetter {
  @inlinable public static var letter: StaticString { "n" }
}

/// The letter of held links: `l3`.
public enum LinkLetter: IdentifierLetter {
  @inlinable public static var letter: StaticString { "l" }
}

/// The identity of a node. It is never reused in the session.
public typealias NodeID = Identifier<NodeLetter>

/// The identity of a held link. It is never reused in the session.
public typealias LinkID = Identifier<LinkLetter>

/// An identity in a session: a letter and a number. The functions are inlinable so that other modules can specialize them.
public struct Identifier<Letter: IdentifierLetter>: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let number: WideInt

  @inlinable public init(_ number: WideInt) { self.number = number }

  /// Parses a letter and a number, such as `n7`; `nil` for any other text.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.first == Letter.letter.utf8Start.pointee, let number = WideInt(text.dropFirst()), number > 0,
      text.dropFirst().first != "+"
    else { return nil }
    self.number = number
  }

  public var description: String { "\(Letter.letter)\(number)" }

  @inlinable public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  @inlinable public static func == (left: Self, right: Self) -> Bool { left.number == right.number }

  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension Identifier: JSONWritable {
  public func write(to writer: inout JSONWriter) { writer.id(self) }
}
