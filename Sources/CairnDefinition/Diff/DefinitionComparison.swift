import CairnCore

/// Collects the differences of two definitions.
struct DefinitionComparison {
  private typealias Change = DefinitionChange

  private let old, new: DefinitionDiff.Source
  private(set) var changes: [DefinitionChange] = []

  init(_ old: DefinitionDiff.Source, _ new: DefinitionDiff.Source) {
    self.old = old
    self.new = new
  }

  mutating func run() {
    compareSettings()
    compareScreens()
    compareFlows()
    compareSteps()
    compareFacts()
    compareRules()
    compareLinks()
  }

  // MARK: places

  /// Follows a path of names in the file, and returns the position of the last name that exists; `nil` if the first name does not exist.
  private static func place(_ root: Element, _ path: [String]) -> Position? {
    if path.count == 2, path[0] == "steps" { return Places(root).step(path[1]) }
    var element = root
    var found: Position?
    for name in path {
      guard let member = element.members?.first(where: { $0.name == name }) else { break }
      (found, element) = (member.position, member.element)
    }
    return found
  }

  private mutating func add(
    _ kind: Change.Kind, _ subject: Change.Subject, _ name: String, _ text: String, _ effect: Change.Effect, _ consequence: String,
    at path: [String], _ newPath: [String]? = nil, param: String? = nil, successor: String? = nil
  ) {
    changes.append(
      Change(
        kind: kind, subject: subject, name: name, text: text, effect: effect,
        consequence: consequence + (successor.map { "; its new name may be `\($0)`" } ?? ""), param: param, successor: successor,
        old: kind == .added ? nil : Self.place(old.root, path), new: kind == .removed ? nil : Self.place(new.root, newPath ?? path)))
  }

  /// The names of the added parts, of the removed parts, and of the parts that both definitions contain.
  private static func names<Part>(_ old: [String: Part], _ new: [String: Part]) -> (added: [String], removed: [String], both: [String]) {
    let (before, after) = (Set(old.keys), Set(new.keys))
    return (after.subtracting(before).sorted(), before.subtracting(after).sorted(), before.intersection(after).sorted())
  }

  /// The probable new name of a removed part: the name of the only added part that equals it; `nil` unless exactly one added part equals
  /// it.
  private static func successor<Part: Equatable>(_ part: Part?, _ added: [String], in new: [String: Part]) -> String? {
    let equal = added.filter { new[$0] == part }
    return equal.count == 1 ? equal[0] : nil
  }

  // MARK: screens

  private mutating func compareScreens() {
    let (before, after) = (old.loaded.definition.screens, new.loaded.definition.screens)
    let (added, removed, both) = Self.names(before, after)
    for name in added { add(.added, .screen, name, "", .none, "no open node shows this screen", at: ["screens", name]) }
    for name in removed {
      let successor = Self.successor(before[name], added, in: after)
      add(
        .removed, .screen, name, "", .migration, "open nodes of this screen need another screen, or must be popped, replaced or removed",
        at: ["screens", name], successor: successor)
    }
    for name in both {
      guard let one = before[name], let other = after[name] else { continue }
      compareParams(one.params, other.params, of: name, .screen, at: ["screens", name])
      if one.emits != other.emits {
        add(
          .changed, .screen, name, "emits \(Self.difference(one.emits, other.emits))", .behavior,
          "clients may send different steps from nodes of this screen",
          at: ["screens", name, "emits"])
      }
      for (member, steps) in [("seen", (one.steps.seen, other.steps.seen)), ("unseen", (one.steps.unseen, other.steps.unseen))]
      where steps.0 != steps.1 {
        add(.changed, .screen, name, member, .behavior, "nodes of this screen send a different step", at: ["screens", name, member])
      }
      if one.meta != other.meta {
        add(.changed, .screen, name, "meta", .behavior, "clients receive different metadata", at: ["screens", name, "meta"])
      }
    }
  }

  /// The steps that were added to and removed from an `emits`, as text such as `+open -close`. A set that is `nil` contains every step.
  private static func difference(_ old: Set<String>?, _ new: Set<String>?) -> String {
    guard let old else { return "only \((new ?? []).sorted().joined(separator: ", ")), was: all" }
    guard let new else { return "all, was: only \(old.sorted().joined(separator: ", "))" }
    let words = new.subtracting(old).sorted().map { "+\($0)" } + old.subtracting(new).sorted().map { "-\($0)" }
    return words.joined(separator: " ")
  }

  // MARK: params

