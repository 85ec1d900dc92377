import CairnCore

/// References of expressions on the disk.
enum ReferenceFormat {
  static func write(_ reference: Reference, _ writer: inout DiskWriter) {
    switch reference {
    case .param(let name): writer.wrapped("param") { $0.write(name) }
    case .fact(let name): writer.wrapped("fact") { $0.write(name) }
    case .screen(let path): writer.wrapped("screen") { write(path, &$0) }
    case .result(let path): writer.wrapped("result") { write(path, &$0) }
    case .error(let member): writer.wrapped("error") { $0.write(member) }
    case .content(let path, let of):
      writer.open("{")
      writer.name("content")
      writer.open("{")
      writer.name("_0")
      write(path, &writer)
      if let of { writer.member("of", of) }
      writer.close("}")
      writer.close("}")
    case .authorizeURL:
      writer.open("{")
      writer.name("authorizeURL")
      writer.open("{")
      writer.close("}")
      writer.close("}")
    }
  }

  static func reference(_ reader: inout DiskReader) throws(UnreadableFormat) -> Reference {
    var found: Reference?
    try reader.object { reader, kind throws(UnreadableFormat) in
      switch kind {
      case "param": found = .param(try reader.only("_0") { reader throws(UnreadableFormat) in try reader.string() })
      case "fact": found = .fact(try reader.only("_0") { reader throws(UnreadableFormat) in try reader.string() })
      case "screen": found = .screen(try reader.only("_0", path))
      case "result": found = .result(try reader.only("_0", path))
      case "error": found = .error(try reader.only("_0") { reader throws(UnreadableFormat) in try reader.string() })
      case "content":
        var names: [String] = []
        var of: String?
        try reader.object { reader, member throws(UnreadableFormat) in
          switch member {
          case "_0": names = try path(&reader)
          case "of": of = try reader.string()
          default: throw reader.unknown(member)
          }
        }
        found = .content(names, of: of)
      case "authorizeURL":
        try reader.object { reader, member throws(UnreadableFormat) in throw reader.unknown(member) }
        found = .authorizeURL
      default: throw reader.unknown(kind)
      }
    }
    guard let found else { throw reader.missing("a reference") }
    return found
  }

  static func write(_ path: [String], _ writer: inout DiskWriter) {
    writer.open("[")
    for name in path {
      writer.separate()
      writer.write(name)
    }
    writer.close("]")
  }

  static func path(_ reader: inout DiskReader) throws(UnreadableFormat) -> [String] {
    var names: [String] = []
    try reader.array { reader throws(UnreadableFormat) in names.append(try reader.string()) }
    return names
  }
}
