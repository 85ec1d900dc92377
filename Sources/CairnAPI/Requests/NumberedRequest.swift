package import CairnCore

/// Numbered actions of one client: `{"client":…,"first":41,"now":…,"actions":[…]}`. The actions run separately. Each action runs only once, even if
/// it is posted again.
package struct NumberedRequest: Sendable {
  /// The client's id.
  package var client: String
  package var actions: [Item]
  /// The hash of the definition for which the actions were made; `nil` if the request names no definition.
  package var definition: String?
  /// The time at which the client sent the request, by the clock of the actions' `at`, in milliseconds since 1970. May be `nil` only if no
  /// action has `at`.
  package var now: WideInt?

  /// One numbered action.
  package struct Item: Sendable {
    package var number: WideInt
    package var command: Command
    /// The fields that refer to a node by the action that creates the node. Their values in the command are placeholders.
    package var nodes: [CreatedNode]
    /// The revision that the client showed when its user made the action; `nil` if the client did not send it.
    package var seen: Int?
    /// The time of the action by the client's clock in milliseconds since 1970; `nil` if the client did not send it.
    package var at: WideInt?
    /// The action without `at`, as canonical JSON.
    package var text: [UInt8]
  }

  /// The maximum number of actions, and the maximum size of the body in bytes.
  package static let limit = 100
  package static let sizeLimit = 256 << 10
  private static let highest = State.highestNumber

  private static let client = Member<String>(
    "client", "22 to 64 letters, digits, - and _", .text(like: "^[A-Za-z0-9_-]{22,64}$"),
    "The client's id: 128 random bits, as 22 characters of base64url or 32 hexadecimal digits. The client stores it.",
    isRequired: true
  ) { element in element.string.flatMap { $0.isClientID ? $0 : nil } }

  private static let first = Member<Int>(
    "first", "an integer from 1 to \(highest)", .whole(from: 1, to: highest),
    "The number of the first action. Each following action has the next higher number.", isRequired: true
  ) { element in element.integer.flatMap { $0 >= 1 && $0 <= highest ? Int($0) : nil } }

  private static let actions = Member<[JSONElement]>(
    "actions", "an array of 1 to \(limit) actions", .list(of: .shared(.numberedAction), atLeast: 1, atMost: limit),
    "The actions, in the order in which they run.", isRequired: true
  ) { $0.isArray && (1...limit).contains($0.count) ? Array($0.elements) : nil }

  private static let now = time(
    "now", "The time at which the client sends the request, by the same clock as `at` of the actions. Required if an action has `at`.")

  /// A member with a time by the client's clock, in milliseconds since 1970.
  static func time(_ name: StaticString, _ about: String) -> Member<Int> {
    Member(name, "milliseconds since 1970, an integer from 0 to \(State.latestTime)", .whole(from: 0, to: State.latestTime), about) {
      element in
      element.integer.flatMap { State.isTime($0) ? $0 : nil }
    }
  }

  static let creatingAction = Member<Int>(
    "action", "the number of an earlier action of this client", .whole(from: 1, to: highest),
    "The number of an earlier action of this client.",
    isRequired: true
  ) { element in element.integer.flatMap { $0 >= 1 && $0 <= highest ? Int($0) : nil } }

  static let createdNode = Member<Int>(
    "node", "an integer of at least 0", .whole(from: 0, to: CreatedNode.highestPlace),
    "Index among the nodes that the action creates, from 0.", isRequired: true
  ) { element in element.integer.flatMap { $0 >= 0 && $0 <= CreatedNode.highestPlace ? Int($0) : nil } }

  /// Whether a body has the form of numbered actions.
  package static func isMeant(_ body: JSONElement) -> Bool { body.isObject && body["actions"] != nil }

  /// Reads a body. Throws unless it is an object with valid members. `byOperator` is whether an operator posts it.
  package init(_ body: JSONElement, byOperator: Bool) throws(BodyFault) {
    var members = Members(body)
    let client = members.read(Self.client)
    let first = members.read(Self.first)
    let elements = members.read(Self.actions)
    definition = members.read(ActionReader.definitionMember)
    now = members.read(Self.now)
    members.rejectOthers()
    var faults = members.faults
    actions = []
    if let first, let elements {
      if first > Self.highest - elements.count {
        let detail = "must be at most \(Self.highest - elements.count), so that no action's number exceeds the maximum"
        faults.append(.init(pointer: "/first", detail: detail))
      }
      for element in elements {
        if let item = try Self.item(element, number: first + actions.count, byOperator, &faults) { actions.append(item) }
        if !faults.isEmpty, faults.count > Faults.limit { break }
      }
    }
    if body["now"] == nil, actions.contains(where: { $0.at != nil }) {
      faults.append(.init(pointer: "/now", detail: "is missing, but an action has `at`; give the time of the request by the same clock"))
    }
    guard faults.isEmpty, let client else { throw .invalid(faults) }
    self.client = client
  }

  private static func item(
    _ element: JSONElement, number: Int, _ byOperator: Bool, _ faults: inout Faults
  ) throws(BodyFault) -> Item? {
    var reader = ActionReader(element, byOperator: byOperator, isNumbered: true)
    guard element.isObject, reader.isAction else {
      faults.append(.init(pointer: element.pointer, detail: "must have a member `step` or `type`"))
      return nil
    }
    let command = reader.command()
    faults.append(reader.faults)
    if reader.definition != nil {
      faults.append(
        .init(pointer: "\(element.pointer)/definition", detail: "must be a member of the body, because it applies to all actions"))
    }
    for node in reader.nodes where node.action >= WideInt(number) {
      faults.append(
        .init(pointer: element.pointer, detail: "refers to a node of action \(node.action), but must refer to an earlier action"))
    }
    var value = element.value
    // A client may repeat an action with another `at`. It is still the same action, so its text omits `at`.
    if reader.at != nil, case .object(var members) = value {
      members["at"] = nil
      value = .object(members)
    }
    guard let command, let text = try? JSONText.bytes(value) else { return nil }
    return Item(number: WideInt(number), command: command, nodes: reader.nodes, seen: reader.seen, at: reader.at, text: text)
  }
}

extension NumberedRequest {
  static let schema = Schema.closed([
    client.property, first.property, actions.property, ActionReader.definitionMember.property, now.property,
  ]).about("Numbered actions of one client. Each runs separately, in order, and only once, even if it is posted again.")

  /// The schema of one action. Its members `from` and `node` may refer to a node by the action that creates the node.
  static let actionSchema = Schema(["type": "object"]).about(
    "An action. Its members `from` and `node` can also refer to a node that an earlier action of this client creates: {\"action\": 3, \"node\": 0} is "
      + "the first node that action 3 creates. Its member `seen` is the revision that the client showed when its user made the action: nodes that others have "
      + "put on top since then are lifted off while the action runs, and then put back. Its member `at` is the time of the action by the client's clock, in "
      + "milliseconds since 1970; the body then needs `now`.")
}

extension String {
  /// Whether the text has the form of a client's id.
  fileprivate var isClientID: Bool {
    (22...64).contains(utf8.count)
      && utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x5F
      }
  }
}
