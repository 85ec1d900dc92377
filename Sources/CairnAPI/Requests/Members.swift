import CairnCore

/// Reads the members of one JSON object and notes everything that is wrong with them, so that it is said at once. While nothing is
/// wrong, no text is made.
struct Members {
  private let object: JSONElement
  private var known = KnownNames()
  /// Bit by bit which members were asked for; of more than there are bits, the names tell.
  private var met: UInt64 = 0
  private(set) var faults = Faults()

  init(_ object: JSONElement) { self.object = object }

  /// Whether the member is there, whatever it is.
  func has(_ name: StaticString) -> Bool { object[name] != nil }

  /// This has its place here, whether it is read or not.
  mutating func know(_ name: StaticString) {
    known.append(name)
    if let (place, _) = object.member(name) { met |= 1 << UInt64(place) }
  }

  /// Notes what is wrong with a member.
  mutating func fault(_ name: String, _ detail: String) {
    faults.append(.init(pointer: "\(object.pointer)/\(name.pointerEscaped)", detail: detail))
  }

  /// Notes what is wrong with the object as a whole.
  mutating func fault(_ detail: String) { faults.append(.init(pointer: object.pointer, detail: detail)) }

  /// Takes over what was found further in.
  mutating func add(_ more: Faults) { faults.append(more) }

  /// The member as it is read; a fault where it is something else ("must be …"), or where a required one is missing. Each name is asked for
  /// once.
  mutating func read<Result>(_ member: Member<Result>) -> Result? {
    read(member.name, member.expected, isRequired: member.isRequired, member.convert)
  }

  /// The same of a member that is described elsewhere. `convert` gives nil for what is something else.
  mutating func read<Result>(
    _ name: StaticString, _ expected: @autoclosure () -> String, isRequired: Bool, _ convert: (JSONElement) -> Result?
  ) -> Result? {
    known.append(name)
    // A body has few members, and mostly all of them are met before the last name is asked for.
    let isAllMet = met.nonzeroBitCount == object.count
    guard !isAllMet, let (place, value) = object.member(name) else {
      if isRequired { fault(name.description, "is missing; it must be \(expected())") }
      return nil
    }
    met |= 1 << UInt64(place)
    if let result = convert(value) { return result }
    let given = value.string.map { "\"\($0.prefix(64))\"" } ?? value.value.kindName
    fault(name.description, "must be \(expected()), not \(given)")
    return nil
  }

  /// A string that can be sent on in a header or shown in a line: no control characters.
  mutating func line(_ member: Member<String>) -> String? { line(member.name, isRequired: member.isRequired) }

  /// The same of a member that is described elsewhere.
  mutating func line(_ name: StaticString, isRequired: Bool) -> String? {
    guard let text = read(name, "a string", isRequired: isRequired, \.string) else { return nil }
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
    fault(name.description, "must not hold control characters")
    return nil
  }

  /// Records a fault for every unknown member. Call it last.
  mutating func rejectOthers() {
    guard met.nonzeroBitCount != object.count else { return }
    let known = known.names
    var others = object.members.compactMap(\.name.string).filter { !known.contains($0) }
    if others.count > Faults.limit {
      // Faults beyond the limit have no message, so their order does not matter.
      faults.append(further: others.count - Faults.limit)
      others = Array(others.prefix(Faults.limit))
    }
    for name in others.sorted() {
      if let nearest = NearestName.of(name, among: known) {
        fault(name, "is unknown; did you mean \(nearest)?")
      } else {
        fault(name, known.isEmpty ? "is unknown; there are no members here" : "is unknown; known are \(known.joined(separator: ", "))")
      }
    }
  }
}

/// The names that were asked for, in their order.
private struct KnownNames {
  private var all = InlineArray<12, StaticString>(repeating: "")
  private var count = 0

  /// No reader of a body asks for more than nine.
  mutating func append(_ name: StaticString) {
    guard count < all.count else { return }
    all[count] = name
    count += 1
  }

  var names: [String] { (0..<count).map { all[$0].description } }
}
