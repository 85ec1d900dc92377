import CairnCore

/// Steps and templates of steps on the disk, in the shape of the first version.
enum TemplateFormat {
  static func write(_ step: Step, _ writer: inout DiskWriter) {
    writer.open("{")
    writer.member("step", step.step)
    if !step.params.isEmpty {
      writer.name("params")
      writer.write(step.params)
    }
    writer.close("}")
  }

  static func plainStep(_ reader: inout DiskReader) throws(UnreadableFormat) -> Step {
    var step = Step("")
    try reader.object { reader, member throws(UnreadableFormat) in
      switch member {
      case "step": step.step = try reader.string()
      case "params": step.params = try reader.values()
      default: throw reader.unknown(member)
      }
    }
    return step
  }

  static func write(_ template: StepTemplate, _ writer: inout DiskWriter) {
    writer.open("{")
    writer.member("step", template.step)
    if !template.with.isEmpty {
      writer.name("with")
      write(template.with, &writer)
    }
    writer.close("}")
  }

  static func step(_ reader: inout DiskReader) throws(UnreadableFormat) -> StepTemplate {
    var template = StepTemplate("")
    try reader.object { reader, member throws(UnreadableFormat) in
      switch member {
      case "step": template.step = try reader.string()
      case "with": template.with = try members(&reader)
      default: throw reader.unknown(member)
      }
    }
    return template
  }

  private static func members(_ reader: inout DiskReader) throws(UnreadableFormat) -> [String: Expression] {
    var members: [String: Expression] = [:]
    try reader.object { reader, name throws(UnreadableFormat) in members[name] = try expression(&reader) }
    return members
  }

  private static func write(_ members: [String: Expression], _ writer: inout DiskWriter) {
    writer.open("{")
    for (name, expression) in members {
      writer.name(name)
      write(expression, &writer)
    }
    writer.close("}")
  }

  private static func write(_ expression: Expression, _ writer: inout DiskWriter) {
    switch expression {
    case .literal(let value): writer.wrapped("literal") { $0.write(value) }
    case .reference(let reference): writer.wrapped("reference") { write(reference, &$0) }
    case .template(let parts):
      writer.wrapped("template") { writer in
        writer.open("[")
        for part in parts {
          writer.separate()
          switch part {
          case .text(let text): writer.wrapped("text") { $0.write(text) }
          case .reference(let reference): writer.wrapped("reference") { write(reference, &$0) }
          }
        }
        writer.close("]")
      }
    case .array(let elements):
      writer.wrapped("array") { writer in
        writer.open("[")
        for element in elements {
          writer.separate()
          write(element, &writer)
        }
        writer.close("]")
      }
    case .object(let members): writer.wrapped("object") { write(members, &$0) }
    }
  }

  private static func expression(_ reader: inout DiskReader) throws(UnreadableFormat) -> Expression {
    var found: Expression?
    try reader.object { reader, kind throws(UnreadableFormat) in
      switch kind {
      case "literal": found = .literal(try reader.only("_0") { reader throws(UnreadableFormat) in try reader.value() })
      case "reference": found = .reference(try reader.only("_0", reference))
      case "template":
        var parts: [Expression.Part] = []
        _ = try reader.only("_0") { reader throws(UnreadableFormat) in
          try reader.array { reader throws(UnreadableFormat) in parts.append(try part(&reader)) }
        }
        found = .template(parts)
      case "array":
        var elements: [Expression] = []
        _ = try reader.only("_0") { reader throws(UnreadableFormat) in
          try reader.array { reader throws(UnreadableFormat) in elements.append(try expression(&reader)) }
        }
        found = .array(elements)
      case "object": found = .object(try reader.only("_0", members))
      default: throw reader.unknown(kind)
      }
    }
    guard let found else { throw reader.missing("an expression") }
    return found
  }

  private static func part(_ reader: inout DiskReader) throws(UnreadableFormat) -> Expression.Part {
    var found: Expression.Part?
    try reader.object { reader, kind throws(UnreadableFormat) in
      switch kind {
      case "text": found = .text(try reader.only("_0") { reader throws(UnreadableFormat) in try reader.string() })
      case "reference": found = .reference(try reader.only("_0", reference))
      default: throw reader.unknown(kind)
      }
    }
    guard let found else { throw reader.missing("a part") }
    return found
  }

  private static func write(_ reference: Reference, _ writer: inout DiskWriter) {
    switch reference {
    case .param(let name): writer.wrapped("param") { $0.write(name) }
    case .fact(let name): writer.wrapped("fact") { $0.write(name) }
    case .result(let path): writer.wrapped("result") { write(path, &$0) }
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

  private static func reference(_ reader: inout DiskReader) throws(UnreadableFormat) -> Reference {
    var found: Reference?
    try reader.object { reader, kind throws(UnreadableFormat) in
      switch kind {
      case "param": found = .param(try reader.only("_0") { reader throws(UnreadableFormat) in try reader.string() })
      case "fact": found = .fact(try reader.only("_0") { reader throws(UnreadableFormat) in try reader.string() })
      case "result": found = .result(try reader.only("_0", path))
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

  private static func write(_ path: [String], _ writer: inout DiskWriter) {
    writer.open("[")
    for name in path {
      writer.separate()
      writer.write(name)
    }
    writer.close("]")
  }

  private static func path(_ reader: inout DiskReader) throws(UnreadableFormat) -> [String] {
    var names: [String] = []
    try reader.array { reader throws(UnreadableFormat) in names.append(try reader.string()) }
    return names
  }
}

extension DiskWriter {
  /// `{"case":{"_0":…}}`, as the first version wrote a case with a value.
  fileprivate mutating func wrapped(_ name: StaticString, _ write: (inout DiskWriter) -> Void) {
    open("{")
    self.name(name)
    open("{")
    self.name("_0")
    write(&self)
    close("}")
    close("}")
  }
}
