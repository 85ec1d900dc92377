import CairnCore

// Reads places: the name of a screen or flow, and params where several nodes have that name.
extension DefinitionReader {
  /// Reads `NAME` or `{ screen: NAME | flow: NAME, with: { … } }`. `what` is the member's name in messages. Returns `nil` after reporting an error.
  mutating func place(_ element: Element, _ what: String, in scope: Surroundings) -> Place? {
    if element.text != nil { return place(nil, element, with: nil, in: scope) }
    guard element.members != nil else {
      report("\(what) must be the name of a screen or flow, or a map with screen or flow, not \(described(element))", at: element.position)
      return nil
    }
    guard let fields = fields(of: element, what, .place) else { return nil }
    switch (fields["screen"], fields["flow"]) {
    case (let screen?, nil): return place(.screen, screen, with: fields["with"], in: scope)
    case (nil, let flow?): return place(.flow, flow, with: fields["with"], in: scope)
    case (nil, nil): report("\(what) needs the member screen or flow", at: element.position)
    case (.some, .some): report("\(what) must have screen or flow, not both", at: fields.position(of: "flow"))
    }
    return nil
  }

  /// Reads a place by its name and the values in `with`. Without a kind the name is that of a screen or, if there is none of this name, of a flow. Returns
  /// `nil` after reporting an error.
  mutating func place(_ kind: NameKind?, _ element: Element, with: Element?, in scope: Surroundings) -> Place? {
    let kinds = kind.map { [$0] } ?? [.screen, .flow]
    guard let name = element.text, let known = kinds.first(where: { names.isKnown($0, name) || names.unreadable.contains($0) }) else {
      guard kind == nil, let name = element.text else { return self.name(element, of: kind ?? .screen).map { .screen($0) } }
      reportUnknown(.screen, name, at: element.position) { reader in
        let known = KnownNames(Array(reader.names.screens.keys) + Array(reader.names.flows.keys))
        return "there is no screen or flow \(name)\(known.nearest(to: name).map { "; did you mean \($0)?" } ?? "")"
      }
      return nil
    }
    let place = known == .flow ? Place.flow(name) : .screen(name)
    guard let with else { return place }
    guard let members = with.members else {
      report("with must be a map of params, not \(article(with.kindName))", at: with.position)
      return nil
    }
    return Place(place.kind, name, with: values(of: members, at: place, in: scope))
  }

  /// Reads the values that params of the node must have. Reports params that it does not have, and secret ones, which cannot be compared.
  private mutating func values(of members: [Element.Member], at place: Place, in scope: Surroundings) -> [String: Expression] {
    let what = "the \(place.kind.rawValue) \(place.name)"
    let params = place.kind == .screen ? names.params(ofScreen: place.name) : names.params(ofFlow: place.name)
    var with: [String: Expression] = [:]
    for member in members {
      guard let expression = expression(member.element, in: scope) else { continue }
      guard let params else {
        with[member.name] = expression
        continue
      }
      guard let type = params[member.name] else {
        let meant = NearestName.of(member.name, among: params.keys).map { "; did you mean \($0)?" } ?? ""
        report("\(what) has no param \(member.name)\(meant)", at: member.position)
        continue
      }
      if type.isSecret { report("the param \(member.name) is secret: it cannot be compared", at: member.position) }
      check(expression, fits: type, "\(member.name) of \(what)", at: member.element.position, in: scope)
      with[member.name] = expression
    }
    return with
  }
}
