/// Visits the members of a value in their order: writes them, reads them, or describes them.
package protocol Coder: ~Copyable {
  associatedtype Failure: Error
  /// The coder's data about the enclosing object. `open` returns the data, and `close` restores them.
  associatedtype Outer
  /// Whether the coder reads values. If not, code that only a reader needs is skipped.
  static var reads: Bool { get }

  /// Begins an object.
  mutating func open() throws(Failure) -> Outer
  /// Ends the object that `open` began.
  mutating func close(_ outer: Outer) throws(Failure)
  /// Begins a member that is always written.
  mutating func begin(_ name: StaticString) throws(Failure)
  /// Begins a member that is written only if `isWritten` is true. Returns whether the value follows; for a reader, whether the member exists.
  mutating func begin(_ name: StaticString, if isWritten: Bool) throws(Failure) -> Bool
  /// The index of the next member's name in `words`. `nil` if the name is not among them, or if the coder does not read.
  func place(among words: [StaticString]) -> Int?
  /// Rejects the last value, because no writer can have written it: a reader throws an error with this reason, and other coders do nothing.
  func reject(_ reason: StaticString) throws(Failure)

  mutating func code(_ text: inout String) throws(Failure)
  mutating func code(_ flag: inout Bool) throws(Failure)
  mutating func code(_ number: inout WideInt, in range: ClosedRange<WideInt>) throws(Failure)
  mutating func code(_ value: inout Value) throws(Failure)
  /// Codes an object whose member names are data. Its members are written in sorted order only if the writer sorts all dictionaries.
  mutating func code(unsorted values: inout [String: Value]) throws(Failure)
  mutating func code<Element: CodedValue>(_ list: inout [Element]) throws(Failure)
  mutating func code<Element: CodedValue>(_ table: inout [String: Element]) throws(Failure)
  /// Codes the values of a set, or only its name if the member `sets` contains the values.
  mutating func code(_ set: inout ValueSet) throws(Failure)
  /// Codes a member that contains the values of all sets that were coded by name. A reader skips it, because it received the sets when it
  /// was created.
  mutating func sets(_ name: StaticString) throws(Failure)
  /// Whether the next value is an object. A reader examines the value; other coders return `isObject`.
  func isObject(_ isObject: Bool) -> Bool
  /// Writes `null` if `isNull` is true. Returns whether the value is `null`; a reader examines the value.
  mutating func code(null isNull: Bool) throws(Failure) -> Bool
}

extension Coder where Self: ~Copyable {
  /// Codes a member that is always written.
  package mutating func member<Member: CodedValue>(_ name: StaticString, _ value: inout Member) throws(Failure) {
    try begin(name)
    try Member.code(&value, &self)
  }

  /// Codes a member that is omitted if it is `nil`.
  package mutating func member<Member: CodedValue>(_ name: StaticString, _ value: inout Member?) throws(Failure) {
    guard try begin(name, if: value != nil) else { return value = nil }
    var present = value ?? Member.blank
    try Member.code(&present, &self)
    if Self.reads { value = present }
  }

  /// Codes a member that is written as `null` if it is `nil`.
  package mutating func member<Member: CodedValue>(_ name: StaticString, orNull value: inout Member?) throws(Failure) {
    try begin(name)
    guard try !code(null: value == nil) else { return value = nil }
    var present = value ?? Member.blank
    try Member.code(&present, &self)
    if Self.reads { value = present }
  }

  /// Codes a member that is omitted if it has its usual value.
  package mutating func member<Member: CodedValue & Equatable>(
    _ name: StaticString, _ value: inout Member, unless usual: Member
  ) throws(Failure) {
    if try begin(name, if: value != usual) {
      try Member.code(&value, &self)
    } else if Self.reads {
      value = usual
    }
  }

  /// Codes a member that is omitted if it is `false`.
  package mutating func flag(_ name: StaticString, _ value: inout Bool) throws(Failure) { try member(name, &value, unless: false) }

