/// Reads stored JSON, with members in the order in which `Coded.members` lists them. Throws for input that `StoredWriter` cannot have written.
package struct StoredReader: Coder {
  package typealias Failure = UnreadableFormat

  /// The value that is read next, or was read last.
  private var element: JSONElement
  /// The members of the open object that are not read yet.
  private var rest: JSONMembers
  /// The sets that are stored by name.
  private let sets: ValueSets

  init(_ element: JSONElement, sets: ValueSets = [:]) {
    self.element = element
    rest = element.members
    self.sets = sets
  }

  package static var reads: Bool { true }

  package mutating func open() throws(UnreadableFormat) -> JSONMembers {
    let outer = rest
    rest = try element.readMembers()
    return outer
  }

  package mutating func close(_ outer: JSONMembers) throws(UnreadableFormat) {
    if let name = rest.nextName { throw name.unknown }
    rest = outer
  }

  package mutating func begin(_ name: StaticString) throws(UnreadableFormat) {
    guard try begin(name, if: true) else { throw rest.nextName?.unknown ?? element.missing(name) }
  }

  package mutating func begin(_ name: StaticString, if isWritten: Bool) throws(UnreadableFormat) -> Bool {
    guard let value = rest.take(name) else { return false }
    element = value
    return true
  }

  package func place(among words: [StaticString]) -> Int? {
    guard let name = rest.nextName else { return nil }
    for place in words.indices where name.isString(words[place]) { return place }
    return nil
  }

  package func reject(_ reason: StaticString) throws(UnreadableFormat) { throw element.fault(reason.description) }

  package mutating func code(_ text: inout String) throws(UnreadableFormat) { text = try element.readString() }

  package mutating func code(_ flag: inout Bool) throws(UnreadableFormat) { flag = try element.readBool() }

  package mutating func code(_ number: inout WideInt, in range: ClosedRange<WideInt>) throws(UnreadableFormat) {
    number = try element.readInteger(within: range)
  }

  package mutating func code(_ value: inout Value) throws(UnreadableFormat) { value = element.stored }

  package mutating func code(unsorted values: inout [String: Value]) throws(UnreadableFormat) { values = try element.readValues() }

  package mutating func code<Element: CodedValue>(_ list: inout [Element]) throws(UnreadableFormat) {
    list = []
    for element in try element.readElements() { list.append(try next(element)) }
  }

  package mutating func code<Element: CodedValue>(_ table: inout [String: Element]) throws(UnreadableFormat) {
    table = [:]
    for (name, element) in try element.readMembers() { table[try name.readString()] = try next(element) }
  }

  private mutating func next<Element: CodedValue>(_ element: JSONElement) throws(UnreadableFormat) -> Element {
    self.element = element
    var value = Element.blank
    try Element.code(&value, &self)
    return value
  }

  package mutating func code(_ set: inout ValueSet) throws(UnreadableFormat) { set = try element.readValues(sets) }

  package mutating func sets(_ name: StaticString) { _ = rest.take(name) }

  package func isObject(_ isObject: Bool) -> Bool { element.isObject }

  package mutating func code(null isNull: Bool) throws(UnreadableFormat) -> Bool { element.isNull }
}