  /// Compares the params of a screen, a flow or a step. `newPath` is the path of the part in the new file if the part is renamed.
  mutating func compareParams(
    _ before: [String: ParameterDefinition], _ after: [String: ParameterDefinition], of owner: String, _ subject: DefinitionChange.Subject,
    at path: [String], _ newPath: [String]? = nil
  ) {
    let newPath = newPath ?? path
    let (added, removed, both) = Self.names(before, after)
    let holders =
      subject == .step ? "posts, timers and calls that were created with the old definition" : "open nodes of the \(subject.rawValue)"
    for name in added {
      guard let type = after[name] else { continue }
      let (isOpen, text) = (!type.isOptional && type.defaultValue == nil, "param \(name), \(type.text)")
      add(
        .added, subject, "\(owner).\(name)", text, isOpen ? .migration : .none,
        isOpen ? "\(holders) need a value" : "\(holders) have \(type.defaultValue.map { "the default \($0.shortText)" } ?? "no value")",
        at: path + ["params", name], newPath + ["params", name], param: name)
    }
    for name in removed {
      guard let type = before[name] else { continue }
      let successor = Self.successor(type, added, in: after)
      add(
        .removed, subject, "\(owner).\(name)", "param \(name), \(type.text)", .migration,
        "the value in \(holders) would be lost", at: path + ["params", name], param: name, successor: successor)
    }
    for name in both {
      guard let one = before[name], let other = after[name], one != other else { continue }
      let narrowing = one.narrowing(to: other)
      add(
        .changed, subject, "\(owner).\(name)", "param \(name), \(other.text), was \(one.text)", narrowing == nil ? .none : .migration,
        narrowing.map { "the value in \(holders) \($0)" } ?? "all values in \(holders) are valid", at: path + ["params", name],
        newPath + ["params", name], param: name)
    }
  }

  // MARK: flows

  private mutating func compareFlows() {
    let (before, after) = (old.loaded.definition.flows, new.loaded.definition.flows)
    let (added, removed, both) = Self.names(before, after)
    for name in added { add(.added, .flow, name, "", .none, "no open node belongs to this flow", at: ["flows", name]) }
    for name in removed {
      let successor = Self.successor(before[name], added, in: after)
      add(
        .removed, .flow, name, "", .migration, "open nodes of this flow need another flow, or must be replaced or removed",
        at: ["flows", name], successor: successor)
    }
    for name in both {
      guard let one = before[name], let other = after[name] else { continue }
      compare(one, other, named: name)
    }
  }

  private mutating func compare(_ one: FlowDefinition, _ other: FlowDefinition, named name: String) {
    let path = ["flows", name]
    if one.container != other.container {
      add(
        .changed, .flow, name, "container \(other.container.rawValue), was \(one.container.rawValue)", .migration,
        "open nodes of this flow were created with the old container", at: path + [one.container.rawValue],
        path + [other.container.rawValue])
    }
    compareParams(one.params, other.params, of: name, .flow, at: path)
    compareFacts(one.facts, other.facts, of: name)
    if one.initialChildren != other.initialChildren {
      add(
        .changed, .flow, name, "initial nodes", .behavior, "open nodes keep their children; new nodes start with different ones",
        at: path)
    }
    let gone = Set(one.children).subtracting(other.children).sorted()
    if !gone.isEmpty {
      add(
        .changed, .flow, name, "children without \(gone.joined(separator: ", "))", .migration,
        "an open switch may show a child that the new definition does not allow",
        at: path + [other.container.rawValue])
    } else if one.children != other.children {
      let new = Set(other.children).subtracting(one.children).sorted()
      let change = new.isEmpty ? "order of the children" : "children with \(new.joined(separator: ", "))"
      add(.changed, .flow, name, change, .behavior, "open nodes follow the new definition", at: path + [other.container.rawValue])
    }
    compareHandlers(one.handle, other.handle, "handle", "handles", of: name)
    compareHandlers(one.adapt, other.adapt, "adapt", "adapts", of: name)
    for (isEqual, text, member) in [
      (one.tabs == other.tabs, "behavior of its tabs", other.container.rawValue), (one.gives == other.gives, "result", "gives"),
      (one.collapse == other.collapse, "condition for collapsing", "collapse"), (one.idle == other.idle, "time without an action", "idle"),
      (one.meta == other.meta, "meta", "meta"),
    ] where !isEqual {
      add(.changed, .flow, name, text, .behavior, "open nodes follow the new definition", at: path + [member])
    }
    if one.emits != other.emits {
      add(
        .changed, .flow, name, "emits \(Self.difference(one.emits, other.emits))", .behavior,
        "clients may send different steps from the screens of this flow",
        at: path + ["emits"])
    }
  }

