import CairnCore

// Modals on levels, and `dismiss` with a name.
extension DefinitionReader {
  /// Reads the members `level` and `queue` of `present`. Returns `nil` if the modal is presented on a node, or after reporting an invalid
  /// level.
  mutating func level(_ fields: Fields) -> Operation.Level? {
    let queue = flag(fields["queue"], "queue")
    guard let element = fields["level"] else {
      if queue { report("queue is allowed only with level", at: fields.position(of: "queue")) }
      return nil
    }
    guard case .scalar(.integer(let number)) = element.content, (1...255).contains(number) else {
      report("level must be a whole number from 1 to 255, not \(described(element))", at: element.position)
      return nil
    }
    if fields["on"] != nil { report("a modal on a level is always presented on the root; remove on", at: fields.position(of: "on")) }
    if queue, flag(fields["replace"], "replace") {
      report("queue and replace exclude each other; remove one", at: fields.position(of: "replace"))
    }
    return Operation.Level(number, queue: queue)
  }

  /// Reads `dismiss` without a value, or with the name of a screen or flow. Returns `nil` after reporting an error.
  mutating func dismiss(_ value: Element) -> Operation? {
    if value.isNull { return .dismiss(nil) }
    guard let name = value.text else {
      report("dismiss must be the name of a screen or flow, or have no value, not \(described(value))", at: value.position)
      return nil
    }
    let isKnown = names.isKnown(.screen, name) || names.isKnown(.flow, name)
    if isKnown || !names.unreadable.isDisjoint(with: [.screen, .flow]) { return .dismiss(name) }
    let meant = names.known(.screen).nearest(to: name) ?? names.known(.flow).nearest(to: name)
    report("there is no screen and no flow \(name)\(meant.map { "; did you mean \($0)?" } ?? "")", at: value.position)
    return nil
  }
}