  /// Codes a member that is omitted if it is an empty list.
  package mutating func list<Element: CodedValue>(_ name: StaticString, _ values: inout [Element]) throws(Failure) {
    if try begin(name, if: !values.isEmpty) { try code(&values) }
  }

  /// Codes a member that is omitted if it is an empty object. The names of its members are data.
  package mutating func table<Element: CodedValue>(_ name: StaticString, _ values: inout [String: Element]) throws(Failure) {
    if try begin(name, if: !values.isEmpty) { try code(&values) }
  }

  /// Codes a member like `member`, and returns its value. For the associated values of an enum.
  package mutating func coded<Member: CodedValue>(_ name: StaticString, _ value: Member) throws(Failure) -> Member {
    var value = value
    try member(name, &value)
    return value
  }

  /// Codes a member that is omitted if it is `nil`, and returns its value.
  package mutating func coded<Member: CodedValue>(_ name: StaticString, _ value: Member?) throws(Failure) -> Member? {
    var value = value
    try member(name, &value)
    return value
  }

  /// Codes a member that is written as `null` if it is `nil`, and returns its value.
  package mutating func coded<Member: CodedValue>(_ name: StaticString, orNull value: Member?) throws(Failure) -> Member? {
    var value = value
    try member(name, orNull: &value)
    return value
  }

  /// Codes a member that is omitted if it has its usual value, and returns its value.
  package mutating func coded<Member: CodedValue & Equatable>(
    _ name: StaticString, _ value: Member, unless usual: Member
  ) throws(Failure) -> Member {
    var value = value
    try member(name, &value, unless: usual)
    return value
  }

  /// Codes a member whose value is `true` and whose name identifies the kind of the object.
  package mutating func mark(_ name: StaticString) throws(Failure) {
    try begin(name)
    var yes = true
    try code(&yes)
  }

  /// Codes a number whose bounds are `range`, not those of a counter.
  package mutating func number(_ name: StaticString, _ value: inout WideInt, in range: ClosedRange<WideInt>) throws(Failure) {
    try begin(name)
    try code(&value, in: range)
  }

  /// Codes a number whose bounds are `range`, not those of a counter. The member is omitted if it is `nil`.
  package mutating func number(_ name: StaticString, _ value: inout WideInt?, in range: ClosedRange<WideInt>) throws(Failure) {
    guard try begin(name, if: value != nil) else { return value = nil }
    var present = value ?? range.lowerBound
    try code(&present, in: range)
    if Self.reads { value = present }
  }

  /// Codes a node as its number.
  package mutating func node(_ name: StaticString, _ node: inout NodeID) throws(Failure) {
    var number = node.number
    try self.number(name, &number, in: 1...Limits.idLimit)
    if Self.reads { node = NodeID(number) }
  }

  /// Codes a node as its number. The member is omitted if it is `nil`.
  package mutating func node(_ name: StaticString, _ node: inout NodeID?) throws(Failure) {
    var number = node?.number
    try self.number(name, &number, in: 1...Limits.idLimit)
    if Self.reads { node = number.map { NodeID($0) } }
  }

  /// Begins a member that is an object. `close` ends it.
  package mutating func open(_ name: StaticString) throws(Failure) -> Outer {
    try begin(name)
    return try open()
  }

  /// Chooses the case of an enum by the name of the next member, which is not read. The name and its case have the same index in `words`
  /// and `cases`.
  package mutating func choose<Choice>(_ it: inout Choice, _ words: [StaticString], _ cases: [Choice]) throws(Failure) {
    guard Self.reads else { return }
    if let place = place(among: words) { it = cases[place] } else { try reject("an unknown member") }
  }

  /// Chooses a case as `choose` does. Leaves the value unchanged if the next member has none of the names.
  package mutating func chooseIfAny<Choice>(_ it: inout Choice, _ words: [StaticString], _ cases: [Choice]) {
    if Self.reads, let place = place(among: words) { it = cases[place] }
  }
}
