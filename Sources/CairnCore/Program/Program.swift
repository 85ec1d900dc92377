/// A definition compiled into tables: screens, flows and steps by number, handlers by step, rules with the facts that they read, contracts as bit sets.
/// Immutable.
final class Program: Sendable {
  let definition: Definition
  /// The names of screens and flows. Records refer to them by number.
  let names: Names
  /// The screens and flows by the number of their name; `nil` if no screen, or no flow, has the name.
  let screens: [Screen?]
  let flows: [Flow?]
  let steps: [Step]
  let rules: [Rule]
  let collapses: [Collapse]
  #if !CLIENT_ENGINE
    /// The loads that restart themselves. The engine in a client does not need them, because it ends no loads.
    let restarts: Restarts
    /// The moments at which a rule, a held link or the gate of a tab must be evaluated.
    let moments: [Moment]
    /// Whether a condition or a timer has a time zone.
    let hasZones: Bool
    /// Whether a flow has an inactivity timer.
    let hasIdle: Bool
  #endif
  let root: NodeTemplate
  /// Whether a container shows several screens at once.
  let showsSeveralScreens: Bool
  /// Whether a node has a guard that runs before a gesture dismisses it.
  let hasLeave: Bool
  /// Whether a tab can be selected only while a condition is true.
  let hasGates: Bool
  /// Whether a flow's `back` follows the history of its tabs.
  let hasTabHistory: Bool
  /// Whether a guard or the gate of a tab may stop a gesture, or `back` uses the history of tabs.
  let followsGestures: Bool
  /// The numbers of the steps by which users answer the questions of guards.
  let answers: StepSet
  /// Whether a screen or node has a `seen` or `unseen` step.
  let followsSight: Bool
  /// Whether a flow has steps that all screens below it may emit.
  let hasSharedSteps: Bool
  /// Whether any flow declares facts.
  let hasFlowFacts: Bool
  /// Whether a screen or flow has metadata, which clients read and the engine ignores.
  let hasMeta: Bool
  /// Whether a step or screen has a secret param, or a load has a secret member.
  let hasSecretParams: Bool
  #if !CLIENT_ENGINE
    /// Whether a load has a secret member, so that content may refer to secrets.
    let hasSecretContent: Bool
  #endif
  /// Whether the definition names a fact that `appState` actions write.
  let tellsAppState: Bool
  /// The facts that clients cannot see.
  let hiddenFacts: [String]
  /// Whether steps that are stored in nodes may contain values of hidden facts.
  let hidesStepValues: Bool
  /// The facts that clients may set, with the names of their types.
  let clientFacts: [String: String]
  /// The values that an engine in a client does not have; `nil` in the service, which has all values.
  let withheld: WithheldValues?
  /// Reads tzdata; `nil` if the program knows no zones, as in an engine in a client.
  let zoneData: ZoneData?
  private let stepNumbers: StepNumbers

  /// The name of the pane that contains the master of a split.
  static let master = "master"

  final class Screen: Sendable {
    let params: ParameterContract
    /// The steps that the screen may emit; `nil` for all steps.
    let emits: StepSet?
    /// The steps that a node of the screen sends when the user sees it or no longer sees it, unless the node has its own.
    let steps: NodeSteps
    let meta: Value?

    init(params: ParameterContract, emits: StepSet?, steps: NodeSteps, meta: Value?) {
      self.params = params
      self.emits = emits
      self.steps = steps
      self.meta = meta
    }
  }

  final class Flow: Sendable {
    let name: String
    let kind: Node.Kind
    /// The declared params. Empty for a `screen` flow, which has the params of its screen.
    let params: ParameterContract
    /// The types of the flow's facts.
    let facts: [String: ParameterDefinition]
    /// The facts that have a value when the flow is created.
    let firstFacts: [String: Value]
    let initialChildren: InitialChildren
    /// The handlers by the number of the step.
    let handlers: [Handler?]
    let adaptations: [[Adaptation]?]
    /// The steps that the flow handles or adapts.
    let heard: StepSet
    /// The behavior of tabs. Unused by other containers.
    let manner: Manner
    /// The declared members of the flow's result.
    let gives: ParameterContract
    /// The condition under which a split is laid out as a stack.
    let collapse: Guard?
    /// The steps that all screens below the flow may emit.
    let emits: StepSet
    let meta: Value?

