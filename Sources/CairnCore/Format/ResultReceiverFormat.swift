/// The stored form of the receiver of a node's result: `{"node":1,"then":{…},"else":{…}}`.
enum ResultReceiverFormat {
  static func write(_ resultReceiver: ResultReceiver, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("node", resultReceiver.node.number)
    if let then = resultReceiver.then {
      writer.name("then")
      TemplateFormat.write(then, &writer)
    }
    if let otherwise = resultReceiver.otherwise {
      writer.name("else")
      TemplateFormat.write(otherwise, &writer)
    }
    writer.endObject()
  }

  static func resultReceiver(_ element: JSONElement) throws(UnreadableFormat) -> ResultReceiver {
    var resultReceiver = ResultReceiver(node: NodeID(0))
    for (member, value) in try element.readMembers() {
      switch member {
      case "node": resultReceiver.node = try value.readNode()
      case "then": resultReceiver.then = try TemplateFormat.step(value)
      case "else": resultReceiver.otherwise = try TemplateFormat.step(value)
      default: throw member.unknown
      }
    }
    return resultReceiver
  }
}
