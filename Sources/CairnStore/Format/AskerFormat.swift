import CairnCore

/// Who asked for a node's result, on the disk: `{"node":1,"then":{…},"else":{…}}`.
enum AskerFormat {
  static func write(_ asker: Asker, _ writer: inout DiskWriter) {
    writer.open("{")
    writer.member("node", asker.node.number)
    if let then = asker.then {
      writer.name("then")
      TemplateFormat.write(then, &writer)
    }
    if let otherwise = asker.otherwise {
      writer.name("else")
      TemplateFormat.write(otherwise, &writer)
    }
    writer.close("}")
  }

  static func asker(_ reader: inout DiskReader) throws(UnreadableFormat) -> Asker {
    var asker = Asker(node: NodeID(0))
    try reader.object { reader, member throws(UnreadableFormat) in
      switch member {
      case "node": asker.node = try reader.node()
      case "then": asker.then = try TemplateFormat.step(&reader)
      case "else": asker.otherwise = try TemplateFormat.step(&reader)
      default: throw reader.unknown(member)
      }
    }
    return asker
  }
}
