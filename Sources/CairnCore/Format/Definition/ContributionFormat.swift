/// The form of contributions, loads and timers in `DefinitionFormat`.
enum ContributionFormat {
  static func write(_ contribution: Contribution, _ writer: inout JSONWriter) {
    writer.object { writer in
      switch contribution.target {
      case .screen(let name): writer.member("screen", name)
      case .flow(let name): writer.member("flow", name)
      }
      write(contribution.with, as: "with", &writer)
      writer.list("start", contribution.start, as: TemplateFormat.write)
      writer.flag("hidden", contribution.listen.hidden)
      writer.flag("dismissed", contribution.listen.dismissed)
      writer.member("load", contribution.load, as: write)
      writer.list("after", contribution.after, as: write)
      writer.member("left", contribution.left, as: TemplateFormat.write)
      writer.member("leave", contribution.leave, as: TemplateFormat.write)
      writer.member("content", contribution.content, as: ExpressionFormat.write)
      writer.member("then", contribution.then, as: TemplateFormat.write)
      writer.member("else", contribution.otherwise, as: TemplateFormat.write)
    }
  }

  static func contribution(_ element: JSONElement) throws(UnreadableFormat) -> Contribution {
    var contribution = Contribution(.screen(""))
    for (member, value) in try element.readMembers() {
      switch member {
      case "screen": contribution.target = .screen(try value.readString())
      case "flow": contribution.target = .flow(try value.readString())
      case "with": contribution.with = try TemplateFormat.members(value)
      case "start": contribution.start = try value.list(TemplateFormat.step)
      case "hidden": contribution.listen.hidden = try value.readBool()
      case "dismissed": contribution.listen.dismissed = try value.readBool()
      case "load": contribution.load = try load(value)
      case "after": contribution.after = try value.list(timer)
      case "left": contribution.left = try TemplateFormat.step(value)
      case "leave": contribution.leave = try TemplateFormat.leave(value)
      case "content": contribution.content = try ExpressionFormat.expression(value)
      case "then": contribution.then = try TemplateFormat.step(value)
      case "else": contribution.otherwise = try TemplateFormat.step(value)
      default: throw member.unknown
      }
    }
    return contribution
  }

  /// Writes expressions by name unless there are none.
  static func write(_ expressions: [String: Expression], as name: StaticString, _ writer: inout JSONWriter) {
    guard !expressions.isEmpty else { return }
    writer.name(name)
    TemplateFormat.write(expressions, &writer)
  }

  /// Writes the existence of a load and its steps, without the source of its result.
  static func write(_ load: Load, _ writer: inout JSONWriter) {
    writer.object { writer in
      if load.delay != 0 { writer.member("delay", load.delay) }
      writer.member("then", load.then, as: TemplateFormat.write)
      writer.member("else", load.otherwise, as: TemplateFormat.write)
      writer.flag("restart", load.restart)
      writer.flag("visible", load.whileVisible)
    }
  }

  static func load(_ element: JSONElement) throws(UnreadableFormat) -> Load {
    var load = Load(.request(.unknown))
    for (member, value) in try element.readMembers() {
      switch member {
      case "delay": load.delay = try value.readNumber()
      case "then": load.then = try TemplateFormat.step(value)
      case "else": load.otherwise = try TemplateFormat.step(value)
      case "restart": load.restart = try value.readBool()
      case "visible": load.whileVisible = try value.readBool()
      default: throw member.unknown
      }
    }
    return load
  }

  static func write(_ timer: Timer, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", ifPresent: timer.name)
      writer.member("delay", timer.delay)
      writer.flag("repeats", timer.repeats)
      writer.name("step")
      TemplateFormat.write(timer.step, &writer)
      writer.flag("visible", timer.whileVisible)
    }
  }

  static func timer(_ element: JSONElement) throws(UnreadableFormat) -> Timer {
    var timer = Timer(delay: 0, step: StepTemplate(""))
    for (member, value) in try element.readMembers() {
      switch member {
      case "name": timer.name = try value.readString()
      case "delay": timer.delay = try value.readNumber()
      case "repeats": timer.repeats = try value.readBool()
      case "step": timer.step = try TemplateFormat.step(value)
      case "visible": timer.whileVisible = try value.readBool()
      default: throw member.unknown
      }
    }
    return timer
  }
}

extension LoadRequest {
  /// The request of a load whose source is not known.
  static let unknown = LoadRequest(.get, .literal(.string("")))
}
