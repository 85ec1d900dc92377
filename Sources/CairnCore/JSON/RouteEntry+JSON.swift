extension RouteEntry: JSONWritable {
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("flow", ifPresent: flow)
    writer.member("id", id)
    writer.member("params", ifPresent: params)
    writer.member("presented", ifPresent: presented)
    writer.member("screen", screen)
    writer.endObject()
  }
}
