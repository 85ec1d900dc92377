/// The form of operations in `DefinitionFormat`: an object whose first member names the operation.
enum OperationFormat {
  static func write(_ operation: Operation, _ writer: inout JSONWriter) {
    writer.object { writer in writeMembers(operation, &writer) }
  }

  private static func writeMembers(_ operation: Operation, _ writer: inout JSONWriter) {
    switch operation {
    case .push(let contribution): writer.member("push", contribution, as: ContributionFormat.write)
    case .replace(let contribution): writer.member("replace", contribution, as: ContributionFormat.write)
    case .set(let contributions, let keep):
      FlowFormat.writeAll(contributions, as: "set", &writer)
      writer.flag("keep", keep)
    case .pop(let count): writer.member("pop", WideInt(count))
    case .popTo(let screen): writer.member("popTo", screen)
    case .popToRoot: writer.member("popToRoot", true)
    case .reveal(.screen(let name)): writer.member("reveal", name)
    case .reveal(.flow(let name)): writer.member("revealFlow", name)
    case .present(let contribution, let style, let anchor, let replace, let level):
      writer.member("present", contribution, as: ContributionFormat.write)
      writer.member("style", NodeFormat.word(style))
      write(anchor, &writer)
      writer.flag("replace", replace)
      if let level {
        writer.member("level", WideInt(level.number))
        writer.flag("queue", level.queue)
      }
    case .dismiss(let name): writer.member("dismiss", orNull: name)
    case .tabs(let contributions): FlowFormat.writeAll(contributions, as: "tabs", &writer)
    case .split(let master, let detail):
      FlowFormat.writeAll(master, as: "split", &writer)
      writer.member("with", detail, as: ContributionFormat.write)
    case .detail(let contribution): writer.member("detail", contribution, as: ContributionFormat.write)
    case .select(.index(let index)): writer.member("select", index, as: ExpressionFormat.write)
    case .select(.flow(let flow)): writer.member("selectFlow", flow)
    case .show(let flow, let screen):
      writer.member("show", flow)
      writer.member("with", screen, as: ContributionFormat.write)
    case .end(let step): writer.member("end", step, as: TemplateFormat.write)
    case .give(let values): writer.member("give", values, as: TemplateFormat.write)
    case .forward(let step): writer.member("forward", step, as: TemplateFormat.write)
    case .write(let values): writer.member("write", values, as: TemplateFormat.write)
    case .clear(let facts): writer.member("clear", facts)
    case .content(let edits, let of):
      writer.name("content")
      writer.beginArray()
      for edit in edits { write(edit, &writer) }
      writer.endArray()
      writer.member("of", ifPresent: of)
    case .load(let load, let anchor, let of):
      writer.member("load", load, as: ContributionFormat.write)
      write(anchor, &writer)
      writer.member("of", ifPresent: of)
    case .after(let timer, let anchor):
      writer.member("after", timer, as: ContributionFormat.write)
      write(anchor, &writer)
    case .cancel(let name): writer.member("cancel", orNull: name)
    case .remove(let screen): writer.member("remove", screen)
    case .logout: writer.member("logout", true)
    case .forget: writer.member("forget", true)
    case .cancelLinks: writer.member("cancelLinks", true)
    case .none: writer.member("none", true)
    }
  }

  private static func write(_ anchor: Operation.Anchor, _ writer: inout JSONWriter) { writer.member("on", anchor.rawValue) }

  private static func write(_ edit: ContentEdit, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.list("path", edit.path, as: ExpressionFormat.write)
      switch edit.change {
      case .set(let value): writer.member("set", value, as: ExpressionFormat.write)
      case .add(let value): writer.member("add", value, as: ExpressionFormat.write)
      }
    }
  }

  static func operation(_ element: JSONElement) throws(UnreadableFormat) -> Operation {
    var members = try element.readMembers()
    guard let (word, value) = members.next() else { throw element.missing("an operation") }
    var parts = OperationMembers()
    for (member, value) in members { try parts.read(member, value) }
    return try operation(word, value, parts)
  }

  private static func operation(_ word: JSONElement, _ value: JSONElement, _ parts: OperationMembers) throws(UnreadableFormat) -> Operation
  {
    switch word {
    case "push": .push(try ContributionFormat.contribution(value))
    case "replace": .replace(try ContributionFormat.contribution(value))
    case "set": .set(try value.list(ContributionFormat.contribution), keep: parts.keep)
    case "pop": .pop(count: try value.readCount())
    case "popTo": .popTo(screen: try value.readString())
    case "popToRoot": .popToRoot
    case "reveal": .reveal(.screen(try value.readString()))
    case "revealFlow": .reveal(.flow(try value.readString()))
    case "present":
      .present(
        try ContributionFormat.contribution(value), style: parts.style, on: parts.anchor, replace: parts.replace,
        level: parts.level.map { Operation.Level($0, queue: parts.queue) })
    case "dismiss": .dismiss(try value.readOptionalString())
    case "tabs": .tabs(try value.list(ContributionFormat.contribution))
    case "split": .split(master: try value.list(ContributionFormat.contribution), detail: parts.with ?? Contribution(.screen("")))
    case "detail": .detail(try ContributionFormat.contribution(value))
    case "select": .select(.index(try ExpressionFormat.expression(value)))
    case "selectFlow": .select(.flow(try value.readString()))
    case "show": .show(flow: try value.readString(), screen: parts.with)
    case "end": .end(try TemplateFormat.step(value))
    case "give": .give(try TemplateFormat.members(value))
    case "forward": .forward(try TemplateFormat.step(value))
    case "write": .write(try TemplateFormat.members(value))
    case "clear": .clear(try value.texts())
    case "content": .content(try value.list(edit), of: parts.of)
    case "load": .load(try ContributionFormat.load(value), on: parts.anchor, of: parts.of)
    case "after": .after(try ContributionFormat.timer(value), on: parts.anchor)
    case "cancel": .cancel(name: try value.readOptionalString())
    case "remove": .remove(screen: try value.readString())
    case "logout": .logout
    case "forget": .forget
    case "cancelLinks": .cancelLinks
    case "none": .none
    default: throw word.unknown
    }
  }

  private static func edit(_ element: JSONElement) throws(UnreadableFormat) -> ContentEdit {
    var path: [Expression] = []
    var change: ContentEdit.Write?
    for (member, value) in try element.readMembers() {
      switch member {
      case "path": path = try value.list(ExpressionFormat.expression)
      case "set": change = .set(try ExpressionFormat.expression(value))
      case "add": change = .add(try ExpressionFormat.expression(value))
      default: throw member.unknown
      }
    }
    guard let change else { throw element.missing("a change") }
    return ContentEdit(path: path, change: change)
  }
}

/// The members of all operations but the first.
private struct OperationMembers {
  var keep = false
  var style = PresentationStyle.sheet
  var anchor = Operation.Anchor.flow
  var replace = false
  var level: Int?
  var queue = false
  var with: Contribution?
  var of: String?

  mutating func read(_ member: JSONElement, _ value: JSONElement) throws(UnreadableFormat) {
    switch member {
    case "keep": keep = try value.readBool()
    case "style": style = try NodeFormat.style(value)
    case "on": anchor = try value.readWord()
    case "replace": replace = try value.readBool()
    case "level": level = try value.readCount()
    case "queue": queue = try value.readBool()
    case "with": with = try ContributionFormat.contribution(value)
    case "of": of = try value.readString()
    default: throw member.unknown
    }
  }
}