    init(
      _ name: String, kind: Node.Kind, params: ParameterContract, facts: [String: ParameterDefinition], initialChildren: InitialChildren,
      handlers: [Handler?], adaptations: [[Adaptation]?], manner: Manner,
      gives: ParameterContract, collapse: Guard?, emits: StepSet, meta: Value?
    ) {
      self.emits = emits
      self.name = name
      self.kind = kind
      self.params = params
      self.facts = facts
      firstFacts = facts.compactMapValues { $0.defaultValue }
      self.initialChildren = initialChildren
      self.handlers = handlers
      self.adaptations = adaptations
      self.gives = gives
      self.collapse = collapse
      heard = StepSet(handlers.indices.filter { handlers[$0] != nil || adaptations[$0] != nil })
      self.manner = manner
      self.meta = meta
    }
  }

  /// The reaction of tabs to gestures that no tab handles.
  struct Manner: Sendable {
    let reselect: Reselect
    let back: TabsManner.Back
    /// The gates of the tabs, by the names of the tabs.
    let gates: [TabGate]

    enum Reselect: Sendable {
      case nothing, popToRoot
      case send(CompiledStep)
    }
  }

  enum InitialChildren: Sendable {
    case empty
    case root(NodeTemplate)
    case tabs([NodeTemplate])
    case split(master: [NodeTemplate], detail: NodeTemplate)
  }

  final class Step: Sendable {
    let name: String
    let isInternal: Bool
    let isOperators: Bool
    let isDeclared: Bool
    let params: ParameterContract
    /// The step as listed in `Acceptance`; `nil` if clients may not post it.
    let accepted: Acceptance.AcceptedStep?

    /// Creates the entry of a step. `step` is the step's declaration, if there is one.
    init(_ name: String, _ step: StepDefinition?, params: ParameterContract) {
      accepted = step?.isClients == true ? .init(step: name, params: params.definitions.mapValues { $0.shortName }) : nil
      self.name = name
      isInternal = step?.isInternal ?? false
      isOperators = step?.isOperators ?? false
      isDeclared = step != nil
      self.params = params
    }
  }

  final class Handler: Sendable {
    let branches: [(when: Guard?, instructions: [Instruction])]

    init(branches: [(when: Guard?, instructions: [Instruction])]) { self.branches = branches }
  }

  struct Adaptation: Sendable {
    let when: Guard
    let to: CompiledStep
  }

  struct Rule: Sendable {
    let when: Guard
    /// The facts whose writes cause the condition to be evaluated.
    let facts: Set<String>
    let step: CompiledStep
  }

  /// The condition under which the splits of a flow are laid out as stacks.
  struct Collapse: Sendable {
    /// The number of the flow's name.
    let flow: Int32
    let when: Guard
    /// The facts whose writes cause the condition to be evaluated.
    let facts: Set<String>
  }

