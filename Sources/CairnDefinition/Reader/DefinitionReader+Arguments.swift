import CairnCore

extension DefinitionReader {
  /// Reads the arguments in `with`, and reports each missing, unknown and wrongly typed one. If `params` is `nil`, they are unknown and nothing is checked.
  /// `isComplete` is whether a missing argument is an error.
  func arguments(
    _ element: Element?, for params: [String: ParameterDefinition]?, of what: String, at position: Position, in scope: Surroundings,
    by word: String = "with", isComplete: Bool = true
  ) -> [String: Expression] {
    let members = argumentMembers(element, of: what, by: word)
    guard let params else {
      var given: [String: Expression] = [:]
      for member in members ?? [] { given[member.name] = expression(member.element, in: scope) }
      return given
    }
    var given: [String: Expression] = [:]
    var hasStranger = members == nil
    var named = Set((members ?? []).map(\.name))
    for member in members ?? [] {
      let name = params[member.name] != nil ? member.name : meant(by: member, among: params, except: named, of: what)
      guard let name, let type = params[name] else {
        hasStranger = true
        continue
      }
      named.insert(name)
      guard let expression = expression(member.element, in: type.isSecret ? scope.readingSecrets : scope) else { continue }
      // A misspelled name is reported once; the type of its value is not checked.
      if name == member.name { check(expression, fits: type, "\(name) of \(what)", at: member.element.position, in: scope) }
      given[name] = expression
    }
    let missing = params.filter { !$0.value.isOptional && $0.value.defaultValue == nil && !named.contains($0.key) }
    if isComplete && !missing.isEmpty && !hasStranger {
      let list = missing.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.kind.rawValue)" }
      report("\(what) requires \(english(list, "and")) in \(word)", at: position)
    }
    return given
  }

  /// The members of the map of arguments; empty if `element` is `nil`. Reports any other value and returns `nil`.
  private func argumentMembers(_ element: Element?, of what: String, by word: String) -> [Element.Member]? {
    guard let element, !element.isNull else { return [] }
    if let members = element.members { return members }
    report("\(word) must be a map of the params of \(what), not \(article(element.kindName))", at: element.position)
    return nil
  }

  /// Reports an unknown argument, and returns the param that was probably meant; `nil` if there is none.
  private func meant(
    by member: Element.Member, among params: [String: ParameterDefinition], except named: Set<String>, of what: String
  ) -> String? {
    let known = names.known(params, of: what)
    let meant = known.nearest(to: member.name, isTaken: named.contains)
    reportUnknown(.param, "\(what) \(member.name)", at: member.position) {
      let all = params.isEmpty ? "it has none" : "it has \(listed(known.sorted))"
      return "\(what) has no param \(member.name); \(meant.map { "did you mean \($0)?" } ?? all)"
    }
    return meant
  }

  /// Reads a step to be sent: its name, or `{ step, with, to }`. If `follows`, the step takes the scope's params of the same name (those of the
  /// handled step, or the captures of a link), unless it has `with`. Returns `nil` after reporting an error.
  func step(_ element: Element, in scope: Surroundings, follows: Bool = false) -> StepTemplate? {
    if element.text != nil { return step(named: element, with: nil, to: nil, in: scope, follows: follows) }
    guard element.members != nil else {
      report("a step must be a name or a map with step and with, not \(described(element))", at: element.position)
      return nil
    }
    guard let fields = fields(of: element, "a step to send", .step) else { return nil }
    return step(from: fields, by: "step", in: scope, follows: follows)
  }

  /// Reads `send`, `with` and `to` from a map that may have more members. `follows` is as for a step on its own. Returns `nil` after reporting an error.
  func step(
    from fields: Fields, by word: String = "send", in scope: Surroundings, follows: Bool = false
  ) -> StepTemplate? {
    fields[word].flatMap { step(named: $0, with: fields["with"], to: fields["to"], in: scope, follows: follows) }
  }

  /// Reads `send: STEP` with the members `with` and `to`, or `send` with a list of steps. Returns no operation after reporting an error.
  func send(_ value: Element, _ fields: Fields, in scope: Surroundings) -> [Operation] {
    var templates: [StepTemplate] = []
    if let list = value.list {
      if list.isEmpty { report("send needs at least one step", at: value.position) }
      for member in ["with", "to"] where fields[member] != nil {
        report("send has several steps; put \(member) into the map of the step to which it applies", at: fields.position(of: member))
      }
      templates = list.compactMap { step($0, in: scope, follows: true) }
    } else if value.members != nil {
      report("send must be the name of a step, or a list; with and to stand next to it: send: STEP, with: { … }", at: value.position)
    } else if let template = step(from: fields, in: scope, follows: true) {
      templates = [template]
    }
    return templates.map { template in
      var template = template
      // A flow that does not handle the step passes it on to its parent, which therefore gets it at once: also from a flow that has just ended.
      if template.to == nil, flow?.handled.contains(template.step) == true { template.to = .current }
      if template.to == .parent { template.to = nil }
      return .forward(template)
    }
  }

  func step(
    named element: Element, with: Element?, to: Element?, in scope: Surroundings, follows: Bool
  ) -> StepTemplate? {
    let receiver = to.flatMap { destination($0, in: scope) }
    guard let name = name(element, of: .step) else { return nil }
    // The params are `nil` if the step's declaration could not be read.
    let params = names.step(name)?.params
    if follows, with == nil, let params, let running = scope.params, params.keys.contains(where: { running[$0] != nil }) {
      let own = running.keys.filter { params[$0] != nil }.sorted().map { name in
        Element.Member(
          name: name, position: element.position, element: Element(content: .scalar(.string("$" + name)), position: element.position))
      }
      let with = Element(content: .map(own), position: element.position)
      return StepTemplate(name, with: arguments(with, for: params, of: "the step \(name)", at: element.position, in: scope), to: receiver)
    }
    return StepTemplate(name, with: arguments(with, for: params, of: "the step \(name)", at: element.position, in: scope), to: receiver)
  }

  /// Reads one step to be sent, or a list of them. Steps with errors are reported and omitted.
  func steps(_ element: Element?, in scope: Surroundings) -> [StepTemplate] {
    var templates: [StepTemplate] = []
    for element in oneOrMore(element) { if let template = step(element, in: scope) { templates.append(template) } }
    return templates
  }
}
