import CairnCore

/// Reads all declarations of a file, before the parts that refer to them.
struct DeclarationReader: PartReader {
  let context: ReaderContext

  func declare(_ file: Fields) {
    names.hosts = urls.loadHosts(file["allowHosts"])
    names.hasOAuth = file["oauth"] != nil
    for section in ["root", "screens", "flows"] { names.secretMembers.formUnion(file[section].map(secretSources.membersOfLoads) ?? []) }
    for member in declarations(file["sets"], "`sets`", .set) {
      names.sets.updateValue(values(of: member), forKey: member.name)
    }
    for member in declarations(file["facts"], "`facts`", .fact) where isDeclarable(member) {
      names.facts.updateValue(fact(member), forKey: member.name)
    }
    for member in declarations(file["steps"], "`steps`", .step) { declareStep(member, in: "steps") }
    for member in declarations(file["screens"], "`screens`", .screen) { declareScreen(member) }
    for member in declarations(file["flows"], "`flows`", .flow) { declareFlow(member) }
    declareEmitted(file)
    // Screens and flows declare steps too, so an unreadable section of nodes makes the steps unreadable.
    if names.isUnreadable(.node) { names.unreadable.insert(.step) }
  }

  /// Returns the members of a section that declares names. Reports invalid names, and a section that is not a map.
  private func declarations(_ element: Element?, _ what: String, _ kind: NameKind) -> [Element.Member] {
    guard let element, !element.isNull else { return [] }
    guard let members = element.members else {
      names.unreadable.insert(kind)
      report(
        "\(what) must be a map with a name for each \(kind.rawValue), not \(article(element.kindName))", at: element.position)
      return []
    }
    // An invalid name is reported but still declared, so that its uses cause no further errors.
    for member in members { _ = isName(member, kind) }
    return members
  }

  private func values(of member: Element.Member) -> ValueSet? {
    guard let list = member.element.list, !list.isEmpty else {
      report("the set `\(member.name)` must be a list of values, like `[1, 2]`", at: member.element.position)
      return nil
    }
    return ValueSet(list.map(\.value), name: member.name)
  }

  // MARK: Facts

  private func isDeclarable(_ member: Element.Member) -> Bool {
    if FactDefinition.ofApp[member.name] != nil {
      reportUnlessStored("`\(member.name)` is built in, and the action `appState` writes it; remove it here", at: member.position)
      return context.isStored
    }
    guard member.name == FactDefinition.accessToken else { return true }
    report("`accessToken` is built in; remove it here, and test it with `is: present` or `is: absent`", at: member.position)
    return false
  }

  private func fact(_ member: Element.Member) -> FactDefinition? {
    var variable: String?
    var isShown = false
    var isClients = false
    var isIndexed = false
    var shares: [Int] = []
    var typeElement = member.element
    if let members = member.element.members {
      let (env, shown) = (members.first { $0.name == "env" }, members.first { $0.name == "shown" })
      variable = env.flatMap { environmentName($0.element) }
      isShown = flag(shown?.element, "`shown`")
      if let shown, env == nil {
        report("`shown` is allowed only for a fact with `env`; remove it, because other facts are always shown", at: shown.position)
      }
      if let by = members.first(where: { $0.name == "by" }) {
        isClients = true
        if by.element.text != "client" { report("`by` of a fact must be `client`, not \(described(by.element))", at: by.element.position) }
        if env != nil {
          report("a fact with `env` cannot have `by: client`, because its value comes from the environment", at: by.position)
        }
      }
      isIndexed = flag(members.first { $0.name == "indexed" }?.element, "`indexed`")
      typeElement.content = .map(members.filter { !["env", "shown", "by", "indexed", "assign"].contains($0.name) })
    }
    guard var type = types.type(typeElement, "the fact `\(member.name)`") else { return nil }
    if variable != nil, type.kind == .list {
      report("the fact `\(member.name)` is a list, but an environment variable has one text; use `string`", at: member.position)
    }
    if let assign = member.element.members?.first(where: { $0.name == "assign" }) {
      shares = assignments.shares(assign, of: &type, "the fact `\(member.name)`", hasOtherSource: variable != nil || isClients)
    }
    if type.defaultValue == nil { type.isOptional = true }
    var fact = FactDefinition(
      type: type, environment: variable, isShown: isShown || variable == nil, isClients: isClients, isIndexed: isIndexed)
    fact.shares = shares
    return fact
  }

