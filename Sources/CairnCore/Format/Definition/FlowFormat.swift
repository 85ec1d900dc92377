/// The form of flows and their handlers in `DefinitionFormat`.
enum FlowFormat {
  static func write(_ flow: FlowDefinition, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("container", word: flow.container.stored)
      write(flow.initialChildren, &writer)
      writer.texts("children", flow.children)
      writer.table("handle", flow.handle) { handler, writer in
        writer.beginArray()
        for branch in handler.branches { write(branch, &writer) }
        writer.endArray()
      }
      writer.table("adapt", flow.adapt) { adaptations, writer in
        writer.beginArray()
        for adaptation in adaptations { write(adaptation, &writer) }
        writer.endArray()
      }
      write(flow.tabs, &writer)
      if let gives = flow.gives {
        writer.name("gives")
        writer.object { writer in
          for (name, type) in gives.sorted(by: { $0.key < $1.key }) {
            writer.key(name)
            ParameterFormat.write(type, &writer)
          }
        }
      }
      writer.member("collapse", flow.collapse, as: GuardFormat.write)
      writer.texts("emits", flow.emits.sorted())
      writer.member("meta", ifPresent: flow.meta)
    }
  }

  static func flow(_ element: JSONElement, _ sets: ValueSets) throws(UnreadableFormat) -> FlowDefinition {
    var flow = FlowDefinition(container: .stack)
    for (member, value) in try element.readMembers() {
      switch member {
      case "container": flow.container = try NodeFormat.kind(value)
      case "root": flow.initialChildren = .root(try ContributionFormat.contribution(value))
      case "tabs": flow.initialChildren = .tabs(try value.list(ContributionFormat.contribution))
      case "master":
        flow.initialChildren = .split(master: try value.list(ContributionFormat.contribution), detail: flow.initialChildren.detail)
      case "detail": flow.initialChildren = .split(master: flow.initialChildren.master, detail: try ContributionFormat.contribution(value))
      case "children": flow.children = try value.texts()
      case "handle":
        flow.handle = try value.table { element throws(UnreadableFormat) in
          Handler(branches: try element.list { element throws(UnreadableFormat) in try branch(element, sets) })
        }
      case "adapt":
        flow.adapt = try value.table { element throws(UnreadableFormat) in
          try element.list { element throws(UnreadableFormat) in try adaptation(element, sets) }
        }
      case "reselect":
        flow.tabs.reselect = value.isObject ? .send(try TemplateFormat.step(value)) : try value.readBool() ? .popToRoot : .nothing
      case "back": flow.tabs.back = try value.readWord()
      case "gives": flow.gives = try value.table { element throws(UnreadableFormat) in try ParameterFormat.parameter(element, sets) }
      case "collapse": flow.collapse = try GuardFormat.condition(value, sets)
      case "emits": flow.emits = Set(try value.texts())
      case "meta": flow.meta = value.stored
      default: throw member.unknown
      }
    }
    return flow
  }

  private static func write(_ initialChildren: FlowDefinition.InitialChildren, _ writer: inout JSONWriter) {
    switch initialChildren {
    case .empty: break
    case .root(let root): writer.member("root", root, as: ContributionFormat.write)
    case .tabs(let tabs): writeAll(tabs, as: "tabs", &writer)
    case .split(let master, let detail):
      writeAll(master, as: "master", &writer)
      writer.member("detail", detail, as: ContributionFormat.write)
    }
  }

  /// Writes a list, also if it is empty.
  static func writeAll(_ contributions: [Contribution], as name: StaticString, _ writer: inout JSONWriter) {
    writer.name(name)
    writer.beginArray()
    for contribution in contributions { ContributionFormat.write(contribution, &writer) }
    writer.endArray()
  }

  private static func write(_ manner: TabsManner, _ writer: inout JSONWriter) {
    switch manner.reselect {
    case .nothing: break
    case .popToRoot: writer.member("reselect", true)
    case .send(let step): writer.member("reselect", step, as: TemplateFormat.write)
    }
    if manner.back != .nothing { writer.member("back", manner.back.rawValue) }
  }

  private static func write(_ branch: Handler.Branch, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("when", branch.when, as: GuardFormat.write)
      writer.list("do", branch.operations, as: OperationFormat.write)
    }
  }

  private static func branch(_ element: JSONElement, _ sets: ValueSets) throws(UnreadableFormat) -> Handler.Branch {
    var branch = Handler.Branch(operations: [])
    for (member, value) in try element.readMembers() {
      switch member {
      case "when": branch.when = try GuardFormat.condition(value, sets)
      case "do": branch.operations = try value.list(OperationFormat.operation)
      default: throw member.unknown
      }
    }
    return branch
  }

  private static func write(_ adaptation: Adaptation, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.name("when")
      GuardFormat.write(adaptation.when, &writer)
      writer.name("to")
      TemplateFormat.write(adaptation.to, &writer)
    }
  }

  private static func adaptation(_ element: JSONElement, _ sets: ValueSets) throws(UnreadableFormat) -> Adaptation {
    guard let when = element["when"], let to = element["to"] else { throw element.missing("an adaptation's condition or step") }
    return Adaptation(when: try GuardFormat.condition(when, sets), to: try TemplateFormat.step(to))
  }
}

extension FlowDefinition.InitialChildren {
  fileprivate var master: [Contribution] { if case .split(let master, _) = self { master } else { [] } }
  fileprivate var detail: Contribution { if case .split(_, let detail) = self { detail } else { Contribution(.screen("")) } }
}
