/// The operation `content`, which edits the content of a node.
enum ContentEdits {
  /// The path that an edit writes to. Throws if a member of the path is missing, or is not a string, number or boolean.
  static func path(_ run: borrowing Run, of edit: ContentEdit, _ scope: Scope) throws(Refusal) -> [String] {
    var path: [String] = []
    for member in edit.path {
      let value = run.value(of: member, in: scope)
      guard let word = value?.word else {
        let what = value.map { "of type \($0.kindName)" } ?? "absent"
        throw Refusal(.valueMismatch, "a member of the content's path is \(what); it must be a string, a number or a boolean")
      }
      path.append(word)
    }
    return path
  }

  /// The value to which an edit adds: 0 for a missing member of an object. `nil` if a value on the path is not an object.
  private static func addend(at path: [String], in whole: Value) -> Value? {
    var value = whole
    for member in path {
      guard case .object(let members) = value else { return nil }
      guard let next = members[member] else { return 0 }
      value = next
    }
    return value
  }

  /// Applies all edits or none. Returns the reason if it applies none: `dismissed` if the node is not in the tree, and `value-too-large` if the result is too
  /// large. Returns `not-loaded` if an edit adds to content that does not exist, or to a value that is not a number.
  static func edit(_ run: inout Run, _ edits: [ContentEdit], of place: Place?, scope: Scope) throws(Refusal) -> NoChange? {
    let target: NodeID?
    if let place {
      guard let found = run.evaluator.node(at: place, in: scope, run.state) else {
        throw Refusal(.screenNotFound, "\(place.name) is not in the tree, so its content cannot be changed")
      }
      target = found
    } else {
      target = scope.emitter?.id
    }
    guard let target, let record = run.state.nodes.record(target), run.state.stands(record) else { return .dismissed }
    let details = run.state.nodes.details(of: record)
    var content = details.content ?? Content(status: .idle)
    var whole = content.value ?? .object([:])
    var exists = content.value != nil
    for edit in edits {
      let path = try path(run, of: edit, scope)
      switch edit.change {
      case .set(let expression): whole.set(run.value(of: expression, in: scope) ?? .null, at: path)
      case .add(let expression):
        guard exists, let sum = addend(at: path, in: whole)?.adding(run.value(of: expression, in: scope)) else { return .notLoaded }
        whole.set(sum, at: path)
      case .remove: whole.remove(at: path[...])
      }
      exists = true
    }
    guard whole.isWithinBounds else { return .valueTooLarge }
    try run.meter.write(whole, as: "the content of", run.state.nodes.name(of: record))
    content.value = whole
    // A written value counts as loaded. A load that is still running will overwrite it.
    content.status = .loaded
    run.state.nodes.setContent(content, of: target)
    return nil
  }
}
