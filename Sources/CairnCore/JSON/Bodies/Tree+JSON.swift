extension Tree: JSONWritable {
  /// Writes the node's own members first, then its children and modals.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("kind", kind)
    writer.member("name", name)
    writer.member("flow", ifPresent: flow)
    writer.member("params", ifPresent: params)
    writer.member("facts", ifPresent: facts)
    writer.member("content", ifPresent: content)
    writer.member("selected", ifPresent: selected)
    writer.member("style", ifPresent: style)
    writer.member("level", ifPresent: level)
    writer.member("slot", ifPresent: slot)
    writer.member("on", ifPresent: on)
    writer.member("order", ifPresent: order)
    flags.writeShown(to: &writer)
    writer.member("meta", ifPresent: meta)
    writer.member("children", ifPresent: children)
    writer.member("presented", ifPresent: presented)
    writer.member("levels", ifPresent: levels)
    writer.member("overlays", ifPresent: overlays)
    writer.endObject()
  }
}

extension NodeFlags {
  /// Writes the properties that clients see and that are true.
  func writeShown(to writer: inout JSONWriter) {
    guard !isEmpty else { return }
    for row in Self.rows where self[row.flag] {
      if let name = row.shown { writer.member(name, true) }
    }
  }
}

extension Node.Kind: JSONWritable {}

extension PresentationStyle: JSONWritable {}

extension Content: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("error", ifPresent: error)
    writer.member("status", status)
    writer.member("value", ifPresent: value)
    writer.endObject()
  }
}

extension ContentStatus: JSONWritable {}
