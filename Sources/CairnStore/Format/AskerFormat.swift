import CairnCore

/// The stored form of the receiver of a node's result: `{"node":1,"then":{…},"else":{…}}`.
enum AskerFormat {
  static func write(_ asker: Asker, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("node", asker.node.number)
    if let then = asker.then {
      writer.name("then")
      TemplateFormat.write(then, &writer)
    }
    if let otherwise = asker.otherwise {
      writer.name("else")
      TemplateFormat.write(otherwise, &writer)
    }
    writer.endObject()
  }

  static func asker(_ element: JSONElement) throws(UnreadableFormat) -> Asker {
    var asker = Asker(node: NodeID(0))
    for (member, value) in try element.readMembers() {
      switch member {
      case "node": asker.node = try value.readNode()
      case "then": asker.then = try TemplateFormat.step(value)
      case "else": asker.otherwise = try TemplateFormat.step(value)
      default: throw member.unknown
      }
    }
    return asker
  }
}
