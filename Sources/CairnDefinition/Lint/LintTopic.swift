import CairnCore

/// The rules of one topic, which use the data that `Lint` has prepared. Each rule is a function that returns its warnings.
protocol LintTopic {
  var lint: Lint { get }
  /// All warnings of the topic.
  var findings: [Lint.Finding] { get }
}

extension LintTopic {
  typealias Finding = Lint.Finding

  var definition: Definition { lint.definition }
  var places: Places { lint.places }
  var makings: [Making] { lint.makings }
  var operations: [OperationSite] { lint.operations }
  var operationsOfFlow: [[OperationSite]] { lint.operationsOfFlow }
  var graph: FlowGraph { lint.graph }
}
