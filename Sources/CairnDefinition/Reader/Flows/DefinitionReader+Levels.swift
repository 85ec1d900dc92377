import CairnCore

// Modals on levels, and `dismiss` with a name.
extension DefinitionReader {
  /// Reads the members `level` and `queue` of `present`. Returns `nil` if the modal is presented on a node, or after reporting an invalid
  /// level.
  func level(_ fields: Fields) -> Operation.Level? {
    let queue = flag(fields["queue"], "queue")
    guard let element = fields["level"] else {
      if queue { report("queue is allowed only with level", at: fields.position(of: "queue")) }
      return nil
    }
    guard case .scalar(.integer(let number)) = element.content, (1...255).contains(number) else {
      report("level must be a whole number from 1 to 255, not \(described(element))", at: element.position)
      return nil
    }
    if fields["of"] != nil { report("a modal on a level is always presented on the root; remove of", at: fields.position(of: "of")) }
    if queue, flag(fields["replace"], "replace") {
      report("queue and replace exclude each other; remove one", at: fields.position(of: "replace"))
    }
    return Operation.Level(number, queue: queue)
  }
}
