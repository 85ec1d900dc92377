import CairnCore

/// The declarations of a definition. A declaration that could not be read is `nil`: its name counts as declared, but the uses of this name
/// are not checked.
final class DeclaredNames {
  var sets: [String: ValueSet?] = [:]
  /// For each set and each type with which it is used, the first value that does not fit the type; `nil` if all values fit.
  private var misfits: [SetUse: Value?] = [:]
  /// The size of the values of named sets in bytes, counted at each use in `until`.
  private var spelledSets = 0
  var facts: [String: FactDefinition?] = [:]
  var steps: [String: StepDefinition?] = [:]
  /// The positions of the steps that are declared in `steps`, or with params in an `emits`, by the steps' names.
  var stepPositions: [String: Position] = [:]
  /// The params of each screen.
  var screens: [String: [String: ParameterDefinition]?] = [:]
  var flows: [String: Flow?] = [:]
  /// For each name of a flow's fact, the flows that declare a fact with this name.
  var flowsOfFacts: [String: [String]] = [:]
  /// The paths of the secret members of all loads. A load's node is unknown here, so the members are secret in the content of every node.
  var secretMembers: Set<String> = []
  var hosts: [WrittenHost] = []
  var hasOAuth = false
  /// The declared names of each kind, sorted. Filled when an unknown name is first looked up.
  private var prepared: [NameKind: KnownNames] = [:]
  /// The kinds whose section could not be read. No name of these kinds is reported as unknown.
  var unreadable: Set<NameKind> = []

  /// The params of an owner, such as a step. Filled when an unknown param is first looked up.
  private var preparedParams: [String: KnownNames] = [:]

  /// Creates an empty set of declarations.
  init() {}

  /// The declarations of a definition that has already been read.
  init(of definition: Definition) {
    facts = definition.facts.mapValues(Optional.some)
    steps = definition.steps.mapValues(Optional.some)
    screens = definition.screens.mapValues { Optional.some($0.params) }
    flows = definition.flows.mapValues { flow in
      var declared = DeclaredNames.Flow(fields: Fields(position: Position(line: 1, column: 1)), container: flow.container)
      if case .root(let root) = flow.initialChildren, flow.container == .screen { declared.rootScreen = root.screen }
      (declared.params, declared.facts) = (flow.params, flow.facts)
      return declared
    }
    secretMembers = Set(definition.loads.flatMap { $0.request?.secretMembers ?? [] })
    for (name, flow) in definition.flows.sortedByKey {
      for fact in flow.facts.keys { flowsOfFacts[fact, default: []].append(name) }
    }
  }

  /// A named set and a type with which the set is used.
  private struct SetUse: Hashable {
    var set: String
    var type: ParameterDefinition
  }

  /// The first value that does not fit a type; `nil` if all values fit. A set is compared with each type once, however often it is used.
  func misfit(in values: ValueSet, of type: ParameterDefinition) -> Value? {
    guard let name = values.name else { return values.values.first { type.fault(of: $0) != nil } }
    let use = SetUse(set: name, type: type)
    if let known = misfits[use] { return known }
    let misfit = values.values.first { type.fault(of: $0) != nil }
    misfits[use] = .some(misfit)
    return misfit
  }

  /// Maximum size of all uses of sets in `until`, in bytes.
  static let mostSpelled = 2 << 20

  /// Counts one more use of sets in `until`. Uses are bounded because a state contains, for each of its loads, the condition with the sets'
  /// values. Returns the name of the set whose use exceeds the bound for the first time; otherwise `nil`.
  func exceedingSet(_ sets: [ValueSet]) -> String? {
    for set in sets {
      guard let name = set.name else { continue }
      let before = spelledSets
      spelledSets += set.values.reduce(0) { sum, value in
        if case .string(let text) = value { sum + text.utf8.count + 3 } else { sum + 8 }
      }
      if before <= Self.mostSpelled, spelledSets > Self.mostSpelled { return name }
    }
    return nil
  }

  /// The declared properties of a flow.
  struct Flow {
    var fields: Fields
    var container: Node.Kind?
    /// The screen of a `screen` flow; `nil` for other flows.
    var rootScreen: String?
    /// Whether the flow can end with a result, because it has `gives` or a handler with `finish`. `gives` contains the result's members; `nil` if there
    /// is no result, or if the members could not be read.
    var hasGives = false
    var gives: [String: ParameterDefinition]?
    /// The declared params; `nil` if they could not be read.
    var params: [String: ParameterDefinition]? = [:]
    /// The facts of the flow, without those that could not be read.
    var facts: [String: ParameterDefinition] = [:]
  }

