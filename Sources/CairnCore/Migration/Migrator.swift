/// Moves sessions from one definition to another one of the same app. Immutable and thread-safe.
public struct Migrator: Sendable {
  let old: Reducer
  let new: Reducer
  let migration: Migration
  /// The timers and loads that are identical in both definitions.
  let unchanged: UnchangedEffects

  public init(from old: Reducer, to new: Reducer, by migration: Migration) {
    self.old = old
    self.new = new
    self.migration = migration
    unchanged = UnchangedEffects(old.definition, new.definition)
  }

  /// Replaces a state of the old definition by a state of the new definition. The new state has the next revision. Removed nodes run no
  /// handlers. Steps are sent only at the start of a flow that replaces a node, and by rules if the migration sets `runsRules`. The
  /// migration also performs the held links, held actions and waiting selections that are possible now.
  ///
  /// `environment` contains the variables that the new definition names; the session's existing variables take precedence. Throws without
  /// modifying the state if a part of the session has no counterpart, or if the result would exceed the bounds or be inconsistent.
  public func migrate(
    _ state: inout State, environment: [String: String] = [:], stamp: Stamp, meter: inout Meter
  ) throws(MigrationObstacle) -> Transition {
    var next = try carried(state, stamp)
    try checkMessages(state, stamp)
    next.environment = environment.updated(with: state.environment)
    next.facts = try facts(of: state, environment: next.environment, stamp)
    var run = Run(new.program, state: next, stamp: stamp, meter: meter)
    let edit = NodeMigration(self, state, stamp)
    do throws(Refusal) {
      // Effects must be ended before nodes are placed, because new nodes start effects.
      endEffects(&run)
      try edit.placeNodes(&run)
      layOutSplits(&run)
      dropLinks(&run)
      #if !CLIENT_ENGINE
        renameHeldActions(&run, state, stamp)
      #endif
      endQuestion(&run)
      if migration.runsRules { run.followRules(naming: nil) }
      run.turns.finish()
      try run.drain()
      Sight.note(&run)
      Effects.followCover(&run)
      #if !CLIENT_ENGINE
        Inactivity.follow(&run, isOfClient: false)
        Moments.schedule(&run)
      #endif
      try Limits.weigh(&run, since: state, run.meter.bounds.state)
    } catch {
      throw MigrationObstacle(error.detail)
    }
    _ = run.takeEdits()
    if let fault = run.state.faults.first { throw MigrationObstacle("the new state would be inconsistent: \(fault)") }
    if let time = run.state.manualTime { run.state.manualTime = max(time, stamp.time) }
    run.state.revision = state.revision + 1
    meter = run.meter
    var transition = Transition(
      outcome: .performed, eventList: run.report.events, changes: new.changes(from: state, by: old, to: run.state),
      started: run.state.effectsStarted(since: state))
    transition.cancelled = state.effectsOver(in: run.state)
    state = run.state
    return transition
  }

  /// Migrates a state without bounds on its size and on the work.
  public func migrate(_ state: inout State, stamp: Stamp) throws(MigrationObstacle) -> Transition {
    var meter = Meter.idle
    return try migrate(&state, stamp: stamp, meter: &meter)
  }

  // MARK: facts

  /// The facts of the new definition. Each has the value of its expression in the migration, its old value, the value of its environment variable, or its
  /// default, in this order of precedence. Throws if a value does not have the type of its fact.
  private func facts(of state: State, environment: [String: String], _ stamp: Stamp) throws(MigrationObstacle) -> [String: Value] {
    let evaluator = Evaluator(program: old.program, stamp: stamp)
    var sources: [String: String] = [:]
    for name in state.facts.keys {
      switch migration.facts[name] {
      case .keep(let other)?: sources[other] = name
      case .remove?: break
      case nil: if sources[name] == nil { sources[name] = name }
      }
    }
    var facts: [String: Value] = [:]
    facts[FactDefinition.accessToken] = state.facts[FactDefinition.accessToken]
    for (name, fact) in new.definition.facts.sortedByKey {
      var value: Value?
      if let expression = migration.values[name] {
        value = evaluator.value(of: expression, in: Scope(), state)
      } else if let source = sources[name] {
        value = state.facts[source]
      } else if let variable = fact.environment, let text = environment[variable] {
        value = fact.type.read(text)
      }
      if value == .null { value = nil }
      if let value, let fault = fact.type.fault(of: value) { throw MigrationObstacle("the fact \(name) \(fault)") }
      facts[name] = value ?? fact.type.defaultValue
    }
    return facts
  }

