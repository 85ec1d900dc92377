package import CairnCore

/// An operation and its position in the definition.
package struct OperationSite {
  package var flow: String
  package var step: String
  /// The index of the branch in the handler, from 0.
  package var branch: Int
  /// The index of the operation in the branch, from 0.
  package var index: Int
  package var operation: Operation
  /// The nodes that the operation creates or targets, the steps that it sends, and the values that it reads and writes.
  package let parts: OperationParts
  /// The operation's keyword in the file; `[]` for the operation that does nothing.
  var word: String { OperationWord(operation)?.rawValue ?? "[]" }
}

extension Definition {
  /// All operations, sorted by flow and step.
  package var operations: [OperationSite] {
    flows.sortedByKey.flatMap { flow, definition in
      definition.handle.sortedByKey.flatMap { step, handler in
        handler.branches.enumerated().flatMap { branch, content in
          content.operations.enumerated().map { index, operation in
            OperationSite(flow: flow, step: step, branch: branch, index: index, operation: operation, parts: operation.parts)
          }
        }
      }
    }
  }

  /// Every step that the definition sends. Steps that only screens emit are not included.
  package var templates: [StepTemplate] {
    var templates = rules.map(\.step) + flows.values.flatMap { $0.adapt.values.joined() }.map(\.to)
    templates += links.flatMap { $0.steps + [$0.otherwise].compactMap(\.self) }
    for taking in notifications.take { if case .step(let template) = taking.routing { templates.append(template) } }
    templates += [unauthorized, unmatched].compactMap(\.self)
    templates += flows.values.flatMap(\.tabs.templates) + flows.values.flatMap(\.idle).map(\.step)
    templates += screens.values.flatMap(\.steps.all)
    templates += initialArrivals.flatMap(\.contribution.templates) + parts.flatMap(\.templates)
    return templates
  }

  /// Every expression in the definition, including those in conditions.
  package var expressions: [Expression] {
    templates.flatMap { Array($0.with.values) } + guards.flatMap(\.expressions)
      + initialArrivals.flatMap(\.contribution.expressions) + parts.flatMap(\.expressions)
      + notifications.take.compactMap { if case .link(let url) = $0.routing { url } else { nil } }
  }

  /// Whether a condition or a timer compares the time with a moment or a time of day.
  package var comparesTime: Bool { guards.contains(where: \.readsTime) || timers.contains(where: \.isMoment) }

  /// The parts of each operation.
  private var parts: [OperationParts] { operations.map(\.parts) }

  /// The nodes that are created with the app and with each of its flows.
  private var initialArrivals: [Arrival] { [Arrival(root, .child)] + flows.values.flatMap(\.arrivals) }
}

extension Guard {
  fileprivate var expressions: [Expression] {
    switch self {
    case .fact(_, let test), .flowFact(_, let test), .param(_, let test), .result(_, let test): test.expressions
    case .content(_, let test, _): test.expressions + nodeParams.values
    case .visible, .screen, .flow, .status: Array(nodeParams.values)
    case .passed(let value, _), .between(_, _, let value): [value]
    case .all(let guards), .any(let guards): guards.flatMap(\.expressions)
    case .not(let inner): inner.expressions
    }
  }
}
