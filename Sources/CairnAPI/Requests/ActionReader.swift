import CairnCore

/// Reads the JSON object of one action, with the fields that `ActionRow` lists for its kind.
struct ActionReader {
  private var members: Members
  private let byOperator: Bool
  private let hasStep: Bool
  private let type: JSONElement?
  /// The hash of the definition for which the action was made; `nil` if the action names no definition.
  private(set) var definition: String?
  /// The revision that the client showed when its user made a numbered action; `nil` if the action does not contain it.
  private(set) var seen: Int?
  /// The time of a numbered action by the client's clock in milliseconds since 1970; `nil` if the action does not contain it.
  private(set) var at: WideInt?
  private let isNumbered: Bool
  /// The fields that refer to a node by the action that creates the node. Their values in the command are placeholders.
  private(set) var nodes: [CreatedNode] = []

  /// Creates a reader of an action. `isNumbered` is whether fields may refer to nodes by the actions that create them.
  init(_ object: JSONElement, byOperator: Bool, isNumbered: Bool = false) {
    members = Members(object)
    self.isNumbered = isNumbered
    self.byOperator = byOperator
    hasStep = members.has("step")
    type = object["type"]
  }

  /// The member `definition`, which every action may have.
  static let definitionMember = Member<String>(
    "definition", "a definition's hash, 64 lowercase hexadecimal digits", .definitionHash,
    "The hash of the definition that the client uses. If the session has moved to another definition, the action is translated or, if that is impossible, refused."
  ) { element in element.string.flatMap { $0.isDefinitionHash ? $0 : nil } }

  /// The member `seen`, which every numbered action may have.
  static let seenMember = Member<Int>(
    "seen", "a revision, from 1", .whole(from: 1, to: State.highestNumber),
    "The revision that the client showed when its user made the action. Nodes that others have put on top since then are lifted off while the action "
      + "runs, and then put back."
  ) { element in element.integer.flatMap { $0 >= 1 && $0 <= State.highestNumber ? Int($0) : nil } }

  /// The member `at`, which every numbered action may have.
  static let atMember = NumberedRequest.time(
    "at",
    "The time at which the user made the action, by the client's clock, in milliseconds since 1970. The body then needs `now`. The service "
      + "uses only the difference of the two, so the clock may be wrong. The order of the actions does not depend on `at`.")

  /// The member `deliver`, which an operator's action may have if the action may remove something.
  static let deliverMember = Member<Bool>(
    "deliver", "\"settled\"", .shared(.delivery),
    "`settled`: the action waits until the clients have sent their users' earlier actions. Operators only."
  ) { element in element.isString(Action.settledWord) ? true : nil }

  /// Whether the object has a member `step` or `type`.
  var isAction: Bool { hasStep || type != nil }

  var faults: Faults { members.faults }

  /// Returns the command. If the object has faults, the result is `nil` or a placeholder, and `faults` contains them.
  mutating func command() -> Command? {
    if hasStep, type != nil {
      members.fault("has both `step` and `type`; remove `type`")
      return nil
    }
    guard let kind = kind() else {
      definition = members.read(Self.definitionMember)
      return nil
    }
    let row = ActionRow[kind]
    guard checkAlternatives(of: row) else {
      finish()
      return nil
    }
    var values = ActionValues()
    for place in row.posted.indices { values[place] = read(row.posted[place], at: place) }
    let isSettled = !isNumbered && kind.canSettle && !members.areAllKnown && members.read(Self.deliverMember) == true
    finish()
    let command = Command(kind, posted: values, byOperator: byOperator)
    if isSettled, case .action(let action)? = command { return .action(.settled(action)) }
    return command
  }

  /// Reads the definition's hash, and rejects unknown members. Does nothing if all members have already been read, as in most actions.
  private mutating func finish() {
    guard !members.areAllKnown else { return }
    definition = members.read(Self.definitionMember)
    if isNumbered {
      seen = members.read(Self.seenMember)
      at = members.read(Self.atMember)
    }
    members.rejectOthers()
  }

