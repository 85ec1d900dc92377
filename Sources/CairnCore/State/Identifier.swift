/// The letter with which identifiers of one kind begin.
public protocol IdentifierLetter: Sendable {
  /// A lowercase ASCII letter.
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

/// The letter of questions: `q2`.
public enum QuestionLetter: IdentifierLetter {
  @inlinable public static var letter: StaticString { "q" }
}

/// The letter of held actions: `h4`.
public enum HeldLetter: IdentifierLetter {
  @inlinable public static var letter: StaticString { "h" }
}

/// The id of a node, never reused in its session.
public typealias NodeID = Identifier<NodeLetter>

/// The id of a held link, never reused in its session.
public typealias LinkID = Identifier<LinkLetter>

/// The id of a question, never reused in its session.
public typealias QuestionID = Identifier<QuestionLetter>

/// The id of a held action, never reused in its session.
public typealias HeldID = Identifier<HeldLetter>

/// An id within a session: a letter and a number. Its functions are inlinable so that other modules can specialize them.
public struct Identifier<Letter: IdentifierLetter>: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let number: WideInt

  @inlinable public init(_ number: WideInt) { self.number = number }

  /// Parses a letter and a positive number, such as `n7`. Returns `nil` for any other text.
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

extension NodeID {
  /// A placeholder for a node that an action should have created, but has not created.
  package static var neverCreated: NodeID { NodeID(0) }
}

extension Identifier: JSONWritable {
  public func write(to writer: inout JSONWriter) { writer.id(self) }
}
