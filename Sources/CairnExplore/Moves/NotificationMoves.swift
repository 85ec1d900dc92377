import CairnAPI
import CairnCore
import CairnDefinition

/// The notifications to try; empty if the definition neither takes nor suppresses notifications. They combine each category of the
/// definition, and no category, with each way of arrival and with the values to try. For each link, there is also a tap on a notification
/// with the link's URL.
struct NotificationMoves {
  private(set) var moves: [Move] = []
  private(set) var doubts: Set<Doubt> = []

  init(_ definition: Definition, _ palette: Palette, links: [Move]) {
    let notifications = definition.notifications
    guard !notifications.suppress.isEmpty || !notifications.take.isEmpty else { return }
    let replies = palette.values(of: ParameterDefinition(.string), named: NotificationDefinition.reply).compactMap { $0?.word }
    let categories = [nil] + Set(notifications.suppress.compactMap(\.category) + notifications.take.compactMap(\.category)).sorted()
    for category in categories {
      for taking in notifications.take where taking.category == nil || taking.category == category {
        let picks = palette.choices(of: taking.types(in: definition), most: 12)
        if !picks.isWhole { doubts.insert(Doubt("a notification: conditions read more than 12 combinations of its values")) }
        for values in picks.all {
          for how in taking.how.sorted(by: { $0.name < $1.name }) {
            let payload = notifications.payload(category, values, how)
            for reply in how == .reply ? palette.streams.isRead(NotificationDefinition.reply) ? replies : [replies[0]] : [""] {
              append(how, payload, reply: reply)
            }
          }
        }
      }
      // If no element matches a message without values, it is an ordinary message, and opens its link.
      guard !notifications.suppress.isEmpty || !notifications.take.isEmpty, let pointer = notifications.linkPointers.first else { continue }
      for link in Set(links.compactMap(\.link)).sorted() {
        guard let move = links.first(where: { $0.link == link }), case .open(let url, _) = move.deed else { continue }
        var payload = notifications.payload(category, [:], .tap)
        payload.set(.string(url), at: pointer.members)
        append(.tap, payload)
      }
    }

    func append(_ how: NotificationDefinition.How, _ payload: Value, reply: String = "") {
      let action: Action
      let words: String
      switch how {
      case .tap:
        action = notifications.action(for: payload, tap: true, appState: .background)
        words = ""
      case .foreground:
        action = notifications.action(for: payload, tap: false, appState: .foreground)
        words = ", tap: false, state: foreground"
      case .silent:
        action = notifications.action(for: payload, tap: false, appState: .background)
        words = ", tap: false"
      case .action(let name):
        action = notifications.action(for: payload, tap: true, appState: .background, action: name)
        words = ", action: \(YAMLText.scalar(name))"
      case .reply:
        action = notifications.action(for: payload, tap: true, appState: .background, reply: reply)
        words = ", reply: \(YAMLText.scalar(reply))"
      }
      let line = "{ notification: \(YAMLText.flow(payload))\(words) }"
      if !moves.contains(where: { $0.words == [line] }) { moves.append(Move(deed: .action(action), words: line)) }
    }
  }
}

extension NotificationDefinition {
  /// A payload with this category and these values, each at its first JSON Pointer.
  fileprivate func payload(_ category: String?, _ values: [String: Value], _ how: How) -> Value {
    var payload = Value.object([:])
    if how == .silent { payload.set(1, at: ["aps", "content-available"]) }
    if let category, let place = categoryPointers.first { payload.set(.string(category), at: place.members) }
    for (name, value) in values.sortedByKey {
      if let place = self.values[name]?.pointers.first { payload.set(value, at: place.members) }
    }
    return payload
  }
}

extension NotificationDefinition.Taking {
  /// The types of the payload's values that the element reads.
  fileprivate func types(in definition: Definition) -> [String: ParameterDefinition] {
    var types: [String: ParameterDefinition] = [:]
    func read(_ expression: Expression, as type: ParameterDefinition?) {
      for case .param(let name) in expression.references {
        guard let reading = definition.notifications.values[name] else { continue }
        types[name] = type ?? reading.type
      }
    }
    switch routing {
    case .step(let template):
      for (param, expression) in template.with { read(expression, as: definition.steps[template.step]?.params[param]) }
    case .link(let url): read(url, as: nil)
    }
    for expression in when.map(\.compared) ?? [] { read(expression, as: nil) }
    for case .param(let name, _) in when?.leaves ?? [] where types[name] == nil {
      types[name] = definition.notifications.values[name]?.type
    }
    return types
  }
}

extension NotificationDefinition.How {
  /// The name in a definition file.
  fileprivate var name: String { if case .action(let name) = self { name } else { Self.words.first { $0.how == self }?.word ?? "" } }
}

extension String {
  /// The member names in a JSON Pointer.
  fileprivate var members: [String] {
    dropFirst().split(separator: "/").map {
      $0.split(separator: "~1", omittingEmptySubsequences: false).joined(separator: "/")
        .split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
    }
  }
}
