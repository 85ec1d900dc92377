/// The sets of a definition by name.
typealias ValueSets = [String: ValueSet]

/// The values that a type allows or a condition compares with: a list, or the name of a set.
extension ValueSet: CodedValue {
  package static var blank: ValueSet { [] }

  package static func code<C: Coder & ~Copyable>(_ it: inout ValueSet, _ coder: inout C) throws(C.Failure) { try coder.code(&it) }
}

extension JSONElement {
  /// Reads values: a list, or the name of a set in `sets`.
  func readValues(_ sets: ValueSets) throws(UnreadableFormat) -> ValueSet {
    if isArray { return ValueSet(try [Value](reading: self)) }
    guard let set = sets[try readString()] else { throw fault("a set that is missing") }
    return set
  }

  /// Reads the sets of a definition.
  func readSets() throws(UnreadableFormat) -> ValueSets {
    var sets: ValueSets = [:]
    for (member, value) in try readMembers() {
      let name = try member.readString()
      sets[name] = ValueSet(try [Value](reading: value), name: name)
    }
    return sets
  }
}
