extension RouteEntry: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    Self.write(id, screen, params: params ?? [:], flow: flow, isPresented: presented == true, to: &writer)
  }

  /// Writes the JSON of an entry without creating the entry.
  static func write(
    _ id: NodeID, _ screen: String, params: [String: Value], flow: String?, isPresented: Bool, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("flow", ifPresent: flow)
    writer.member("id", id)
    if !params.isEmpty { writer.member("params", params) }
    if isPresented { writer.member("presented", true) }
    writer.member("screen", screen)
    writer.endObject()
  }
}
