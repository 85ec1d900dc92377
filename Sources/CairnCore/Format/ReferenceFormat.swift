/// The stored form of references in expressions.
enum ReferenceFormat {
  static func write(_ reference: Reference, _ writer: inout JSONWriter) {
    switch reference {
    case .param(let name): writer.wrapped("param") { $0.string(name) }
    case .fact(let name): writer.wrapped("fact") { $0.string(name) }
    case .screen(let path): writer.wrapped("screen") { write(path, &$0) }
    case .result(let path): writer.wrapped("result") { write(path, &$0) }
    case .error(let member): writer.wrapped("error") { $0.string(member) }
    case .content(let path, let of):
      writer.beginObject()
      writer.name("content")
      writer.beginObject()
      writer.name("_0")
      write(path, &writer)
      if let of { writer.member("of", of) }
      writer.endObject()
      writer.endObject()
    case .authorizeURL:
      writer.beginObject()
      writer.name("authorizeURL")
      writer.beginObject()
      writer.endObject()
      writer.endObject()
    }
  }

  static func reference(_ element: JSONElement) throws(UnreadableFormat) -> Reference {
    var found: Reference?
    for (kind, value) in try element.readMembers() {
      switch kind {
      case "param": found = .param(try value.readOnly("_0").readString())
      case "fact": found = .fact(try value.readOnly("_0").readString())
      case "screen": found = .screen(try path(value.readOnly("_0")))
      case "result": found = .result(try path(value.readOnly("_0")))
      case "error": found = .error(try value.readOnly("_0").readString())
      case "content":
        var names: [String] = []
        var of: String?
        for (member, value) in try value.readMembers() {
          switch member {
          case "_0": names = try path(value)
          case "of": of = try value.readString()
          default: throw member.unknown
          }
        }
        found = .content(names, of: of)
      case "authorizeURL":
        for (member, _) in try value.readMembers() { throw member.unknown }
        found = .authorizeURL
      default: throw kind.unknown
      }
    }
    guard let found else { throw element.missing("a reference") }
    return found
  }

  static func write(_ path: [String], _ writer: inout JSONWriter) {
    writer.array(path)
  }

  static func path(_ value: JSONElement) throws(UnreadableFormat) -> [String] {
    var names: [String] = []
    for element in try value.readElements() { names.append(try element.readString()) }
    return names
  }
}
