// Reads numbers of stored JSON, and rejects those that are out of bounds for their use. The numbers come from a file, a row or another process. The bounds
// leave room for arithmetic: no sum of a stored number and any number that a session can add to it overflows.
extension JSONElement {
  /// A counter, a duration in milliseconds, or the number of an id other than a node's: from 0 to `State.highestNumber`.
  @inline(never) package func readNumber() throws(UnreadableFormat) -> WideInt {
    let number = try readInteger()
    guard (0...State.highestNumber).contains(number) else { throw fault("a number that is too large or negative") }
    return number
  }

  /// An integer from -`bound` to `bound`.
  package func readInteger(within bound: WideInt) throws(UnreadableFormat) -> WideInt { try readInteger(within: -bound...bound) }

  /// An integer within a range.
  @inline(never) package func readInteger(within range: ClosedRange<WideInt>) throws(UnreadableFormat) -> WideInt {
    let number = try readInteger()
    guard range.contains(number) else { throw fault("a number that is out of bounds") }
    return number
  }

  /// A counter that becomes an array's index or a revision: from 0 to `State.highestCount`.
  @inline(never) package func readCount() throws(UnreadableFormat) -> Int {
    guard let count = Int(exactly: try readInteger()), (0...State.highestCount).contains(count) else {
      throw fault("a number that is too large or negative")
    }
    return count
  }

  /// A time in milliseconds since 1970: from 0 to `State.latestTime`.
  @inline(never) package func readTime() throws(UnreadableFormat) -> WideInt {
    let time = try readInteger()
    guard State.isTime(time) else { throw fault("a time that is before 1970 or after the year 9999") }
    return time
  }

  /// A node, stored as its number, which a record keeps in 32 bits.
  @inline(never) package func readNode() throws(UnreadableFormat) -> NodeID {
    let number = try readInteger()
    guard (1...Limits.idLimit).contains(number) else { throw fault("not a node's number") }
    return NodeID(number)
  }

  /// A link, stored as its id.
  package func readLink() throws(UnreadableFormat) -> LinkID {
    guard let id = LinkID(try readString()), id.number <= State.highestNumber else { throw fault("not a link's id") }
    return id
  }

  /// A time; `nil` for null.
  package func readOptionalTime() throws(UnreadableFormat) -> WideInt? { isNull ? nil : try readTime() }

  /// A count or an index; `nil` for null.
  package func readOptionalCount() throws(UnreadableFormat) -> Int? { isNull ? nil : try readCount() }

  /// A node; `nil` for null.
  package func readOptionalNode() throws(UnreadableFormat) -> NodeID? { isNull ? nil : try readNode() }

  /// A list of nodes, stored as their numbers.
  package func readNodes() throws(UnreadableFormat) -> [NodeID] {
    var nodes: [NodeID] = []
    for element in try readElements() { nodes.append(try element.readNode()) }
    return nodes
  }
}

extension State {
  /// The highest counter that is read: 2^53 - 1, the highest integer that every client represents exactly. No session reaches it.
  package static let highestNumber: WideInt = 9_007_199_254_740_991
  /// The highest counter that is read into an `Int`, which has 32 bits in WebAssembly.
  package static let highestCount = Int(exactly: highestNumber) ?? Int.max / 2

  /// Whether a number from outside is a time that RFC 3339 can represent, in milliseconds since 1970.
  package static func isTime(_ time: WideInt) -> Bool { (0...latestTime).contains(time) }

  /// Whether a number from outside can be the revision of a session.
  package static func isRevision(_ revision: Int) -> Bool { (0...highestCount).contains(revision) }
}
