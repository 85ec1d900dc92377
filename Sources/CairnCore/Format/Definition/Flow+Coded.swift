extension FlowDefinition: Coded {
  package static var blank: FlowDefinition { FlowDefinition(container: .stack) }

  package static func members<C: Coder & ~Copyable>(_ it: inout FlowDefinition, _ coder: inout C) throws(C.Failure) {
    try coder.member("container", &it.container)
    try coder.table("params", &it.params)
    try coder.table("facts", &it.facts)
    try InitialChildren.members(&it.initialChildren, &coder)
    try coder.list("children", &it.children)
    try coder.table("handle", &it.handle)
    try coder.table("adapt", &it.adapt)
    try coder.member("reselect", &it.tabs.reselect, unless: .nothing)
    try coder.member("back", &it.tabs.back, unless: .nothing)
    try coder.list("gates", &it.tabs.gates)
    try coder.member("gives", &it.gives)
    try coder.member("collapse", &it.collapse)
    var emits = it.emits.sorted()
    try coder.list("emits", &emits)
    if C.reads { it.emits = Set(emits) }
    try coder.list("idle", &it.idle)
    try coder.member("meta", &it.meta)
  }
}

extension Node.Kind: CodedValue {
  package static var blank: Node.Kind { .stack }

  package static func code<C: Coder & ~Copyable>(_ it: inout Node.Kind, _ coder: inout C) throws(C.Failure) {
    var word = it.stored.description
    try coder.code(&word)
    guard C.reads else { return }
    guard let kind = allCases.first(where: { word.isExactly($0.stored.description) }) else { return try coder.reject("an unknown kind") }
    it = kind
  }
}

/// The initial children have no object of their own; their members are members of the flow.
extension FlowDefinition.InitialChildren: Coded {
  package static var blank: FlowDefinition.InitialChildren { .empty }

  package static func members<C: Coder & ~Copyable>(_ it: inout FlowDefinition.InitialChildren, _ coder: inout C) throws(C.Failure) {
    coder.chooseIfAny(&it, ["root", "tabs", "master"], [.root(.blank), .tabs([]), .split(master: [], detail: .blank)])
    switch it {
    case .empty: break
    case .root(let root): it = try .root(coder.coded("root", root))
    case .tabs(let tabs): it = try .tabs(coder.coded("tabs", tabs))
    case .split(let master, let detail): it = try .split(master: coder.coded("master", master), detail: coder.coded("detail", detail))
    }
  }
}

/// Coded as the step that is sent, or as a boolean: `true` for `popToRoot`, `false` for `nothing`.
extension TabsManner.Reselect: CodedValue {
  package static var blank: TabsManner.Reselect { .nothing }

  package static func code<C: Coder & ~Copyable>(_ it: inout TabsManner.Reselect, _ coder: inout C) throws(C.Failure) {
    var step = it.step ?? .blank
    if coder.isObject(it.step != nil) {
      try StepTemplate.code(&step, &coder)
      it = .send(step)
    } else {
      var pops = it == .popToRoot
      try coder.code(&pops)
      it = pops ? .popToRoot : .nothing
    }
  }
}

extension TabsManner.Back: CodedWord {
  package static var blank: TabsManner.Back { .nothing }
}

extension TabGate: Coded {
  package static var blank: TabGate { TabGate("", requires: .blank) }

  package static func members<C: Coder & ~Copyable>(_ it: inout TabGate, _ coder: inout C) throws(C.Failure) {
    try coder.member("tab", &it.tab)
    try coder.member("requires", &it.requires)
    try coder.member("else", &it.otherwise)
  }
}

/// Coded as the list of its branches.
extension Handler: CodedValue {
  package static var blank: Handler { Handler(branches: []) }

  package static func code<C: Coder & ~Copyable>(_ it: inout Handler, _ coder: inout C) throws(C.Failure) {
    try coder.code(&it.branches)
  }
}

extension Handler.Branch: Coded {
  package static var blank: Handler.Branch { Handler.Branch(operations: []) }

  package static func members<C: Coder & ~Copyable>(_ it: inout Handler.Branch, _ coder: inout C) throws(C.Failure) {
    try coder.member("when", &it.when)
    try coder.list("do", &it.operations)
  }
}

extension Adaptation: Coded {
  package static var blank: Adaptation { Adaptation(when: .blank, to: .blank) }

  package static func members<C: Coder & ~Copyable>(_ it: inout Adaptation, _ coder: inout C) throws(C.Failure) {
    try coder.member("when", &it.when)
    try coder.member("to", &it.to)
  }
}