  private mutating func read(_ field: ActionField, at place: Int) -> Value? {
    guard isNumbered, case .node = field.shape, let node = members.createdNode(field.name, at: place) else { return members.read(field) }
    nodes.append(node)
    return .integer(0)
  }

  private mutating func kind() -> Action.Kind? {
    guard let type else { return .step }
    members.know("type")
    if let kind = Action.Kind(type), kind.isPosted { return kind }
    guard let word = type.string else {
      members.fault("type", "must be a string, not \(type.value.kindName)")
      return nil
    }
    let names = Action.Kind.posted.map(\.word)
    let hint =
      NearestName.of(word, among: names).map { "did you mean `\($0)`?" } ?? "use one of \(names.map { "`\($0)`" }.joined(separator: ", "))"
    members.fault("type", "\"\(word.prefix(64))\" is not a known word; \(hint)")
    return nil
  }

  /// Returns whether the object has at most one of the row's alternatives, or exactly one if the row requires an alternative. Records a
  /// fault if the result is `false`.
  private mutating func checkAlternatives(of row: ActionRow) -> Bool {
    var given = 0
    for place in row.alternatives where members.has(row.posted[place].name) { given += 1 }
    guard given > 1 || given == 0 && !row.alternatives.isEmpty && row.needsAlternative else { return true }
    for field in row.posted { members.know(field.name) }
    let fields = row.posted[row.alternatives]
    let shapes = fields.map { "`\($0.name)` (\($0.shape.expected))" }
    if shapes.count == 2, given > 1 {
      members.fault("has both \(fields.map { "`\($0.name)`" }.joined(separator: " and ")); remove one")
    } else if shapes.count == 2 {
      members.fault("needs \(shapes.joined(separator: " or "))")
    } else {
      members.fault("needs one of \(shapes.dropLast().joined(separator: ", ")) and \(shapes.last ?? "")")
    }
    return false
  }
}

extension Members {
  /// Returns a field's value in the form that `ActionValues` contains. Records a fault if the value has another type or a required field is
  /// missing. Returns `nil` if the field is missing or has another type.
  fileprivate mutating func read(_ field: ActionField) -> Value? {
    switch field.shape {
    case .routes: return routes(field)
    case .line: return line(field.name, isRequired: field.isRequired).map(Value.string)
    case .token: return token(field.name, isRequired: field.isRequired).map(Value.string)
    default: return read(field.name, field.shape.expected, isRequired: field.isRequired) { field.shape.value(of: $0) }
    }
  }

  /// Reads a member that refers to a node by the action that creates the node. Returns `nil` if the member is not an object. Records a
  /// fault if the object is invalid.
  fileprivate mutating func createdNode(_ name: StaticString, at place: Int) -> CreatedNode? {
    guard let object = element(name), object.isObject else { return nil }
    know(name)
    var reader = Members(object)
    let action = reader.read(NumberedRequest.creatingAction)
    let node = reader.read(NumberedRequest.createdNode)
    reader.rejectOthers()
    add(reader.faults)
    return CreatedNode(place: place, action: WideInt(action ?? 0), node: node ?? 0)
  }

  private mutating func routes(_ field: ActionField) -> Value? {
    guard let elements = read(field.name, field.shape.expected, isRequired: field.isRequired, { $0.isArray ? $0.elements : nil }) else {
      return nil
    }
    var routes: [Value] = []
    for element in elements {
      var reader = Members(element)
      guard element.isObject else {
        reader.fault("must be an object such as {\"screen\": …}, not \(element.value.kindName)")
        add(reader.faults)
        continue
      }
      var route = ActionValues()
      for (place, field) in ActionRow.route.enumerated() { route[place] = reader.read(field) }
      reader.rejectOthers()
      add(reader.faults)
      if case .push(let made) = Action(.push, route) { routes.append(made.value) }
    }
    return .array(routes)
  }
}

extension String {
  /// Whether the text has the form of a definition's hash.
  package var isDefinitionHash: Bool {
    utf8.count == 64 && utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
