import CairnCore

/// An operation and where it stands in its definition.
struct OperationSite {
  var flow: String
  var step: String
  /// From 0, in the handler.
  var branch: Int
  /// From 0, in the branch.
  var index: Int
  var operation: Operation
  /// As the file calls the operations that are looked for by place.
  var word: String {
    switch operation {
    case .reveal: "reveal"
    case .popTo: "popTo"
    case .remove: "remove"
    default: ""
    }
  }
}

extension Definition {
  /// All operations, by flow and step.
  var operations: [OperationSite] {
    flows.sorted { $0.key < $1.key }.flatMap { flow, definition in
      definition.handle.sorted { $0.key < $1.key }.flatMap { step, handler in
        handler.branches.enumerated().flatMap { branch, content in
          content.operations.enumerated().map { index, operation in
            OperationSite(flow: flow, step: step, branch: branch, index: index, operation: operation)
          }
        }
      }
    }
  }

  /// Every step that something in the definition sends, screens aside.
  var templates: [StepTemplate] {
    var templates = rules.map(\.step) + flows.values.flatMap { $0.adapt.values.joined() }.map(\.to)
    for link in links {
      switch link.action {
      case .steps(let steps): templates += steps
      case .broadcast(let step): templates.append(step)
      }
    }
    for contribution in makings.map(\.contribution) {
      templates += contribution.start + contribution.after.map(\.step) + [contribution.left].compactMap(\.self)
      templates += contribution.load?.templates ?? []
    }
    for site in operations {
      switch site.operation {
      case .end(let step), .forward(let step, _): templates.append(step)
      case .load(let load, _): templates += load.templates
      case .after(let timer, _): templates.append(timer.step)
      default: break
      }
    }
    return templates
  }

  /// Every condition.
  var guards: [Guard] {
    flows.values.flatMap { flow in
      flow.handle.values.flatMap(\.branches).compactMap(\.when) + flow.adapt.values.joined().map(\.when)
    } + rules.map(\.when) + links.compactMap(\.requires) + notifications.suppress.map(\.when)
  }

  /// Every expression, those of conditions too.
  var expressions: [Expression] {
    var expressions = templates.flatMap { Array($0.with.values) } + guards.flatMap(\.expressions)
    for contribution in makings.map(\.contribution) {
      expressions += Array(contribution.with.values) + [contribution.content].compactMap(\.self)
      expressions += contribution.load?.expressions ?? []
    }
    for site in operations {
      switch site.operation {
      case .write(let writes): expressions += Array(writes.values)
      case .content(let edits, _): expressions += edits.flatMap(\.expressions)
      case .load(let load, _): expressions += load.expressions
      case .select(.index(let index)): expressions.append(index)
      default: break
      }
    }
    return expressions
  }
}

extension Load {
  fileprivate var templates: [StepTemplate] { [then, otherwise].compactMap(\.self) }

  fileprivate var expressions: [Expression] {
    switch source {
    case .value(let value): [value]
    case .get(let url, _): [url]
    }
  }
}

extension ContentEdit {
  fileprivate var expressions: [Expression] {
    switch change {
    case .set(let value), .add(let value): path + [value]
    }
  }
}

extension Guard {
  fileprivate var expressions: [Expression] {
    switch self {
    case .fact(_, .equals(let value)), .param(_, .equals(let value)), .content(_, .equals(let value)): [value]
    case .visible(_, let with): Array(with.values)
    case .all(let guards), .any(let guards): guards.flatMap(\.expressions)
    case .not(let inner): inner.expressions
    case .fact, .param, .content, .status, .flow: []
    }
  }
}
