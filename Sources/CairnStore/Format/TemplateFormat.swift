import CairnCore

/// Steps and templates of steps on the disk.
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
    if let destination = template.to { writer.member("to", destination.rawValue) }
    writer.close("}")
  }

  static func step(_ reader: inout DiskReader) throws(UnreadableFormat) -> StepTemplate {
    var template = StepTemplate("")
    try reader.object { reader, member throws(UnreadableFormat) in
      switch member {
      case "step": template.step = try reader.string()
      case "with": template.with = try members(&reader)
      case "to": template.to = Operation.Destination(rawValue: try reader.string())
      default: throw reader.unknown(member)
      }
    }
    return template
  }

  /// A node that only stays has no step.
  static func write(_ leave: Leave, _ writer: inout DiskWriter) {
    if let step = leave.step { return write(step, &writer) }
    writer.open("{")
    writer.close("}")
  }

  static func leave(_ reader: inout DiskReader) throws(UnreadableFormat) -> Leave {
    let template = try step(&reader)
    return template.step.isEmpty ? .refuse : .ask(template)
  }

  /// Expressions by name.
  static func members(_ reader: inout DiskReader) throws(UnreadableFormat) -> [String: Expression] {
    var members: [String: Expression] = [:]
    try reader.members { reader, name throws(UnreadableFormat) in members[name] = try ExpressionFormat.expression(&reader) }
    return members
  }

  /// Expressions by name.
  static func write(_ members: [String: Expression], _ writer: inout DiskWriter) {
    writer.open("{")
    for (name, expression) in members {
      writer.name(name)
      ExpressionFormat.write(expression, &writer)
    }
    writer.close("}")
  }
}
