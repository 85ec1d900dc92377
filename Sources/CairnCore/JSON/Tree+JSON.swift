extension Tree: JSONWritable {
  /// A node's own members come first, so that they stand together; what is inside it and what it presents behind them.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("kind", kind)
    writer.member("name", name)
    writer.member("flow", ifPresent: flow)
    writer.member("params", ifPresent: params)
    writer.member("content", ifPresent: content)
    writer.member("selected", ifPresent: selected)
    writer.member("style", ifPresent: style)
    writer.member("on", ifPresent: on)
    writer.member("ended", ifPresent: ended)
    writer.member("guarded", ifPresent: guarded)
    writer.member("meta", ifPresent: meta)
    writer.member("children", ifPresent: children)
    writer.member("presented", ifPresent: presented)
    writer.endObject()
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
