/// The data that all readers of one document share: the problems found so far, the declared names, and the settings on which the language
/// depends.
final class ReaderContext {
  let limits: DefinitionLimits
  /// Whether the text comes from a database. Such a text may have been accepted under older rules.
  let isStored: Bool
  let problems = Problems()
  let names: DeclaredNames
  var compat = Compat()
  var loadDefaults = LoadDefaults()
  /// The flow whose handlers are being read; `nil` outside of a flow.
  var flow: CurrentFlow?
  var timerNames = TimerNames()
  /// The uses of facts that other flows declare. They are checked when all flows have been read.
  var outerFacts: [OuterFact] = []
  var messageSteps: [MessageStep] = []

  init(limits: DefinitionLimits = .none, isStored: Bool = false, names: DeclaredNames = DeclaredNames()) {
    self.limits = limits
    self.isStored = isStored
    self.names = names
  }
}
