/// The sets of a definition by name.
typealias ValueSets = [String: ValueSet]

/// The form of values that a type allows or a condition compares with: a list, or the name of a set.
enum SetFormat {
  /// Writes the name of a set, which the writer collects, or the values where sets are not written by name.
  static func write(_ set: ValueSet, _ writer: inout JSONWriter) {
    guard let name = set.name, writer.notedSets != nil else { return writeValues(set, &writer) }
    writer.notedSets?[name] = set
    writer.string(name)
  }

  /// Writes a member with the values of all sets that were written by name.
  static func writeNoted(_ name: StaticString, _ writer: inout JSONWriter) {
    writer.table(name, writer.notedSets ?? [:], as: writeValues)
  }

  private static func writeValues(_ set: ValueSet, _ writer: inout JSONWriter) {
    writer.beginArray()
    for value in set.values { value.write(to: &writer) }
    writer.endArray()
  }

  /// Reads what `write` has written.
  static func values(_ element: JSONElement, _ sets: ValueSets) throws(UnreadableFormat) -> ValueSet {
    guard element.isArray else {
      guard let set = sets[try element.readString()] else { throw element.fault("a set that is missing") }
      return set
    }
    return ValueSet(try element.list { element throws(UnreadableFormat) in element.stored })
  }

  /// Reads the sets of a definition.
  static func sets(_ element: JSONElement) throws(UnreadableFormat) -> ValueSets {
    var sets: ValueSets = [:]
    for (member, value) in try element.readMembers() {
      let name = try member.readString()
      sets[name] = ValueSet(try value.list { element throws(UnreadableFormat) in element.stored }, name: name)
    }
    return sets
  }
}