  // MARK: effects, links and layouts

  /// The step of an effect under its new name. Clients never receive the steps of effects, so the step's values need not be marked as hidden.
  private func renamed(_ template: StepTemplate, in state: State, _ stamp: Stamp) -> StepTemplate {
    var new = mapped(template, in: state, stamp) ?? template
    new.hidesValues = template.hidesValues
    return new
  }

  /// Cancels the effects that differ in the new definition, without sending their `else` steps. The others continue with their deadlines, and with
  /// the new names of their steps.
  private func endEffects(_ run: inout Run) {
    let (state, stamp, program) = (run.state, run.stamp, run.program)
    let continued = state.effects.compactMap { effect in
      unchanged.continued(
        effect, in: program, mapped: { renamed($0, in: state, stamp) }, mappedStep: { (try? mapped($0, in: state, stamp)) ?? $0 })
    }
    Effects.cancel(&run) { effect in !continued.contains { $0.id == effect.id } }
    for effect in continued { run.state.effectBook.change(effect.id) { ($0.work, $0.to) = (effect.work, effect.to) } }
    Logins.endLostRequest(&run, "migrated")
  }

  /// Throws if a message that has not ended sends a step that the new definition lacks.
  private func checkMessages(_ state: State, _ stamp: Stamp) throws(MigrationObstacle) {
    for message in state.effects.compactMap({ $0.message }) {
      for template in [message.then, message.otherwise].compactMap({ $0 }) {
        if let step = mapped(template, in: state, stamp), new.program.step(step.step) != nil { continue }
        throw MigrationObstacle(
          "the message \(message.key) has not ended, and its step \(template.step) does not exist in the new definition")
      }
    }
  }

  /// Ends the question if its node no longer exists, or if its action has nothing left to do. Also ends it if no link of the new definition matches its URL, or
  /// if its step is not valid in the new definition.
  private func endQuestion(_ run: inout Run) {
    guard let question = run.state.question else { return }
    var isKept = run.state.stands(question.node)
    switch question.aim {
    case .keep, .remove, .select: isKept = isKept && !Guards.going(run.state, question.aim).isEmpty
    case .open(_, let url): isKept = isKept && (try? Links.match(run, url)) != nil
    case .send(let link, let template):
      if let step = mapped(template, in: run.state, run.stamp), (try? Links.step(run, of: step, given: [:])) != nil {
        run.state.questionBook.asked?.aim = .send(link, step)
      } else {
        isKept = false
      }
    case .handle(let step, let flow, let from):
      isKept = isKept && run.state.isAlive(flow: flow)
      if isKept, let step = try? mapped(step, in: run.state, run.stamp) {
        run.state.questionBook.asked?.aim = .handle(step, by: flow, from: from)
      } else {
        isKept = false
      }
    case .exit: break
    }
    if !isKept { Questions.end(&run, "migrated") }
  }

  #if !CLIENT_ENGINE
    /// Replaces the names in the held actions by those of the new definition. Drops the actions that have no equivalent in it.
    private func renameHeldActions(_ run: inout Run, _ state: State, _ stamp: Stamp) {
      for place in run.state.heldActions.indices.reversed() {
        if case .action(let action)? = try? mapped(.action(run.state.heldActions[place].action), in: state, stamp: stamp) {
          run.state.heldActions[place].action = action
        } else {
          HeldActions.drop(&run, at: place, "migrated")
        }
      }
    }
  #endif

  /// Drops the held links whose URLs no link of the new definition matches. If more are left than the new definition allows, drops the oldest.
  private func dropLinks(_ run: inout Run) {
    for link in run.state.pendingLinks {
      do {
        _ = try Links.link(run, for: link.url)
      } catch {
        HeldLinks.drop(&run, link.id, error.code.rawValue)
      }
    }
    for link in run.state.pendingLinks.dropLast(max(1, new.definition.heldLinks)) { HeldLinks.drop(&run, link.id, "replaced") }
  }

  /// Lays out all splits by the conditions of the new definition.
  private func layOutSplits(_ run: inout Run) {
    let collapsing = Set(run.program.collapses.map { $0.flow })
    for record in run.state.nodes.records where record.isCollapsed && !collapsing.contains(record.flow) {
      Collapsing.layOut(&run, record.nodeID, isCollapsed: false)
    }
    Collapsing.layOutSplits(&run, naming: run.program.collapses.reduce(into: []) { $0.formUnion($1.facts) })
  }
}
