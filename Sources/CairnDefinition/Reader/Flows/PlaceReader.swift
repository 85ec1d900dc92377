import CairnCore

/// Reads places: the name of a screen or flow, and the params that distinguish several nodes with this name.
struct PlaceReader: PartReader {
  let context: ReaderContext

  /// Reads `NAME` or `{ screen: NAME | flow: NAME, with: { … } }`. `what` is the member's name in messages. Returns `nil` after reporting an error.
  func place(_ element: Element, _ what: String, in scope: Surroundings) -> Place? {
    if element.text != nil { return place(nil, element, with: nil, in: scope) }
    guard element.members != nil else {
      report(
        "\(what) must be the name of a screen or flow, or a map with `screen` or `flow`, not \(described(element))", at: element.position)
      return nil
    }
    guard let fields = fields(of: element, what, .place) else { return nil }
    switch (fields["screen"], fields["flow"]) {
    case (let screen?, nil): return place(.screen, screen, with: fields["with"], in: scope)
    case (nil, let flow?): return place(.flow, flow, with: fields["with"], in: scope)
    case (nil, nil): report("\(what) needs the member `screen` or `flow`", at: element.position)
    case (.some, .some): report("\(what) must have either `screen` or `flow`, not both", at: fields.position(of: "flow"))
    }
    return nil
  }

  /// Reads a place by its name and the values in `with`. Without a kind, the name refers to a screen or, if no screen has this name, to a
  /// flow. Returns `nil` after reporting an error.
  func place(_ kind: NameKind?, _ element: Element, with: Element?, in scope: Surroundings) -> Place? {
    guard let (known, name) = kind.map({ kind in name(element, of: kind).map { (kind, $0) } }) ?? nodeName(element) else { return nil }
    let params = known == .flow ? names.params(ofFlow: name) : names.params(ofScreen: name)
    guard let with = nodeParams(with, of: [params], "the \(known.rawValue) `\(name)` has no param", in: scope) else { return nil }
    return known == .flow ? .flow(name, with: with) : .screen(name, with: with)
  }

  /// Reads the name of a screen or, if no screen has this name, of a flow. Returns `nil` after reporting an error.
  func nodeName(_ element: Element) -> (kind: NameKind, name: String)? {
    guard let name = name(element, of: .node) else { return nil }
    return (names.isKnown(.screen, name) || !names.isKnown(.flow, name) ? .screen : .flow, name)
  }

  /// Reads the values in `with` that params of a node must have. `owners` has the params of each screen or flow to which the place may
  /// refer; an element is `nil` if the params are unknown. `noParam` begins the message about a param that no owner has. Also reports
  /// secret params, which cannot be compared. Returns `nil` if `with` is not a map.
  func nodeParams(
    _ with: Element?, of owners: [[String: ParameterDefinition]?], _ noParam: String, in scope: Surroundings
  ) -> [String: Expression]? {
    guard let with else { return [:] }
    guard let members = with.members else {
      report("`with` must be a map of params, not \(article(with.kindName))", at: with.position)
      return nil
    }
    var params: [String: Expression] = [:]
    for member in members {
      if !owners.contains(where: { $0 == nil || $0?[member.name] != nil }) {
        let known = owners.flatMap { ($0 ?? [:]).keys }
        let meant = NearestName.of(member.name, among: known).map { "; did you mean `\($0)`?" } ?? ""
        report("\(noParam) `\(member.name)`\(meant)", at: member.position)
      } else if let expression = expressions.expression(member.element, in: scope) {
        if owners.contains(where: { $0?[member.name]?.isSecret == true }) {
          report("the param `\(member.name)` is secret: it cannot be compared", at: member.position)
        } else if let type = owners.lazy.compactMap({ $0?[member.name] }).first {
          expressions.check(expression, fits: type, "the param `\(member.name)`", at: member.element.position, in: scope)
        }
        params[member.name] = expression
      }
    }
    return params
  }
}
