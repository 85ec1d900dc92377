/// Creates the tables of a `Program`.
final class Compiler {
  let definition: Definition
  let names: Names
  let stepNumbers: StepNumbers
  let steps: [Program.Step]
  /// Records the branches that run; `nil` if they are not recorded.
  let trail: Trail?

  init(_ definition: Definition, trail: Trail? = nil, names known: Names? = nil) {
    self.definition = definition
    self.trail = trail
    names = known ?? Names(definition.flows.keys.sorted() + definition.screens.keys.sorted() + [Program.master])
    // A definition created in code may name undeclared steps. They have no params, and clients may not post them.
    var named = Set(definition.steps.keys)
    for flow in definition.flows.values { named.formUnion(flow.handle.keys) }
    for flow in definition.flows.values { named.formUnion(flow.adapt.keys) }
    let all = named.sorted()
    stepNumbers = StepNumbers(all)
    steps = all.map { name in
      let step = definition.steps[name]
      return Program.Step(
        name, step, params: ParameterContract(step?.params ?? [:]))
    }
  }

  func screen(_ screen: ScreenDefinition) -> Program.Screen {
    Program.Screen(
      params: ParameterContract(screen.params), emits: screen.emits.map { emits in StepSet(emits.compactMap { stepNumbers[$0] }) },
      steps: screen.steps, meta: screen.meta)
  }

  func flow(_ name: String, _ flow: FlowDefinition) -> Program.Flow {
    let initialChildren: Program.InitialChildren =
      switch flow.initialChildren {
      case .empty: .empty
      case .root(let root): .root(compile(root))
      case .tabs(let tabs): .tabs(tabs.map(compile))
      case .split(let master, let detail): .split(master: master.map(compile), detail: compile(detail))
      }
    return Program.Flow(
      name, kind: flow.container, params: ParameterContract(flow.params), facts: flow.facts, initialChildren: initialChildren,
      handlers: steps.map { step in flow.handle[step.name].map { handler($0, of: name, step.name) } },
      adaptations: steps.map { step in flow.adapt[step.name]?.map { Program.Adaptation(when: $0.when, to: compile($0.to)) } },
      manner: manner(flow.tabs), gives: ParameterContract(flow.gives ?? [:]), collapse: flow.collapse,
      emits: StepSet(flow.emits.compactMap { stepNumbers[$0] }), meta: flow.meta)
  }

  private func manner(_ tabs: TabsManner) -> Program.Manner {
    let reselect: Program.Manner.Reselect =
      switch tabs.reselect {
      case .nothing: .nothing
      case .popToRoot: .popToRoot
      case .send(let template): .send(compile(template))
      }
    return Program.Manner(reselect: reselect, back: tabs.back, gates: tabs.gates)
  }

  private func handler(_ handler: Handler, of flow: String, _ step: String) -> Program.Handler {
    Program.Handler(
      branches: handler.branches.enumerated().map { index, branch in
        let mark = trail.map { [$0.note(Trail.Branch(flow: flow, step: step, index: index))] } ?? []
        return (branch.when, mark + branch.operations.map(instruction))
      })
  }

  func compile(_ contribution: Contribution) -> NodeTemplate {
    let target: NodeTemplate.Target =
      switch contribution.target {
      case .screen(let name): names.number(name).map(NodeTemplate.Target.screen) ?? .missing(name)
      case .flow(let name):
        definition.flows.contains(exactly: name) ? names.number(name).map(NodeTemplate.Target.flow) ?? .missing(name) : .missing(name)
      }
    return NodeTemplate(
      target: target, with: Recipe(contribution.with), facts: Recipe(contribution.facts), start: contribution.start.map(compile),
      listen: contribution.listen,
      load: contribution.load, after: contribution.after.map(compile), steps: contribution.steps, leave: contribution.leave,
      isSealed: contribution.isSealed, content: contribution.content, then: contribution.then, otherwise: contribution.otherwise)
  }

  func compile(_ template: StepTemplate) -> CompiledStep {
    let number = stepNumbers[template.step] ?? -1
    return CompiledStep(
      number: number, name: template.step, with: Recipe(template.with), to: template.to,
      params: number < 0 ? ParameterContract([:]) : steps[number].params)
  }

  func compile(_ timer: Timer) -> CompiledTimer { CompiledTimer(timer: timer, step: compile(timer.step)) }
}
