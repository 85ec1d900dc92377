/// The timers, loads and token exchanges that are identical in two definitions. A running effect continues if all parts of the old definition that may have
/// started it are among them.
struct UnchangedEffects: Sendable {
  private let timers: [Timer]
  private let loads: [Load]
  private let newTimers: Set<Timer>
  private let newLoads: Set<Load>
  private let isExchangeUnchanged: Bool

  init(_ old: Definition, _ new: Definition) {
    timers = old.timers
    loads = old.loads
    newTimers = Set(new.timers)
    newLoads = Set(new.loads)
    isExchangeUnchanged = old.oauth == new.oauth
  }

  /// Whether an effect continues in a program of the new definition.
  func has(_ effect: Effect, in program: Program) -> Bool {
    switch effect.work {
    case .exchange: return isExchangeUnchanged
    // The timer ends together with its overlay.
    case .timer where effect.closes: return true
    case .timer(let name, let step, let delay, let period, _):
      let starters = timers.filter {
        $0.name == name && $0.delay == delay && $0.repeats == (period != nil) && $0.step.step == step.step
          && $0.whileVisible == effect.whileVisible && $0.step.to == effect.to && ($0.covered ?? effect.covered) == effect.covered
      }
      return !starters.isEmpty && starters.allSatisfy { newTimers.contains($0) } && takes(program, step)
    case .value(_, let delay, let then, let otherwise):
      let starters = loads.filter { isStarter($0, effect, delay, then, otherwise) && $0.request == nil }
      return goesOn(starters, [then, otherwise], in: program)
    case .request(_, let bearer, let delay, let then, let otherwise, let terms):
      let starters = loads.filter { load in
        guard let request = load.request, isStarter(load, effect, delay, then, otherwise) else { return false }
        return request.bearer == bearer && request.method == terms?.method ?? .get
      }
      return goesOn(starters, [then, otherwise], in: program)
    }
  }

  private func isStarter(_ load: Load, _ effect: Effect, _ delay: WideInt, _ then: StepTemplate?, _ otherwise: StepTemplate?) -> Bool {
    // A load that restarts itself waits for at least `Restarts.interval`.
    (load.delay == delay || load.delay < delay && delay == Restarts.interval) && load.whileVisible == effect.whileVisible
      && load.then?.step == then?.step && load.otherwise?.step == otherwise?.step
  }

  private func goesOn(_ starters: [Load], _ steps: [StepTemplate?], in program: Program) -> Bool {
    !starters.isEmpty && starters.allSatisfy { newLoads.contains($0) }
      && steps.allSatisfy { step in step.map { program.step($0.step) != nil } ?? true }
  }

  /// Whether a step with known params is valid in a program.
  private func takes(_ program: Program, _ step: Step) -> Bool {
    guard let number = program.step(step.step) else { return false }
    return program.steps[number].params.checked(step.params) != nil
  }
}

extension Definition {
  /// All timers that the definition may start.
  var timers: [Timer] {
    let parts = flows.values.flatMap { $0.handle.values }.flatMap { $0.branches }.flatMap { $0.operations }.map { $0.parts }
    let made = [root] + flows.values.flatMap { $0.arrivals }.map { $0.contribution } + parts.flatMap { $0.makes }.map { $0.contribution }
    return made.flatMap { $0.after } + parts.flatMap { $0.timers }
  }
}
