import CairnCore

extension MigrationReader {
  /// The definition to which a name belongs.
  enum Side { case old, new }

  /// Whether a definition declares a name. Reports a name that it does not declare.
  mutating func isKnown(_ name: String, _ kind: NameKind, _ side: Side, at position: Position) -> Bool {
    if (side == .old ? names : newNames).isKnown(kind, name) { return true }
    let message = unknown(name, kind, side)
    reportUnknown(kind, "\(side) \(name)", at: position) { message }
    return false
  }

  /// The declared name that was probably intended; `nil` if no name is similar.
  mutating func meant(_ name: String, _ kind: NameKind, _ side: Side) -> String? { known(kind, side).nearest(to: name) }

  private mutating func known(_ kind: NameKind, _ side: Side) -> KnownNames {
    side == .old ? names.known(kind) : newNames.known(kind)
  }

  private mutating func unknown(_ name: String, _ kind: NameKind, _ side: Side) -> String {
    let (file, other) = side == .old ? (files.old, files.new) : (files.new, files.old)
    let names = known(kind, side)
    let declared = names.sorted.filter { $0 != FactDefinition.accessToken }
    let isOther = (side == .old ? newNames : self.names).isKnown(kind, name)
    let fault = "there is no \(kind.rawValue) `\(name)` in \(file)\(isOther ? ", only in \(other)" : "")"
    if let meant = names.nearest(to: name) { return "\(fault); did you mean `\(meant)`?" }
    if declared.isEmpty { return "\(fault): none is declared" }
    return
      "\(fault); the declared ones are \(declared.prefix(8).map { "`\($0)`" }.joined(separator: ", "))\(declared.count > 8 ? ", …" : "")"
  }

  /// Reads the name of a part of the new definition. Reports an unknown name and returns `nil`.
  mutating func newName(_ element: Element, _ kind: NameKind, _ what: String) -> String? {
    guard let name = text(element, what), isKnown(name, kind, .new, at: element.position) else { return nil }
    return name
  }

  /// Reads the name of a screen or, if no screen has it, of a flow of the new definition. Reports an unknown name and returns `nil`.
  mutating func target(_ element: Element) -> Contribution.Target? {
    guard let name = text(element, "`replace`") else { return nil }
    if newNames.isKnown(.screen, name) { return .screen(name) }
    if newNames.isKnown(.flow, name) { return .flow(name) }
    let meant = meant(name, .screen, .new) ?? meant(name, .flow, .new)
    let all = listed(known(.screen, .new).sorted + known(.flow, .new).sorted)
    report(
      "there is no screen or flow `\(name)` in \(files.new); \(meant.map { "did you mean `\($0)`?" } ?? "the declared ones are \(all)")",
      at: element.position)
    return nil
  }

  /// Whether a fact is the built-in access token, which every migration keeps. Reports such a fact.
  mutating func isBuiltIn(_ name: String, at position: Position) -> Bool {
    guard name == FactDefinition.accessToken else { return false }
    report("`accessToken` is built in, and migrations always keep its value; remove this line", at: position)
    return true
  }

  /// The params of a screen, flow or step; `nil` if the definition declares no part of this kind with this name. A `screen` flow has the
  /// params of its screen.
  func params(of kind: NameKind, _ name: String, in definition: Definition) -> [String: ParameterDefinition]? {
    switch kind {
    case .screen: return definition.screens[name]?.params
    case .step: return definition.steps[name]?.params
    case .flow:
      guard let flow = definition.flows[name], flow.container == .screen, case .root(let root) = flow.initialChildren else {
        return definition.flows[name]?.params
      }
      return root.screen.flatMap { definition.screens[$0]?.params }
    case .fact, .set, .param, .timer, .node: return nil
    }
  }

  /// The names that the expressions of a line can read.
  func scope(of kind: NameKind, _ name: String) -> Surroundings {
    var scope = Surroundings(params: params(of: kind, name, in: old), of: "the \(kind.rawValue) `\(name)` of \(files.old)")
    scope.isMigration = true
    return scope
  }
}
