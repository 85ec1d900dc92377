// The form in which clients read the result of an action.

extension Transition {
  /// Writes the members `changes`, `events`, `link`, `outcome` and `reason` of an open object.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.name("changes")
    writeChanges(to: &writer)
    writer.name("events")
    writeEvents(to: &writer)
    writer.member("link", ifPresent: link)
    writer.member("outcome", outcome)
    writer.member("reason", ifPresent: reason)
  }
}

extension Outcome: JSONWritable {}

extension Event.Kind: JSONWritable {}

extension Event: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("category", ifPresent: category)
    writer.member("first", ifPresent: isFirst)
    writer.member("flow", ifPresent: flow)
    #if !CLIENT_ENGINE
      writer.member("held", ifPresent: held)
    #endif
    writer.member("key", ifPresent: key)
    writer.member("link", ifPresent: link)
    writer.member("node", ifPresent: node)
    writer.member("params", ifPresent: params)
    writer.member("question", ifPresent: question)
    writer.member("reason", ifPresent: reason)
    writer.member("sender", ifPresent: sender)
    writer.member("step", ifPresent: step)
    writer.member("type", type)
    writer.member("url", ifPresent: url.map { SealedURL.shown($0) })
    writer.endObject()
  }
}

extension Change: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("op")
    writer.word(name)
    switch self {
    case .push(let container, let node):
      writer.member("in", container)
      writer.member("node", node)
    case .pop(let container, let node):
      writer.member("in", container)
      writer.member("to", node)
    case .set(let container, let kind, let children):
      writer.member("in", container)
      writer.member("kind", ifPresent: kind)
      writer.member("children", children)
    case .replace(let old, let node):
      writer.member("at", old)
      writer.member("node", node)
    case .remove(let node), .dismiss(let node): writer.member("node", node)
    case .present(let presenter, let node):
      writer.member("on", presenter)
      writer.member("level", ifPresent: node.level)
      writer.member("node", node)
    case .overlay(let node):
      writer.member("slot", ifPresent: node.slot)
      writer.member("node", node)
    case .select(let container, let index):
      writer.member("in", container)
      writer.member("index", index)
    case .update(let node, let update):
      writer.member("node", node)
      writer.member("params", ifPresent: update.params)
      writer.member("facts", ifPresent: update.facts)
      writer.member("content", ifPresent: update.content)
      writer.member("ended", ifPresent: update.ended)
    }
    writer.endObject()
  }
}
