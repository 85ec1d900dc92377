/// The stored form of steps and templates of steps.
enum TemplateFormat {
  static func write(_ step: Step, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("step", step.step)
    if !step.params.isEmpty {
      writer.member("params", step.params)
    }
    writer.endObject()
  }

  static func plainStep(_ element: JSONElement) throws(UnreadableFormat) -> Step {
    var step = Step("")
    for (member, value) in try element.readMembers() {
      switch member {
      case "step": step.step = try value.readString()
      case "params": step.params = try value.readValues()
      default: throw member.unknown
      }
    }
    return step
  }

  static func write(_ template: StepTemplate, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("step", template.step)
    if !template.with.isEmpty {
      writer.name("with")
      write(template.with, &writer)
    }
    if let destination = template.to { writer.member("to", destination.rawValue) }
    writer.flag("hides", template.hidesValues)
    writer.endObject()
  }

  static func step(_ element: JSONElement) throws(UnreadableFormat) -> StepTemplate {
    var template = StepTemplate("")
    for (member, value) in try element.readMembers() {
      switch member {
      case "step": template.step = try value.readString()
      case "with": template.with = try members(value)
      case "to": template.to = Operation.Destination(rawValue: try value.readString())
      case "hides": template.hidesValues = try value.readBool()
      default: throw member.unknown
      }
    }
    return template
  }

  /// Writes the step, or an empty object for `leave: none`.
  static func write(_ leave: Leave, _ writer: inout JSONWriter) {
    if let step = leave.step { return write(step, &writer) }
    writer.beginObject()
    writer.endObject()
  }

  static func leave(_ element: JSONElement) throws(UnreadableFormat) -> Leave {
    let template = try step(element)
    return template.step.isEmpty ? .refuse : .ask(template)
  }

  /// Reads expressions by name.
  static func members(_ element: JSONElement) throws(UnreadableFormat) -> [String: Expression] {
    var members: [String: Expression] = [:]
    for (name, value) in try element.readMembers() { members[try name.readString()] = try ExpressionFormat.expression(value) }
    return members
  }

  /// Writes expressions by name.
  static func write(_ members: [String: Expression], _ writer: inout JSONWriter) {
    writer.beginObject()
    for (name, expression) in members.sorted(by: { $0.key < $1.key }) {
      writer.key(name)
      ExpressionFormat.write(expression, &writer)
    }
    writer.endObject()
  }
}
