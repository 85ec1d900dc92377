/// A pattern that a text must match as a whole: a subset of regular expressions, run as a nondeterministic automaton. A match takes time in
/// proportion to the length of the text, because the automaton follows all alternatives at the same time and never goes back in the text.
public struct TextPattern: Hashable, Sendable {
  /// The pattern as it is written in a definition.
  public let text: String
  let states: [State]
  /// The ranges of all character classes. Each pair of elements is the first and the last scalar of a range.
  let ranges: [UInt32]

  /// A state of the automaton. A state that reads a scalar is followed by the next state of the array.
  enum State: Hashable, Sendable {
    /// Reads one scalar, which must be in the ranges at these indices or, with `isNegated`, outside of them.
    case one(of: Range<Int>, isNegated: Bool)
    /// Continues in both states without reading.
    case fork(Int, Int)
    /// The end of the pattern.
    case end
  }

  /// The reason why a text is not a valid pattern.
  public enum Fault: Error, Hashable, Sendable {
    case anchor, group, quantifier, count, tooLarge, tooDeep, escape, range, unclosed, unescaped
  }

  /// Maximum number of states. A repetition adds the states of its element as often as the element can occur.
  public static let most = 500

  public init(_ text: String) throws(Fault) {
    var compiler = PatternCompiler(text)
    try compiler.compile()
    (self.text, states, ranges) = (text, compiler.states, compiler.ranges)
  }

  public static func == (one: TextPattern, other: TextPattern) -> Bool { one.text.isExactly(other.text) }

  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// Whether the whole text matches.
  public func matches(_ text: String) -> Bool {
    var seen = [Int](repeating: -1, count: states.count)
    var (now, next, place) = ([Int](), [Int](), 0)
    follow(0, &now, &seen, place)
    for scalar in text.unicodeScalars {
      place += 1
      next.removeAll(keepingCapacity: true)
      for state in now where reads(scalar.value, in: state) { follow(state + 1, &next, &seen, place) }
      if next.isEmpty { return false }
      swap(&now, &next)
    }
    return now.contains(states.count - 1)
  }

  /// Adds a state and all states that follow it without reading. `seen` contains, for each state, the last position in the text at which it was
  /// added.
  func follow(_ first: Int, _ list: inout [Int], _ seen: inout [Int], _ place: Int) {
    var open = [first]
    while let state = open.popLast() {
      if seen[state] == place { continue }
      seen[state] = place
      if case .fork(let one, let other) = states[state] {
        open.append(other)
        open.append(one)
      } else {
        list.append(state)
      }
    }
  }

  /// Whether the class of a state contains a scalar; false if the state has no class.
  func reads(_ scalar: UInt32, in state: Int) -> Bool {
    guard case .one(let range, let isNegated) = states[state] else { return false }
    for index in stride(from: range.lowerBound, to: range.upperBound, by: 2)
    where ranges[index] <= scalar && scalar <= ranges[index + 1] { return !isNegated }
    return isNegated
  }
}
