import CairnCore

/// Finds the misspelled names in a part of a scenario. A scenario may use unknown names on purpose, so the names are reported only if the
/// scenario fails.
struct NameHints {
  private let definition: Definition
  /// The messages, without duplicates, in the order in which the names were checked.
  private(set) var texts: [String] = []

  init(_ definition: Definition) { self.definition = definition }

  /// Checks the names in the occurrences and the expectation of a step, and adds a message for each misspelled name.
  mutating func add(_ step: Scenario.Step) {
    for occurrence in step.occurrences {
      switch occurrence {
      case .action(let action): add(action)
      case .actions(let actions), .offline(let actions): for action in actions { add(action) }
      default: break
      }
    }
    guard let expectation = step.expectation else { return }
    for name in (expectation.stack ?? []) + [expectation.visible].compactMap(\.self) where name != "nothing" { add(screen: name) }
    for name in expectation.waiting ?? [] { add(node: name) }
    for name in expectation.accepts ?? [] { add(step: name) }
    for text in expectation.steps ?? [] {
      let words = text.split(separator: " ").map(String.init)
      if let flow = words.first { add(flow, "flow", Array(definition.flows.keys)) }
      if words.count == 2 { add(step: words[1]) }
    }
    for text in expectation.dropped ?? [] { if let name = text.split(separator: " ").first { add(step: String(name)) } }
    for name in (expectation.facts ?? [:]).keys.sorted() { add(fact: name) }
  }

  /// Checks the names of the facts with which a session starts, and adds a message for each misspelled name.
  mutating func add(_ given: Scenario.Given) { for name in given.facts.keys.sorted() { add(fact: name) } }

  private mutating func add(_ action: Value) {
    if case .string(let name)? = action["step"] { add(step: name) }
    for member in ["from", "node", "screen", "flow"] {
      if case .string(let name)? = action[member], NodeID(name) == nil { add(node: name) }
    }
    if action["type"] == "facts", case .object(let facts)? = action["facts"] { for name in facts.keys.sorted() { add(fact: name) } }
  }

  private mutating func add(step name: String) { add(name, "step", Array(definition.steps.keys)) }

  private mutating func add(screen name: String) { add(name, "screen", Array(definition.screens.keys)) }

  private mutating func add(node name: String) {
    add(name, "screen or flow", Array(definition.screens.keys) + Array(definition.flows.keys))
  }

  private mutating func add(fact name: String) {
    add(name, "fact", Array(definition.facts.keys) + [FactDefinition.accessToken] + Array(FactDefinition.ofApp.keys))
  }

  private mutating func add(_ name: String, _ kind: String, _ known: [String]) {
    guard !known.contains(name), let meant = NearestName.of(name, among: known) else { return }
    let text = "there is no \(kind) \(name); did you mean \(meant)?"
    if !texts.contains(text) { texts.append(text) }
  }
}
