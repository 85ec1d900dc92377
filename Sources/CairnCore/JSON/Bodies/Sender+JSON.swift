extension Sender: JSONWritable {
  /// Writes the client and the number of its action, as entries show them.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("action", number)
    writer.member("client", client)
    writer.endObject()
  }
}
