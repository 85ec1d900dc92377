import CairnCore

/// What can be known of a definition without running it: parts that nothing leads to, and parts that lead nowhere. Each rule is a
/// function of its own, and says nothing where it cannot be sure.
struct Lint {
  let definition: Definition
  let places: Places
  let makings: [Making]

  /// Something doubtful, where it stands.
  struct Finding {
    var position: Position
    var message: String
  }

  private init(_ definition: Definition, _ places: Places) {
    self.definition = definition
    self.places = places
    makings = definition.makings
  }

  /// All that is doubtful in a definition without errors, in no order. `file` is the element that it was read from.
  static func findings(in definition: Definition, of file: Element) -> [Finding] {
    let lint = Lint(definition, Places(file))
    return [
      lint.idleSteps(), lint.lostScreens(), lint.lostFlows(), lint.endlessFlows(), lint.goalsThatAreNowhere(),
      lint.shadowedLinks(), lint.impossibleRules(), lint.unusedFacts(), lint.unusedSets(),
    ].flatMap(\.self)
  }
}