  // MARK: Steps

  /// Declares a step with its params, in `steps` or in an `emits`. Reports a step that is declared twice.
  private func declareStep(_ member: Element.Member, in section: String) {
    guard let members = member.element.members ?? (member.element.isNull ? [] : nil) else {
      report(
        "the step `\(member.name)` must be a map of its params, like `{ id: integer }`, not \(article(member.element.kindName))",
        at: member.element.position)
      names.steps.updateValue(nil, forKey: member.name)
      return
    }
    if let first = names.stepPositions.updateValue(member.position, forKey: member.name) {
      report(
        "the step `\(member.name)` is declared twice; it was declared \(first.words(besides: member.position)), so name it only here",
        at: member.position)
      return
    }
    var isOperators = false
    var others: [Element.Member] = []
    for member in members {
      if member.name == "by", member.element.text == "operator", section == "steps" {
        isOperators = true
      } else if member.name == "internal", case .scalar(.bool) = member.element.content {
        report("`internal` is not needed: clients may send a step only if a screen or flow emits it; remove it", at: member.position)
      } else {
        others.append(member)
      }
    }
    let params = types.params(others, of: "the step `\(member.name)`")
    names.steps.updateValue(params.map { StepDefinition(params: $0, isOperators: isOperators) }, forKey: member.name)
  }

  /// Declares the steps that screens and flows emit, and, without params, each other step that a flow handles. Then marks the steps that
  /// are not emitted as internal, except steps of operators. If `compat` lets screens without `emits` send every step, no step is internal.
  private func declareEmitted(_ file: Fields) {
    let flows = file["flows"]?.members ?? []
    var emitted: Set<String> = []
    for owner in (file["screens"]?.members ?? []) + flows {
      // A misspelled `emits` is reported with the other members.
      let members = owner.element.members ?? []
      let found = members.first { $0.name == "emits" } ?? members.first { NearestName.of($0.name, among: ["emits"]) != nil }
      guard let emits = found?.element else { continue }
      for member in emits.members ?? [] where isName(member, .step) {
        emitted.insert(member.name)
        if !member.element.isNull { declareStep(member, in: "emits") }
      }
      emitted.formUnion((emits.list ?? []).compactMap(\.text).filter { NameKind.step.allows($0) })
    }
    var named = emitted
    for flow in flows {
      let handlers = flow.element.members?.first { $0.name == "handle" }?.element.members ?? []
      named.formUnion(handlers.map(\.name).filter { NameKind.step.allows($0) })
    }
    for name in named where !names.steps.keys.contains(name) { names.steps[name] = StepDefinition() }
    guard !context.compat.emitsAny else { return }
    for (name, step) in names.steps where !emitted.contains(name) && step?.isOperators == false {
      names.steps[name]??.isInternal = true
    }
  }

  // MARK: Screens

  private func declareScreen(_ member: Element.Member) {
    let declared: [String: ParameterDefinition]?
    if let element = member.element.members?.first(where: { $0.name == "params" })?.element, !element.isNull {
      if let members = element.members {
        declared = types.params(members, of: "the screen `\(member.name)`")
      } else {
        report(
          "`params` of the screen `\(member.name)` must be a map, like `{ id: integer }`, not \(article(element.kindName))",
          at: element.position)
        declared = nil
      }
    } else if let members = member.element.members, !members.isEmpty, !member.element.has("params") {
      // A misspelled `params`, such as `parms: {…}`, is reported with the screen's other members. The params are then unknown.
      declared = members.contains { NearestName.of($0.name, among: ["params"]) != nil } ? nil : [:]
    } else {
      declared = [:]
    }
    names.screens.updateValue(declared, forKey: member.name)
  }

  // MARK: Flows

  /// The declared result of a flow; `nil` if it could not be read.
  private func result(_ element: Element, of flow: String) -> [String: ParameterDefinition]? {
    if element.isNull { return [:] }
    if let members = element.members { return types.params(members, of: "the result of `\(flow)`", mayBeSecret: false) }
    report("`gives` of `\(flow)` must be a map, like `{ id: integer }`, not \(article(element.kindName))", at: element.position)
    return nil
  }

