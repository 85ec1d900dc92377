package import CairnCore

/// An entry of a session's history in the form of a scenario.
package struct Happening: Sendable {
  /// The time of the manual clock at which the entry occurs, in milliseconds since 1970.
  var time: Int
  /// The text after `when`; `nil` if advancing the clock is sufficient to cause the entry.
  var when: String?
  /// The members after `given`; only for the creation of the session.
  var given: [(name: String, text: String)] = []
  /// The replacement of the state, if no action produced the state; otherwise `nil`.
  var replacement: Entry.Replacement?
  /// The visible screen after the entry; `nil` if no screen is visible.
  var visible: String?
  /// Whether others had put nodes on top that the user of the action had not seen.
  let isUnderCovers: Bool
  /// Whether the action is held for the session's clients.
  let isHeld: Bool
  private let after: State
  private let reducer: Reducer

  /// Converts an entry. `before` is the state to which the entry was applied; `nil` for the first entry.
  package init(_ entry: Entry, from before: State?, to after: State, _ reducer: Reducer) {
    time = entry.stamp.time
    isUnderCovers = !entry.stamp.covers.isEmpty
    isHeld = after.heldActions.count > before?.heldActions.count ?? 0
    visible = reducer.visible(in: after)?.screen
    self.after = after
    self.reducer = reducer
    switch entry.cause {
    case .creation(let creation): given = Self.given(creation, reducer.definition)
    case .replacement(let replacement): self.replacement = replacement
    case .action(let action):
      guard let before else { return }
      when = Self.text(of: action, from: before, reducer.definition)
      time = Self.time(of: action, at: entry.stamp.time, from: before)
    }
  }

  /// The time of the manual clock at which the action occurs. A timer that the service ran late is moved to its deadline. An action that
  /// was posted during the delay is moved to the time before the deadline.
  private static func time(of action: Action, at time: Int, from before: State) -> Int {
    if case .effect(let id, .due(let tick)) = action {
      return before.upcoming.first { $0.id == id }?.due(tick: tick) ?? time
    }
    guard case .advance = action else {
      // Repeating timers are ignored: a tick that changes nothing leaves no entry, so a deadline may have passed without one.
      let deadlines = before.upcoming.filter { !$0.isRepeating }.compactMap { $0.isRequest ? $0.endOfCall : $0.due }
      return min(time, (deadlines.min() ?? .max) - 1)
    }
    return time
  }

  private static func given(_ creation: Creation, _ definition: Definition) -> [(name: String, text: String)] {
    var given: [(name: String, text: String)] = []
    if creation.hasToken { given.append(("accessToken", placeholder)) }
    let environment = definition.withPlaceholders(creation.environment)
    if !environment.isEmpty { given.append(("environment", YAMLText.flow(.object(environment.mapValues(Value.string))))) }
    if !creation.facts.isEmpty { given.append(("facts", YAMLText.flow(.object(creation.facts)))) }
    return given
  }

  /// The tree after the entry, in one line. `nil` if the tree contains an OAuth state, which is random and differs in every session.
  var tree: String? { after.nodes.values.contains { $0.authorization != nil } ? nil : reducer.tree(of: after).sketch }

  /// Estimated size in bytes of the entry in the file, without the tree of the last entry.
  package var size: Int { (when?.utf8.count ?? 0) + given.reduce(0) { $0 + $1.text.utf8.count } + (visible?.utf8.count ?? 0) + 96 }

  /// The text that replaces tokens and codes, because a history never contains them.
  static let placeholder = "secret"
}

extension Definition {
  /// Returns the environment with a harmless valid placeholder instead of each value, except for values that a fact shows to clients.
  func withPlaceholders(_ environment: [String: String]) -> [String: String] {
    var shown: [String: String] = [:]
    for name in environment.keys { shown[name] = "https://\(name.lowercased().replacing("_", with: "-")).example" }
    for fact in facts.values {
      guard let variable = fact.environment, let value = environment[variable] else { continue }
      shown[variable] = fact.isShown ? value : fact.type.example ?? shown[variable]
    }
    return shown
  }
}

extension ParameterDefinition {
  /// The text of an example value; `nil` if the type determines no example, such as a string without bounds.
  fileprivate var example: String? {
    if let first = allowed?.values.first { return first.shortText }
    if let sample = samples(from: ["example"]).first { return sample.shortText }
    return switch kind {
    case .integer, .number: "0"
    case .boolean: "false"
    case .string, .list, .any: nil
    }
  }
}
