import CairnCore

/// Reads the members of one JSON object and records all faults, so that one response can report them. No message is created for an object
/// without faults.
struct Members {
  private let object: JSONElement
  private var known = KnownNames()
  /// One bit for each member of the object that has been read. Members from the 65th on have no bit and are compared by name.
  private var met: UInt64 = 0
  private(set) var faults = Faults()

  init(_ object: JSONElement) { self.object = object }

  /// Whether the object has the member, with any value.
  func has(_ name: StaticString) -> Bool { object[name] != nil }

  /// The member's value as JSON; `nil` if the member is missing.
  func element(_ name: StaticString) -> JSONElement? { object[name] }

  /// Whether each member has been read or marked as known. `false` if the object has more than 64 members.
  var areAllKnown: Bool { met.nonzeroBitCount == object.count }

  /// Marks a member as known, so that `rejectOthers` does not reject it.
  mutating func know(_ name: StaticString) {
    known.append(name)
    if let (place, _) = object.member(name) { met |= 1 << UInt64(place) }
  }

  /// Records a fault of a member.
  mutating func fault(_ name: String, _ detail: String) {
    faults.append(.init(pointer: "\(object.pointer)/\(name.pointerEscaped)", detail: detail))
  }

  /// Records a fault of the object as a whole.
  mutating func fault(_ detail: String) { faults.append(.init(pointer: object.pointer, detail: detail)) }

  /// Appends the faults of a nested object.
  mutating func add(_ more: Faults) { faults.append(more) }

  /// Reads a member. Records a fault if the value has another type ("must be …") or a required member is missing. Returns `nil` if the
  /// member is missing or has another type. Each name must be read at most once.
  mutating func read<Result>(_ member: Member<Result>) -> Result? {
    read(member.name, member.expected, isRequired: member.isRequired, member.convert)
  }

  /// Reads a member that the arguments describe, for callers that have no `Member`. Returns and records the same as `read(_:)`. `convert` returns `nil`
  /// for a value of another type.
  mutating func read<Result>(
    _ name: StaticString, _ expected: @autoclosure () -> String, isRequired: Bool, _ convert: (JSONElement) -> Result?
  ) -> Result? {
    known.append(name)
    // The search is skipped if all members have been read. A body has few members, so this is usual before the last name is requested.
    guard !areAllKnown, let (place, value) = object.member(name) else {
      if isRequired { fault(name.description, "is missing; it must be \(expected())") }
      return nil
    }
    met |= 1 << UInt64(place)
    if let result = convert(value) { return result }
    let given = value.string.map { "\"\($0.prefix(64))\"" } ?? value.value.kindName
    fault(name.description, "must be \(expected()), not \(given)")
    return nil
  }

  /// Reads a string that can be sent in a header or shown on one line. Records a fault if the string contains control characters. Returns
  /// `nil` if the member is missing, has another type, or contains control characters.
  mutating func line(_ member: Member<String>) -> String? { line(member.name, isRequired: member.isRequired) }

  /// Reads a string as `line(_:)` does, for callers that have no `Member`.
  mutating func line(_ name: StaticString, isRequired: Bool) -> String? {
    guard let text = read(name, "a string", isRequired: isRequired, \.string) else { return nil }
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
    fault(name.description, "must not contain control characters")
    return nil
  }

  /// Reads an access token. Records a fault if the text cannot be sent as a token. Returns `nil` if the member is missing, has another
  /// type, or cannot be sent.
  mutating func token(_ name: StaticString, isRequired: Bool = false) -> String? {
    guard let text = read(name, "a string", isRequired: isRequired, \.string) else { return nil }
    guard let fault = TokenText.fault(of: text) else { return text }
    self.fault(name.description, fault)
    return nil
  }

  /// Records a fault for every unknown member. Call it last.
  mutating func rejectOthers() {
    guard !areAllKnown else { return }
    let known = known.names
    var others = object.members.compactMap(\.name.string).filter { !known.contains($0) }
    if others.count > Faults.limit {
      // Faults beyond the limit have no message, so their order does not matter.
      faults.append(further: others.count - Faults.limit)
      others = Array(others.prefix(Faults.limit))
    }
    for name in others.sorted() {
      if let nearest = NearestName.of(name, among: known) {
        fault(name, "is unknown; did you mean `\(nearest)`?")
      } else {
        fault(
          name,
          known.isEmpty
            ? "is unknown; no members are allowed" : "is unknown; the members are \(known.map { "`\($0)`" }.joined(separator: ", "))")
      }
    }
  }
}

/// The names that have been read or marked as known, in this order.
private struct KnownNames {
  private var all = InlineArray<12, StaticString>(repeating: "")
  private var count = 0

  /// Appends a name. The capacity of 12 suffices, because no reader of a body requests more names.
  mutating func append(_ name: StaticString) {
    guard count < all.count else { return }
    all[count] = name
    count += 1
  }

  var names: [String] { (0..<count).map { all[$0].description } }
}