  init(
    _ definition: Definition, trail: Trail? = nil, names: Names? = nil, withheld: WithheldValues? = nil, zones: ZoneData? = nil
  ) {
    let compiler = Compiler(definition, trail: trail, names: names)
    self.definition = definition
    self.withheld = withheld
    self.names = compiler.names
    stepNumbers = compiler.stepNumbers
    steps = compiler.steps
    screens = compiler.names.texts.map { name in definition.screens[name].map { compiler.screen($0) } }
    flows = compiler.names.texts.map { name in definition.flows[name].map { compiler.flow(name, $0) } }
    rules = definition.rules.map { Rule(when: $0.when, facts: $0.when.facts, step: compiler.compile($0.step)) }
    root = compiler.compile(definition.root)
    collapses = definition.flows.sortedByKey.compactMap { name, flow in
      guard let when = flow.collapse, let number = compiler.names.number(name) else { return nil }
      return Collapse(flow: number, when: when, facts: when.facts)
    }
    #if !CLIENT_ENGINE
      restarts = Restarts(definition)
      moments =
        (definition.rules.map { $0.when } + definition.links.flatMap { [$0.when, $0.requires].compactMap { $0 } }
        + definition.flows.values.flatMap { $0.tabs.gates.map { $0.requires } }).flatMap { $0.moments }
      hasZones = definition.hasZones
      hasIdle = definition.flows.values.contains { !$0.idle.isEmpty }
    #endif
    hiddenFacts = definition.facts.filter { !$0.value.isShown }.keys.sorted()
    #if CLIENT_ENGINE
      // An engine in a client does not send its state, so no values are hidden.
      hidesStepValues = false
    #else
      hidesStepValues = definition.hidesStepValues
    #endif
    hasLeave = definition.hasLeave
    hasGates = definition.flows.values.contains { !$0.tabs.gates.isEmpty }
    hasTabHistory = definition.flows.values.contains { $0.tabs.back == .history }
    followsGestures = hasLeave || hasGates || hasTabHistory
    answers = StepSet(definition.answersToGuards.compactMap { compiler.stepNumbers[$0] })
    clientFacts = definition.facts.filter { $0.value.isClients }.mapValues { $0.type.shortName }
    followsSight = definition.followsSight
    hasSharedSteps = definition.flows.values.contains { !$0.emits.isEmpty }
    hasFlowFacts = definition.flows.values.contains { !$0.facts.isEmpty }
    let hasSecretParams =
      definition.steps.values.contains { $0.params.values.contains { $0.isSecret } }
      || definition.screens.values.contains { $0.params.values.contains { $0.isSecret } }
    #if CLIENT_ENGINE
      self.hasSecretParams = hasSecretParams
    #else
      hasSecretContent = definition.loads.contains { $0.request?.secretMembers.isEmpty == false }
      self.hasSecretParams = hasSecretParams || hasSecretContent
    #endif
    zoneData = zones
    hasMeta = definition.flows.values.contains { $0.meta != nil } || definition.screens.values.contains { $0.meta != nil }
    tellsAppState = definition.facts[FactDefinition.appState] == FactDefinition.ofApp[FactDefinition.appState]
    showsSeveralScreens = flows.contains { $0?.kind.rules?.showsAllChildren ?? false }
  }

  /// The number of a step; `nil` if the definition does not name the step.
  func step(_ name: String) -> Int? { stepNumbers[name] }

  /// Compiles a template of a step that a node or an effect contains.
  func compile(_ template: StepTemplate) -> CompiledStep {
    let number = step(template.step)
    return CompiledStep(
      number: number ?? -1, name: template.step, with: Recipe(template.with), to: template.to,
      params: number.map { steps[$0].params } ?? ParameterContract([:]))
  }

  /// The template of a screen with known params.
  func compile(screen: String, params: [String: Value]) -> NodeTemplate {
    NodeTemplate(
      target: names.number(screen).map(NodeTemplate.Target.screen) ?? .missing(screen), with: Recipe(params.mapValues(Expression.literal)))
  }

  /// The screen of a leaf or of a `screen` flow; `nil` if it is not in this definition.
  func screen(of record: NodeRecord) -> Screen? { Int(record.name) < screens.count ? screens[Int(record.name)] : nil }

  /// The metadata of a flow or screen, which clients read and the engine ignores; `nil` if there is none. If the state was read from the
  /// disk and has not run yet, its name table lacks the definition's numbers; the names are then compared.
  func meta(of record: NodeRecord, in nodes: NodeTable) -> Value? {
    guard nodes.names.isBuilt(on: names) else {
      let meta = nodes.flow(of: record).flatMap { definition.flows[$0]?.meta }
      return meta ?? (record.isLeaf ? definition.screens[nodes.name(of: record)]?.meta : nil)
    }
    return flow(of: record)?.meta ?? (record.isLeaf ? screen(of: record)?.meta : nil)
  }

  /// The flow that a node is an instance of; `nil` if the node is not a flow, or the flow is not in this definition.
  func flow(of record: NodeRecord) -> Flow? {
    record.flow >= 0 && Int(record.flow) < flows.count ? flows[Int(record.flow)] : nil
  }
}
