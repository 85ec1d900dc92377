import CairnCore

/// Finds probable faults of a definition without running it, such as unreachable parts. Each rule is a
/// separate function. A topic with many rules has its own `LintTopic`.
struct Lint {
  let definition: Definition
  let places: Places
  let makings: [Making]
  /// All operations, and the operations of each flow by the flow's number.
  let operations: [OperationSite]
  let operationsOfFlow: [[OperationSite]]
  let graph: FlowGraph

  /// A warning with its position.
  struct Finding {
    var position: Position
    var message: String
  }

  private init(_ definition: Definition, _ places: Places) {
    self.definition = definition
    self.places = places
    operations = definition.operations
    makings = definition.makings(operations)
    graph = FlowGraph(definition, makings)
    let sites = Dictionary(grouping: operations, by: \.flow)
    operationsOfFlow = graph.names.map { sites[$0] ?? [] }
  }

  /// All warnings for a definition without errors, in no particular order. `file` is the element that the definition was read from.
  static func findings(in definition: Definition, of file: Element) -> [Finding] {
    let lint = Lint(definition, Places(file))
    let own = [
      lint.shadowedLinks(), lint.foreignPaths(), lint.idleTakings(), lint.impossibleRules(), lint.unusedFacts(), lint.unusedSets(),
      lint.unauthorizedForNothing(), lint.mistakenErrors(), lint.missingValues(), lint.nodesThatStay(), lint.tapsForNothing(),
      lint.guardsWithoutAnswer(), lint.answersThatRemove(), lint.questionsUnderLevels(),
      lint.loadsThatRestart(), lint.flowsInFront(), lint.sumsOfNothing(), lint.contentsThatAreReplaced(), lint.secretsInFacts(),
      lint.withheldVariables(),
    ]
    return own.flatMap(\.self) + ModalRules(lint: lint).findings + StepRules(lint: lint).findings + TabRules(lint: lint).findings
      + SightRules(lint: lint).findings + PostRules(lint: lint).findings
  }
}