  private func declareFlow(_ member: Element.Member) {
    guard let fields = fields(of: member.element, "the flow `\(member.name)`", .flow) else {
      names.flows.updateValue(nil, forKey: member.name)
      return
    }
    var flow = DeclaredNames.Flow(fields: fields, container: container(fields, of: member.name))
    flow.rootScreen = fields["screen"]?.text
    if let gives = fields.members["gives"] {
      flow.hasGives = true
      flow.gives = result(gives.element, of: member.name)
    } else if let handlers = fields["handle"]?.members, handlers.contains(where: { Self.finishes($0.element) }) {
      flow.hasGives = true
      flow.gives = [:]
    }
    flow.params = params(fields, of: member.name, flow.container)
    flow.facts = flowFacts(fields["facts"], of: member.name)
    names.flows.updateValue(flow, forKey: member.name)
  }

  /// The declared params of a flow; `nil` if they could not be read.
  private func params(_ fields: Fields, of flow: String, _ container: Node.Kind?) -> [String: ParameterDefinition]? {
    guard let element = fields["params"], !element.isNull else { return [:] }
    if container == .screen {
      report(
        "`params` is not allowed in the flow `\(flow)`, which has the params of its screen; declare them there",
        at: fields.position(of: "params"))
      return nil
    }
    if let members = element.members { return types.params(members, of: "the flow `\(flow)`") }
    report("`params` of the flow `\(flow)` must be a map, like `{ id: integer }`, not \(article(element.kindName))", at: element.position)
    return nil
  }

  /// The facts of a flow. A fact without a default may have no value. Facts with errors are reported and omitted.
  private func flowFacts(_ element: Element?, of flow: String) -> [String: ParameterDefinition] {
    guard let element, !element.isNull else { return [:] }
    guard let members = element.members else {
      report(
        "`facts` of the flow `\(flow)` must be a map, like `{ amount: number }`, not \(article(element.kindName))", at: element.position)
      return [:]
    }
    var facts: [String: ParameterDefinition] = [:]
    for member in members where isName(member, .fact) {
      if names.facts.keys.contains(member.name) {
        report(
          "`\(member.name)` is a fact of the session, so a flow cannot have a fact with this name; rename the flow's fact",
          at: member.position)
      } else if FactDefinition.ofApp[member.name] != nil || member.name == FactDefinition.accessToken {
        report(
          "`\(member.name)` is a built-in fact of the session, so a flow cannot have a fact with this name; rename the flow's fact",
          at: member.position)
      } else if var type = types.type(member.element, "the fact `\(member.name)`", mayBeSecret: true) {
        if type.defaultValue == nil { type.isOptional = true }
        facts[member.name] = type
      }
      // Even if the type of a fact could not be read, its name is recorded, so that uses of the fact cause no further errors.
      names.flowsOfFacts[member.name, default: []].append(flow)
    }
    return facts
  }

  /// The container of a flow: the only container word among the flow's members. Reports a flow with no container or with several
  /// containers, and returns `nil`.
  private func container(_ fields: Fields, of name: String) -> Node.Kind? {
    let present = Node.Kind.ofFlows.filter { fields[$0.rawValue] != nil }
    if let first = present.first, present.count == 1 { return first }
    // An earlier name of a container has already been reported with its remedy.
    guard fields.former.isEmpty else { return nil }
    let words = english(Node.Kind.ofFlows.map(\.rawValue), "or")
    report(
      present.isEmpty
        ? "the flow `\(name)` needs a container: \(words)"
        : "the flow `\(name)` has \(english(present.map(\.rawValue), "and")), but a flow has one container",
      at: present.isEmpty ? fields.position : fields.position(of: present[1].rawValue))
    return nil
  }

  /// Whether a handler has the operation `finish`.
  private static func finishes(_ element: Element) -> Bool {
    if let list = element.list { return list.contains(where: finishes) }
    if let operations = element.members?.first(where: { $0.name == "do" })?.element { return finishes(operations) }
    return element.text == OperationWord.finish.rawValue || element.has(OperationWord.finish.rawValue)
  }
}