  /// The declaration of a step; `nil` if it is missing or could not be read.
  func step(_ name: String) -> StepDefinition? { steps[name] ?? nil }
  func fact(_ name: String) -> FactDefinition? { facts[name] ?? nil }
  func params(ofScreen name: String) -> [String: ParameterDefinition]? { screens[name] ?? nil }
  func flow(_ name: String) -> Flow? { flows[name] ?? nil }

  /// The params of a flow; for a `screen` flow, the params of its screen. `nil` if the params are unknown. Params that the flow itself sets
  /// are optional.
  func params(ofFlow name: String) -> [String: ParameterDefinition]? {
    let flow = flow(name)
    guard let container = flow?.container else { return nil }
    guard container == .screen else { return flow?.params }
    var params = flow?.rootScreen.flatMap { self.params(ofScreen: $0) }
    let given = flow?.fields["with"]?.members ?? []
    for member in given { params?[member.name]?.isOptional = true }
    return params
  }

  /// The type of a fact of a flow, or of a flow around it. `nil` if the type is unknown, or if the name may refer to facts of several flows
  /// with different types.
  func flowFact(_ name: String, in flow: String?) -> ParameterDefinition? {
    if let flow, let type = self.flow(flow)?.facts[name] { return type }
    let types = Set((flowsOfFacts[name] ?? []).map { self.flow($0)?.facts[name] })
    return types.count == 1 ? types.first ?? nil : nil
  }

  /// The kind of a param if it is the same in all screens that have the param; otherwise `nil`.
  func kind(ofScreenParam name: String) -> ParameterDefinition.Kind? {
    let kinds = Set(screens.values.compactMap { $0?[name]?.kind })
    return kinds.count == 1 ? kinds.first : nil
  }

  /// Whether a screen has a secret param with this name.
  func isSecret(screenParam name: String) -> Bool { screens.values.contains { $0?[name]?.isSecret == true } }

  /// Whether a flow has this container, or has a container that could not be read. Also true if the section `flows` could not be read.
  func mayHave(_ container: Node.Kind) -> Bool {
    unreadable.contains(.flow) || flows.values.contains { $0?.container == nil || $0?.container == container }
  }

  /// Whether the section of this kind of names could not be read, so that any name may have been declared.
  func isUnreadable(_ kind: NameKind) -> Bool {
    kind == .node ? !unreadable.isDisjoint(with: [.screen, .flow]) : unreadable.contains(kind)
  }

  func isKnown(_ kind: NameKind, _ name: String) -> Bool {
    switch kind {
    case .screen: screens.keys.contains(name)
    case .flow: flows.keys.contains(name)
    case .node: screens.keys.contains(name) || flows.keys.contains(name)
    case .step: steps.keys.contains(name)
    case .fact: facts.keys.contains(name)
    case .set: sets.keys.contains(name)
    case .param, .timer: false
    }
  }

  /// The declared names of a kind. The names of facts include the built-in access token. Called only after all declarations of the kind
  /// have been read.
  func known(_ kind: NameKind) -> KnownNames {
    let names: [String]
    switch kind {
    case .screen where prepared[kind]?.sorted.count != screens.count: names = Array(screens.keys)
    case .flow where prepared[kind]?.sorted.count != flows.count: names = Array(flows.keys)
    case .node where prepared[kind] == nil: names = Array(Set(screens.keys).union(flows.keys))
    case .step where prepared[kind]?.sorted.count != steps.count: names = Array(steps.keys)
    case .fact where prepared[kind]?.sorted.count != facts.count + 1: names = facts.keys + [FactDefinition.accessToken]
    case .set where prepared[kind]?.sorted.count != sets.count: names = Array(sets.keys)
    default: return prepared[kind] ?? KnownNames([])
    }
    let known = KnownNames(names)
    prepared[kind] = known
    return known
  }

  /// The names of an owner's params, prepared for suggestions in messages.
  func known(_ params: [String: ParameterDefinition], of owner: String) -> KnownNames {
    if let known = preparedParams[owner] { return known }
    let known = KnownNames(params.keys)
    preparedParams[owner] = known
    return known
  }
}
