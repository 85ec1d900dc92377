import CairnCore

extension MemberTable.Member {
  /// The member `to`, which every step that is sent may have together with `step` and `with`.
  static let to = MemberTable.Member(
    "to", .text,
    "Recipient of the step: `parent`, `current` (the sending flow), `root`, `all` (every flow), or a flow's name. The default depends on the sender."
  )
}

/// Reads the steps that a definition sends, and their recipients.
struct StepReader: PartReader {
  let context: ReaderContext

  /// Reads a step to be sent: its name, or `{ step, with, to }`. If `follows` is true, a step without `with` takes its params from the params of the
  /// scope that have the same names. These are the params of the handled step, the captures of a link, or the values of a notification. Returns `nil`
  /// after reporting an error.
  func step(_ element: Element, in scope: Surroundings, follows: Bool = false) -> StepTemplate? {
    if element.text != nil { return step(named: element, with: nil, to: nil, in: scope, follows: follows) }
    guard element.members != nil else {
      report("a step must be a name or a map with `step` and `with`, not \(described(element))", at: element.position)
      return nil
    }
    guard let fields = fields(of: element, "a step to send", .step) else { return nil }
    return step(from: fields, by: "step", in: scope, follows: follows)
  }

  /// Reads `send`, `with` and `to` from a map that may have more members. `follows` has the same meaning as in `step(_:in:follows:)`.
  /// Returns `nil` after reporting an error.
  func step(
    from fields: Fields, by word: String = "send", in scope: Surroundings, follows: Bool = false
  ) -> StepTemplate? {
    fields[word].flatMap { step(named: $0, with: fields["with"], to: fields["to"], in: scope, follows: follows) }
  }

  /// Reads a step by its name, with its arguments and its recipient. `follows` has the same meaning as in `step(_:in:follows:)`. Returns
  /// `nil` after reporting an error.
  func step(
    named element: Element, with: Element?, to: Element?, in scope: Surroundings, follows: Bool
  ) -> StepTemplate? {
    let receiver = to.flatMap { destination($0, in: scope) }
    guard let name = name(element, of: .step) else { return nil }
    // The params are `nil` if the step's declaration could not be read.
    let params = names.step(name)?.params
    var with = with
    if follows, with == nil, let params, let running = scope.params, params.keys.contains(where: { running[$0] != nil }) {
      let own = running.keys.filter { params[$0] != nil }.sorted().map { name in
        Element.Member(
          name: name, position: element.position, element: Element(content: .scalar(.string("$" + name)), position: element.position))
      }
      with = Element(content: .map(own), position: element.position)
    }
    let arguments = expressions.arguments(with, for: params, of: "the step `\(name)`", at: element.position, in: scope)
    return StepTemplate(name, with: arguments, to: receiver)
  }

  /// Reads one step to be sent, or a list of steps. Steps with errors are reported and omitted.
  func steps(_ element: Element?, in scope: Surroundings) -> [StepTemplate] {
    var templates: [StepTemplate] = []
    for element in oneOrMore(element) { if let template = step(element, in: scope) { templates.append(template) } }
    return templates
  }

  /// Reads the steps that a node itself sends: `removed`, `seen` and `unseen`. Expressions in `scope` can read the node's content.
  func steps(of fields: Fields, in scope: Surroundings) -> NodeSteps {
    var sight = scope
    sight.hasSight = true
    return NodeSteps(
      removed: fields["removed"].flatMap { step($0, in: scope) }, seen: fields["seen"].flatMap { step($0, in: sight) },
      unseen: fields["unseen"].flatMap { step($0, in: scope) })
  }

  /// Reads `send: STEP` with the members `with` and `to`, or `send` with a list of steps. Steps with errors are reported and omitted.
  func send(_ value: Element, _ fields: Fields, in scope: Surroundings) -> [Operation] {
    var templates: [StepTemplate] = []
    if let list = value.list {
      if list.isEmpty { report("`send` needs at least one step", at: value.position) }
      for member in ["with", "to"] where fields[member] != nil {
        report("`send` has several steps; put `\(member)` into the map of the step to which it applies", at: fields.position(of: member))
      }
      templates = list.compactMap { step($0, in: scope, follows: true) }
    } else if value.members != nil {
      report(
        "`send` must be the name of a step, or a list; write `with` and `to` next to it: `send: STEP, with: { … }`", at: value.position)
    } else if let template = step(from: fields, in: scope, follows: true) {
      templates = [template]
    }
    return templates.map { template in
      var template = template
      // Without `to`, the flow itself receives the step if it has a handler for the step. Otherwise the step is sent directly to the parent
      // (`nil`), so that it arrives even if the flow has just ended.
      if template.to == nil, flow?.handled.contains(template.step) == true { template.to = .current }
      if template.to == .parent { template.to = nil }
      return .forward(template)
    }
  }

  /// Reads `parent | current | root | all | FLOW`. Returns `nil` after reporting an error.
  func destination(_ element: Element, in scope: Surroundings) -> Operation.Destination? {
    guard let text = text(element, "`to`") else { return nil }
    let destination = Operation.Destination(rawValue: text)
    switch destination {
    case .root, .all: return destination
    case .parent, .current:
      // No flow sends the step of a link or notification.
      guard scope.hasCaptures else { return destination }
      report("`to` of a link's step must be `root`, `all` or a flow's name, not `\(text)`, because no flow sends it", at: element.position)
      return nil
    case .flow(let name):
      if names.isKnown(.flow, name) || names.unreadable.contains(.flow) { return destination }
      let known = KnownNames(names.known(.flow).sorted + Operation.Destination.words.map(\.rawValue))
      reportUnknown(.flow, name, at: element.position) {
        let meant = known.nearest(to: name).map { "did you mean `\($0)`?" }
        return "there is no flow `\(name)`; \(meant ?? "`to` must be `parent`, `current`, `root`, `all` or a flow's name")"
      }
      return nil
    }
  }

  /// Reports a step to the parent that the root flow sends, because the root flow has no parent.
  func checkParent(_ template: StepTemplate, at position: Position) {
    if template.to == .parent { report("`to` must not be `parent`: the root flow, which sends the step, has no parent", at: position) }
  }

  /// Reads `end: STEP`. Reports a step to the current flow, because a flow that has ended receives no steps. Returns `nil` after reporting
  /// an error.
  func end(_ value: Element, in scope: Surroundings) -> Operation? {
    checkCompat(.end, at: value.position)
    guard let template = step(value, in: scope, follows: true) else { return nil }
    if template.to == .current { report("a flow that has ended receives no steps; name another flow in `to`", at: value.position) }
    return .end(template)
  }
}
