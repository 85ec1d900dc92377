import CairnCore

extension MigrationReader {
  /// Reads the line of a screen or flow. Returns `nil` after reporting a fault.
  mutating func nodeFate(_ member: Element.Member, _ kind: NameKind, _ line: inout Line) -> Migration.NodeFate? {
    if member.element.text == "remove" { return isRemovable(member.name, kind, at: member.element.position) ? .remove : nil }
    guard let fields = fields(of: member, kind, kind == .screen ? .screenFate : .flowFate),
      hasOneForm(member, kind, fields)
    else { return nil }
    if let screen = fields["popTo"] {
      guard let name = newName(screen, .screen, "`popTo`"), isRemovable(member.name, kind, at: screen.position) else { return nil }
      return .popTo(screen: name)
    }
    if let replace = fields["replace"] { return replacement(replace, fields["with"], scope(of: kind, member.name)) }
    guard let (name, params) = kept(member, fields, kind, &line) else { return nil }
    let facts = kind == .flow ? factValues(fields, of: member.name, as: name) : [:]
    if kind == .flow, let one = old.flows[member.name]?.container, let other = new.flows[name]?.container, one != other {
      report(
        "the flow `\(member.name)` has `\(one.rawValue)` in \(files.old), but `\(name)` has `\(other.rawValue)` in \(files.new), so its open nodes "
          + "cannot be kept; use \(Self.leavingForms)", at: fields.position(of: "to"))
      return nil
    }
    return .keep(as: name, params: params, facts: facts)
  }

  /// Reads the line of a step. Returns `nil` after reporting a fault.
  mutating func stepFate(_ member: Element.Member, _ line: inout Line) -> Migration.StepFate? {
    if member.element.text == "remove" { return .remove }
    guard let fields = fields(of: member, .step, .stepFate), let (name, params) = kept(member, fields, .step, &line) else { return nil }
    return .keep(as: name, params: params)
  }

  /// Returns the members of a line that is a map. Reports any other value and returns `nil`.
  mutating func fields(of member: Element.Member, _ kind: NameKind, _ table: MemberTable) -> Fields? {
    let what = "the line of the \(kind.rawValue) `\(member.name)`"
    if member.element.members != nil { return fields(of: member.element, what, table) }
    report("\(what) must be \(Self.forms(kind)), not \(described(member.element))", at: member.element.position)
    return nil
  }

  // MARK: forms

  /// The forms of a line, for messages.
  static func forms(_ kind: NameKind) -> String {
    switch kind {
    case .screen: "`{ to: SCREEN }`, `{ popTo: SCREEN }`, `{ replace: SCREEN }` or `remove`"
    case .flow: "`{ to: FLOW }`, \(leavingForms)"
    case .step: "`{ to: STEP }` or `remove`"
    case .fact, .set, .param, .timer, .node: "`{ to: FACT }` or `remove`"
    }
  }

  /// The possible lines for a flow whose nodes cannot be kept.
  static let leavingForms = "`{ popTo: SCREEN }`, `{ replace: FLOW }` or `remove`"

  /// Whether the members belong to one form. Reports members of several forms, and `with` without `replace`.
  private mutating func hasOneForm(_ member: Element.Member, _ kind: NameKind, _ fields: Fields) -> Bool {
    let found = [["to", "params", "drop", "facts"], ["popTo"], ["replace", "with"]].compactMap { form in form.first { fields[$0] != nil } }
    if found.count > 1 {
      report(
        "`\(found[0])` and `\(found[1])` cannot be combined; the line of the \(kind.rawValue) `\(member.name)` must be \(Self.forms(kind))",
        at: fields.position(of: found[1]))
    } else if found == ["with"] {
      report("`with` is allowed only with `replace`: `{ replace: NAME, with: … }`", at: fields.position(of: "with"))
    } else {
      return true
    }
    return false
  }

  /// Whether the nodes of a part may be removed. Reports the root flow, because every session needs it.
  private mutating func isRemovable(_ name: String, _ kind: NameKind, at position: Position) -> Bool {
    guard kind == .flow, old.root.target == .flow(name) else { return true }
    report("`\(name)` is the root flow and cannot be removed; use `{ to: FLOW }` or `{ replace: FLOW }`", at: position)
    return false
  }

  // MARK: params

  /// Reads the members `replace` and `with` of a node that the migration replaces. Returns `nil` after reporting an unknown name.
  private mutating func replacement(_ element: Element, _ with: Element?, _ scope: Surroundings) -> Migration.NodeFate? {
    guard let target = target(element) else { return nil }
    let types: [String: ParameterDefinition]?
    let what: String
    switch target {
    case .screen(let name): (types, what) = (new.screens[name]?.params, "the screen `\(name)`")
    case .flow(let name): (types, what) = (params(of: .flow, name, in: new), "the flow `\(name)`")
    }
    return .replace(target, with: expressions.arguments(with, for: types.map(nullable), of: what, at: element.position, in: scope))
  }

  /// Reads the members `to`, `params` and `drop` of a screen, flow or step that the migration keeps. Returns its new name and its params, or `nil`
  /// after reporting that the new name is unknown.
  private mutating func kept(
    _ member: Element.Member, _ fields: Fields, _ kind: NameKind, _ line: inout Line
  ) -> (name: String, params: [String: Expression])? {
    let name: String?
    if let to = fields["to"] {
      name = newName(to, kind, "`to`")
    } else {
      name = isKnown(member.name, kind, .new, at: member.position) ? member.name : nil
    }
    let types = name.flatMap { params(of: kind, $0, in: new) }
    let scope = scope(of: kind, member.name)
    let given = expressions.arguments(
      fields["params"], for: types.map(nullable), of: "the \(kind.rawValue) `\(name ?? member.name)`", at: fields.position(of: "params"),
      in: scope, by: "params", isComplete: false)
    line.given = Set(given.keys)
    line.spent = Set(given.values.flatMap(\.references).compactMap { if case .param(let name) = $0 { name } else { nil } })
    line.isWhole = fields["params"].map { $0.isNull || $0.members?.count == given.count } ?? true
    for element in oneOrMore(fields["drop"]) {
      guard let param = text(element, "`drop`").flatMap({ references.param($0, at: element.position, in: scope.readingSecrets) }) else {
        line.isWhole = false
        continue
      }
      line.spent.insert(param)
      guard let name, types?[param] != nil else { continue }
      report(
        "`\(param)` is also a param of the \(kind.rawValue) `\(name)` in \(files.new): set its value in `params`, and remove it from `drop`",
        at: element.position)
    }
    return name.map { ($0, given) }
  }

  /// Reads the member `facts` of a flow that the migration keeps: values of its facts, by their new names. `$fact.NAME` reads an old fact of the flow or the
  /// session.
  private func factValues(_ fields: Fields, of flow: String, as name: String) -> [String: Expression] {
    guard let element = fields["facts"] else { return [:] }
    return expressions.arguments(
      element, for: new.flows[name].map { nullable($0.facts) }, of: "the flow `\(name)`", at: element.position,
      in: scope(of: .flow, flow).inside(flow), by: "facts", isComplete: false)
  }

  /// The types of the params. A type with a default becomes optional, so that `null` is a valid value.
  private func nullable(_ types: [String: ParameterDefinition]) -> [String: ParameterDefinition] {
    types.mapValues { type in
      var type = type
      type.isOptional = type.isOptional || type.defaultValue != nil
      return type
    }
  }
}
