/// Writes stored JSON.
package struct StoredWriter: Coder, ~Copyable {
  package typealias Failure = Never

  private var writer: JSONWriter

  /// Uses the given writer until `finish` returns it.
  @inline(__always)
  init(_ writer: consuming JSONWriter) { self.writer = writer }

  @inline(__always)
  consuming func finish() -> JSONWriter { writer }

  package static var reads: Bool { false }

  @inline(__always)
  package mutating func open() { writer.beginObject() }

  @inline(__always)
  package mutating func close(_ outer: Void) { writer.endObject() }

  @inline(__always)
  package mutating func begin(_ name: StaticString) { writer.name(name) }

  @inline(__always)
  package mutating func begin(_ name: StaticString, if isWritten: Bool) -> Bool {
    if isWritten { writer.name(name) }
    return isWritten
  }

  package func place(among words: [StaticString]) -> Int? { nil }

  package func reject(_ reason: StaticString) {}

  @inline(__always)
  package mutating func code(_ text: inout String) { writer.string(text) }

  @inline(__always)
  package mutating func code(_ flag: inout Bool) { writer.bool(flag) }

  @inline(__always)
  package mutating func code(_ number: inout WideInt, in range: ClosedRange<WideInt>) { writer.integer(number) }

  @inline(__always)
  package mutating func code(_ value: inout Value) { value.write(to: &writer) }

  @inline(__always)
  package mutating func code(unsorted values: inout [String: Value]) { writer.object(values) }

  package mutating func code<Element: CodedValue>(_ list: inout [Element]) {
    writer.beginArray()
    for element in list { code(element) }
    writer.endArray()
  }

  package mutating func code<Element: CodedValue>(_ table: inout [String: Element]) {
    writer.beginObject()
    for (name, element) in table.sortedByKey {
      writer.key(name)
      code(element)
    }
    writer.endObject()
  }

  @inline(__always)
  private mutating func code<Element: CodedValue>(_ element: Element) {
    var element = element
    Element.code(&element, &self)
  }

  package mutating func code(_ set: inout ValueSet) {
    guard let name = set.name, writer.notedSets != nil else { return writer.array(set.values) }
    writer.notedSets?[name] = set
    writer.string(name)
  }

  package mutating func sets(_ name: StaticString) {
    guard let sets = writer.notedSets, !sets.isEmpty else { return }
    writer.member(name, sets.mapValues { $0.values })
  }

  package func isObject(_ isObject: Bool) -> Bool { isObject }

  package mutating func code(null isNull: Bool) -> Bool {
    if isNull { writer.null() }
    return isNull
  }
}