  /// Compares the facts of a flow. If values in open nodes would be lost or may be invalid, a migration needs a line for the flow.
  private mutating func compareFacts(
    _ before: [String: ParameterDefinition], _ after: [String: ParameterDefinition], of flow: String
  ) {
    let (added, removed, both) = Self.names(before, after)
    let path = ["flows", flow, "facts"]
    for name in added {
      let value = after[name]?.defaultValue.map { "the default \($0.shortText)" } ?? "no value"
      add(.added, .flow, flow, "fact \(name), \(after[name]?.text ?? "")", .none, "open nodes have \(value)", at: path + [name])
    }
    for name in removed {
      add(
        .changed, .flow, flow, "no fact \(name), was \(before[name]?.text ?? "")", .migration, "its value in open nodes would be lost",
        at: path + [name])
    }
    for name in both {
      guard let one = before[name], let other = after[name], one != other else { continue }
      let narrowing = one.narrowing(to: other)
      add(
        .changed, .flow, flow, "fact \(name), \(other.text), was \(one.text)", narrowing == nil ? .none : .migration,
        narrowing.map { "its value in open nodes \($0)" } ?? "all values in open nodes are valid", at: path + [name])
    }
  }

  private mutating func compareHandlers<Part: Equatable>(
    _ before: [String: Part], _ after: [String: Part], _ member: String, _ verb: String, of flow: String
  ) {
    let (added, removed, both) = Self.names(before, after)
    let changed = both.filter { before[$0] != after[$0] }
    for (steps, kind, text) in [
      (added, Change.Kind.added, "\(verb) %"), (removed, .removed, "no longer \(verb) %"), (changed, .changed, "\(verb) % differently"),
    ] {
      for step in steps {
        add(
          kind, .flow, flow, text.replacing("%", with: step), .behavior, "the step has a different effect from the next action on",
          at: ["flows", flow, member, step])
      }
    }
  }

  // MARK: steps and facts

  private mutating func compareSteps() {
    let (before, after) = (old.loaded.definition.steps, new.loaded.definition.steps)
    let (added, removed, both) = Self.names(before, after)
    for name in added { add(.added, .step, name, "", .none, "no post, timer or call uses the step yet", at: ["steps", name]) }
    for name in removed {
      let successor = Self.successor(before[name], added, in: after)
      add(
        .removed, .step, name, "", .migration, "posts, timers and calls that were created with the old definition need another step",
        at: ["steps", name], successor: successor)
    }
    for name in both {
      guard let one = before[name], let other = after[name] else { continue }
      compareParams(one.params, other.params, of: name, .step, at: ["steps", name])
      if one.isClients != other.isClients || one.isOperators != other.isOperators {
        add(
          .changed, .step, name, other.isOperators ? "by: operator" : other.isInternal ? "no longer emitted" : "emitted", .behavior,
          other.isClients
            ? "clients may post it"
            : one.isClients ? "clients may no longer post the step" : "operators may \(other.isOperators ? "" : "no longer ")post it",
          at: ["steps", name])
      }
    }
  }

  private mutating func compareFacts() {
    let (before, after) = (old.loaded.definition.facts, new.loaded.definition.facts)
    let (added, removed, both) = Self.names(before, after)
    for name in added {
      guard let fact = after[name] else { continue }
      let value = fact.type.defaultValue.map { "the default \($0.shortText)" } ?? "no value"
      add(
        .added, .fact, name, fact.type.text, .none, "existing sessions get \(value); with rules: none, no rule is evaluated",
        at: ["facts", name])
    }
    for name in removed {
      let successor = Self.successor(before[name], added, in: after)
      add(
        .removed, .fact, name, before[name]?.type.text ?? "", .migration, "its value in sessions would be lost", at: ["facts", name],
        successor: successor)
    }
    for name in both {
      guard let one = before[name], let other = after[name] else { continue }
      if one.type != other.type {
        let narrowing = one.type.narrowing(to: other.type)
        add(
          .changed, .fact, name, "\(other.type.text), was \(one.type.text)", narrowing == nil ? .none : .migration,
          narrowing.map { "its value in sessions \($0)" } ?? "all values in sessions are valid", at: ["facts", name])
      }
      if one.environment != other.environment {
        add(.changed, .fact, name, "env", .behavior, "sessions keep their current value", at: ["facts", name, "env"])
      }
      if one.shares != other.shares {
        add(
          .changed, .fact, name, "assign", .behavior, "sessions keep their value; new sessions get values by the new weights",
          at: ["facts", name, "assign"])
      }
      if one.isShown != other.isShown {
        add(
          .changed, .fact, name, other.isShown ? "shown" : "not shown", .behavior,
          other.isShown ? "clients see the value after the move" : "clients no longer see it", at: ["facts", name, "shown"])
      }
      if one.isClients != other.isClients {
        add(
          .changed, .fact, name, other.isClients ? "by client" : "not by client", .behavior,
          other.isClients ? "clients may set it" : "clients may no longer set it", at: ["facts", name, "by"])
      }
      if one.isIndexed != other.isIndexed {
        add(
          .changed, .fact, name, other.isIndexed ? "indexed" : "not indexed", .behavior,
          "operators can \(other.isIndexed ? "" : "no longer ")search sessions by it", at: ["facts", name, "indexed"])
      }
    }
  }

