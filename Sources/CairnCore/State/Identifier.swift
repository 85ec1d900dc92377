/// What identifiers of a sort begin with.
public protocol IdentifierLetter: Sendable {
  /// In lower case, ASCII.
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

/// The identity of a node, which is never used again in its session.
public typealias NodeID = Identifier<NodeLetter>

/// The identity of a held link, which is never used again in its session.
public typealias LinkID = Identifier<LinkLetter>

/// The identity of something in a session: a letter and a number. Its functions are inlinable so that other modules have them specialised.
public struct Identifier<Letter: IdentifierLetter>: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let number: WideInt

  @inlinable public init(_ number: WideInt) { self.number = number }

  /// Reads a letter and a number, such as `n7`; nil for anything else.
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
