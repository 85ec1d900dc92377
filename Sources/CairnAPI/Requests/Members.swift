import CairnCore

/// Reads the members of one JSON object and notes everything that is wrong with them, so that it is said at once.
struct Members {
  private let members: [String: Value]
  private let pointer: String
  private var known: [String] = []
  private(set) var faults: [Refusal.Fault] = []

  /// `pointer`: where the object stands in the body.
  init(_ members: [String: Value], at pointer: String) {
    self.members = members
    self.pointer = pointer
  }

  /// Whether the member is there, whatever it is.
  func has(_ name: String) -> Bool { members[name] != nil }

  /// These have their place here, whether they are read or not.
  mutating func know(_ names: String...) { known += names }

  /// Notes what is wrong with a member.
  mutating func fault(_ name: String, _ detail: String) {
    faults.append(.init(pointer: "\(pointer)/\(name.pointerToken)", detail: detail))
  }

  /// Notes what is wrong with the object as a whole.
  mutating func fault(_ detail: String) { faults.append(.init(pointer: pointer, detail: detail)) }

  /// Takes over what was found further in.
  mutating func add(_ more: [Refusal.Fault]) { faults += more }

  /// The member as `convert` reads it; a fault where it gives nil ("must be …"), or where a required one is missing.
  mutating func read<Result>(
    _ name: String, _ expected: String, isRequired: Bool = false, _ convert: (Value) -> Result?
  ) -> Result? {
    known.append(name)
    guard let value = members[name] else {
      if isRequired { fault(name, "is missing; it must be \(expected)") }
      return nil
    }
    if let result = convert(value) { return result }
    let given = if case .string(let text) = value { "\"\(text.prefix(64))\"" } else { value.kindName }
    fault(name, "must be \(expected), not \(given)")
    return nil
  }

  mutating func string(_ name: String, isRequired: Bool = false) -> String? {
    read(name, "a string", isRequired: isRequired) { if case .string(let text) = $0 { text } else { nil } }
  }

  /// A string that can be sent on in a header or shown in a line: no control characters.
  mutating func line(_ name: String, isRequired: Bool = false) -> String? {
    guard let text = string(name, isRequired: isRequired) else { return nil }
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
    fault(name, "must not hold control characters")
    return nil
  }

  mutating func boolean(_ name: String) -> Bool? {
    read(name, "true or false") { if case .bool(let value) = $0 { value } else { nil } }
  }

  mutating func integer(_ name: String, atLeast minimum: Int) -> Int? {
    read(name, "an integer from \(minimum) on") { if case .integer(let value) = $0, value >= minimum { value } else { nil } }
  }

  mutating func object(_ name: String, isRequired: Bool = false) -> [String: Value]? {
    read(name, "an object", isRequired: isRequired) { if case .object(let members) = $0 { members } else { nil } }
  }

  mutating func array(_ name: String, isRequired: Bool = false) -> [Value]? {
    read(name, "an array", isRequired: isRequired) { if case .array(let elements) = $0 { elements } else { nil } }
  }

  mutating func node(_ name: String, isRequired: Bool = false) -> NodeID? {
    read(name, "a node's id, such as \"n7\"", isRequired: isRequired) {
      if case .string(let text) = $0 { NodeID(text) } else { nil }
    }
  }

  /// One of a closed set of words.
  mutating func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, _: Choice.Type) -> Choice? where Choice.RawValue == String {
    read(name, "one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))") {
      if case .string(let text) = $0 { Choice(rawValue: text) } else { nil }
    }
  }

  /// A fault for every member that nobody asked for. Call it last.
  mutating func rejectOthers() {
    for name in members.keys.sorted() where !known.contains(name) {
      if let nearest = NearestName.of(name, among: known) {
        fault(name, "is unknown; did you mean \(nearest)?")
      } else {
        fault(name, known.isEmpty ? "is unknown; there are no members here" : "is unknown; known are \(known.joined(separator: ", "))")
      }
    }
  }
}