  // MARK: lists

  private mutating func compareRules() {
    compareLists(
      old.loaded.definition.rules, new.loaded.definition.rules, .rule, "rules",
      added: "the rule is evaluated the next time a fact that it tests is written",
      removed: "the rule is no longer evaluated")
  }

  private mutating func compareLinks() {
    compareLists(
      old.loaded.definition.links, new.loaded.definition.links, .link, "links", added: "the link is matched from the next opened URL on",
      removed: "its URLs are no longer matched; a held link with such a URL is matched against the new links")
  }

  /// Compares lists whose elements have no names. Equal elements of both lists count as the same element.
  private mutating func compareLists<Part: Hashable>(
    _ before: [Part], _ after: [Part], _ subject: Change.Subject, _ member: String, added: String, removed: String
  ) {
    func strangers(_ parts: [Part], to others: [Part]) -> [Int] {
      var counts = Dictionary(others.map { ($0, 1) }) { $0 + $1 }
      return parts.indices.filter { index in
        guard let count = counts[parts[index]], count > 0 else { return true }
        counts[parts[index]] = count - 1
        return false
      }
    }
    func place(_ root: Element, _ index: Int) -> Position? {
      let list = root.members?.first { $0.name == member }?.element.list
      return list.flatMap { $0.indices.contains(index) ? $0[index].position : nil } ?? Self.place(root, [member])
    }
    for index in strangers(before, to: after) {
      changes.append(
        Change(
          kind: .removed, subject: subject, name: "\(index + 1)", text: "", effect: .behavior, consequence: removed,
          old: place(old.root, index), new: nil))
    }
    for index in strangers(after, to: before) {
      changes.append(
        Change(
          kind: .added, subject: subject, name: "\(index + 1)", text: "", effect: .behavior, consequence: added, old: nil,
          new: place(new.root, index)))
    }
    let isReordered = before != after && strangers(before, to: after).isEmpty && strangers(after, to: before).isEmpty
    if isReordered {
      add(.changed, .setting, member, "different order", .behavior, "another element of the list may match first", at: [member])
    }
  }

  // MARK: settings

  private mutating func compareSettings() {
    let (one, other) = (old.loaded.definition, new.loaded.definition)
    let texts: [(String, String, String)] = [
      ("unhandled", one.unhandled.rawValue, other.unhandled.rawValue), ("covered", one.covered.rawValue, other.covered.rawValue),
      ("holdAtMost", "\(one.heldLinks)", "\(other.heldLinks)"),
      ("allowHosts", one.hosts.joined(separator: ", "), other.hosts.joined(separator: ", ")),
      ("ttl", one.ttl.map { "\($0)" } ?? "none", other.ttl.map { "\($0)" } ?? "none"),
      ("offlineFor", one.offlineFor.map { "\($0)" } ?? "none", other.offlineFor.map { "\($0)" } ?? "none"),
      (
        "historyRetention", one.historyRetention.map { "\($0)" } ?? "none", other.historyRetention.map { "\($0)" } ?? "none"
      ),
    ]
    for (name, before, after) in texts where before != after {
      add(
        .changed, .setting, name, "\(after.isEmpty ? "none" : after), was \(before.isEmpty ? "none" : before)", .behavior,
        "the new value applies from the next action on", at: [name])
    }
    let rest: [(String, Bool)] = [
      ("root", one.root == other.root), ("notifications", one.notifications == other.notifications), ("oauth", one.oauth == other.oauth),
      ("unauthorized", one.unauthorized == other.unauthorized), ("unmatched", one.unmatched == other.unmatched),
    ]
    for (name, isEqual) in rest where !isEqual {
      add(
        .changed, .setting, name, "", .behavior,
        name == "root" ? "the new value applies to new sessions only" : "the new value applies from the next action on",
        at: [name])
    }
  }
}
