extension Acceptance: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if !guarded.isEmpty { writer.member("guarded", guarded) }
    if !facts.isEmpty { writer.member("facts", facts.mapValues(Value.string)) }
    writer.member("primitives", primitives)
    writer.member("steps", steps)
    writer.endObject()
  }
}

extension Acceptance.AcceptedStep: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("params", params)
    writer.member("step", step)
    writer.endObject()
  }
}

extension Login: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("reason", ifPresent: reason)
    writer.member("status", status)
    writer.endObject()
  }
}

extension Login.Status: JSONWritable {}
