import CairnCore

/// The kinds of parts that have names in a definition.
enum NameKind: String, Hashable, Sendable {
  case screen, flow, step, fact, set, param, timer
  /// A name that may be that of a screen or of a flow.
  case node = "screen or flow"
}

/// The declarations of a definition. A declaration that could not be read is `nil`: its name counts as declared, and its uses are not checked
/// further.
struct DeclaredNames {
  var sets: [String: ValueSet?] = [:]
  /// The first value of a set that does not fit a type, or `nil` if all fit, for each type with which a set has been used.
  private var misfits: [SetUse: Value?] = [:]
  /// The size of the values of named sets in bytes, counted at each use in `until`.
  private var spelledSets = 0
  var facts: [String: FactDefinition?] = [:]
  var steps: [String: StepDefinition?] = [:]
  /// Where steps are declared in `steps` or with params in an `emits`.
  var stepPositions: [String: Position] = [:]
  /// The params of each screen.
  var screens: [String: [String: ParameterDefinition]?] = [:]
  var flows: [String: Flow?] = [:]
  var hosts: [WrittenHost] = []
  var hasOAuth = false
  /// The declared names of each kind, sorted. Filled when an unknown name is first looked up.
  private var prepared: [NameKind: KnownNames] = [:]
  /// The kinds whose section could not be read. No name of these kinds is reported as unknown.
  var unreadable: Set<NameKind> = []

  /// A named set and a type with which the set is used.
  private struct SetUse: Hashable {
    var set: String
    var type: ParameterDefinition
  }

  /// The first value that does not fit a type; `nil` if all fit. A set is compared with each type once, however often it is used.
  mutating func misfit(in values: ValueSet, of type: ParameterDefinition) -> Value? {
    guard let name = values.name else { return values.values.first { type.fault(of: $0) != nil } }
    let use = SetUse(set: name, type: type)
    if let known = misfits[use] { return known }
    let misfit = values.values.first { type.fault(of: $0) != nil }
    misfits[use] = .some(misfit)
    return misfit
  }

  /// Maximum size of all uses of sets in `until`, in bytes.
  static let mostSpelled = 2 << 20

  /// Counts a further use of sets in `until`. Uses are bounded because a state contains, for each of its loads, the condition with the
  /// sets' values. Returns the name of the set with which the uses exceed the bound.
  mutating func exceedingSet(_ sets: [ValueSet]) -> String? {
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
    /// Whether the flow declares a result, and the result's members if they could be read.
    var hasGives = false
    var gives: [String: ParameterDefinition]?
  }

  /// The declaration of a step; `nil` if it is missing or could not be read.
  func step(_ name: String) -> StepDefinition? { steps[name] ?? nil }
  func fact(_ name: String) -> FactDefinition? { facts[name] ?? nil }
  func params(ofScreen name: String) -> [String: ParameterDefinition]? { screens[name] ?? nil }
  func flow(_ name: String) -> Flow? { flows[name] ?? nil }

  /// The params of a flow, which are those of its screen if it is a `screen` flow; `nil` if they are unknown. Those that the flow itself sets are optional.
  func params(ofFlow name: String) -> [String: ParameterDefinition]? {
    let flow = flow(name)
    guard let container = flow?.container else { return nil }
    guard container == .screen else { return [:] }
    var params = flow?.rootScreen.flatMap { self.params(ofScreen: $0) }
    let given = flow?.fields["with"]?.members ?? []
    for member in given { params?[member.name]?.isOptional = true }
    return params
  }

  /// Whether some flow has this container, or has one that could not be read.
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

  /// The declared names of a kind. For facts they include the built-in access token. Called only after all declarations of the kind have been read.
  mutating func known(_ kind: NameKind) -> KnownNames {
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
}

extension DefinitionReader {
  /// Reads a name that must be declared. Reports an undeclared name and returns `nil`.
  mutating func name(_ element: Element, of kind: NameKind) -> String? {
    guard let name = text(element, "the name of a \(kind.rawValue)") else { return nil }
    if names.isKnown(kind, name) || names.isUnreadable(kind) { return name }
    let known = names.known(kind)
    // If nothing of this kind is declared, all unknown names are reported as one error.
    let hasNone = known.sorted.isEmpty || kind == .node && names.screens.isEmpty
    reportUnknown(kind, hasNone ? "" : name, at: element.position) { $0.unknown(kind, name, known) }
    return nil
  }

  /// Reads the name of a fact that conditions and expressions may use: a declared fact or a built-in one. Returns `nil` after reporting any other name.
  mutating func factName(_ name: String, at position: Position) -> String? {
    if name == FactDefinition.accessToken || names.facts.keys.contains(name) || names.unreadable.contains(.fact) { return name }
    if FactDefinition.ofApp[name] != nil {
      // A definition that uses one of the app's built-in facts gets all of them.
      for (name, fact) in FactDefinition.ofApp { names.facts[name] = .some(fact) }
      return name
    }
    let known = names.known(.fact)
    reportUnknown(.fact, name, at: position) { $0.unknown(.fact, name, known) }
    return nil
  }

  private func unknown(_ kind: NameKind, _ name: String, _ known: KnownNames) -> String {
    let built = kind == .fact ? NearestName.of(name, among: FactDefinition.ofApp.keys.sorted()) : nil
    if let meant = known.nearest(to: name) ?? built { return "there is no \(kind.rawValue) \(name); did you mean \(meant)?" }
    if kind == .screen, names.flows.keys.contains(name) { return "\(name) is a flow, not a screen; use { flow: \(name) }" }
    if kind == .flow, names.screens.keys.contains(name) {
      return "\(name) is a screen, not a flow; use { screen: \(name) }"
    }
    if known.sorted.isEmpty { return "there is no \(kind.rawValue) \(name); the definition declares none" }
    let some = known.sorted.prefix(8)
    let more = known.sorted.count > some.count ? ", …" : ""
    return "there is no \(kind.rawValue) \(name); the definition declares \(some.joined(separator: ", "))\(more)"
  }

  /// Whether a declared name is valid: a letter, then letters, digits, `_` and `-`; names of steps may contain dots. Reports an invalid name.
  mutating func isName(_ member: Element.Member, _ kind: NameKind) -> Bool {
    if Self.isName(member.name, kind) { return true }
    let dots = kind == .step ? ", with dots between them" : ""
    report(
      "\(member.name) is not a valid name: a name must begin with a letter, followed by letters, digits, _ and -\(dots)",
      at: member.position)
    return false
  }

  static func isName(_ name: String, _ kind: NameKind) -> Bool {
    kind == .step
      ? name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { isIdentifier(String($0)) } : isIdentifier(name)
  }

  static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, Character(UnicodeScalar(first)).isLetter, first < 0x80 else { return false }
    return text.unicodeScalars.allSatisfy { "a"..."z" ~= $0 || "A"..."Z" ~= $0 || "0"..."9" ~= $0 || $0 == "_" || $0 == "-" }
  }
}
