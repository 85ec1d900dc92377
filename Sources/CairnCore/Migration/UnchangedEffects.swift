/// The timers, loads and token exchanges that are identical in two definitions, except for the names of steps that a migration maps. A running effect continues
/// if all parts of the old definition that may have started it are among them.
struct UnchangedEffects: Sendable {
  private let timers: [Timer]
  private let loads: [Load]
  private let newTimers: Set<Timer>
  private let newLoads: Set<Load>
  private let isExchangeUnchanged: Bool

  init(_ old: Definition, _ new: Definition) {
    timers = old.timers
    loads = old.loads
    newTimers = Set(new.timers.map { $0.evaluated })
    newLoads = Set(new.loads)
    isExchangeUnchanged = old.oauth == new.oauth
  }

  /// The effect as it continues in a program of the new definition; `nil` if it does not continue. `mapped` returns the template of a step under its new name,
  /// and `mappedStep` does the same for a step with known params.
  func continued(_ effect: Effect, in program: Program, mapped: (StepTemplate) -> StepTemplate, mappedStep: (Step) -> Step) -> Effect? {
    var next = effect
    switch effect.work {
    case .exchange: return isExchangeUnchanged ? effect : nil
    // A migration ends no message. `Migrator` checks that the steps exist.
    case .message(var message):
      (message.then, message.otherwise) = (message.then.map(mapped), message.otherwise.map(mapped))
      next.work = .message(message)
      return next
    // The timer of an overlay ends together with the overlay. The timer for the next moment is replaced if the moment has changed.
    case .timer where effect.closes: return effect
    case .timer(let name, let step, let delay, let period, let ticks):
      let starters = timers.filter {
        $0.name == name && ($0.value != nil || $0.delay == delay) && $0.isMoment == effect.isMoment && $0.isDaily == (effect.zone != nil)
          && $0.repeats == (period != nil)
          && $0.step.step == step.step
          && $0.whileVisible == effect.whileVisible && $0.step.to == effect.to && ($0.covered ?? effect.covered) == effect.covered
      }
      let areKept = starters.allSatisfy { timer in
        var timer = timer.evaluated
        timer.step = mapped(timer.step)
        return newTimers.contains(timer)
      }
      // A flow that receives the step may have another name too.
      next.to = mapped(StepTemplate(step.step, to: effect.to)).to
      let mapped = mappedStep(step)
      guard !starters.isEmpty, areKept, takes(program, mapped) else { return nil }
      next.work = .timer(name: name, step: mapped, delay: delay, period: period, ticks: ticks)
      return next
    case .value(let value, let delay, let then, let otherwise):
      let starters = loads.filter { isStarter($0, effect, delay, then, otherwise) && $0.request == nil }
      guard let ends = ends(starters, then, otherwise, in: program, mapped) else { return nil }
      next.work = .value(value, delay: delay, then: ends.then, otherwise: ends.otherwise)
      return next
    case .request(let url, let bearer, let delay, let then, let otherwise, let terms):
      let starters = loads.filter { load in
        guard let request = load.request, isStarter(load, effect, delay, then, otherwise) else { return false }
        return request.bearer == bearer && request.method == terms?.method ?? .get
      }
      guard let ends = ends(starters, then, otherwise, in: program, mapped) else { return nil }
      next.work = .request(url: url, bearer: bearer, delay: delay, then: ends.then, otherwise: ends.otherwise, terms: terms)
      return next
    }
  }

  private func isStarter(_ load: Load, _ effect: Effect, _ delay: WideInt, _ then: StepTemplate?, _ otherwise: StepTemplate?) -> Bool {
    // A load that restarts itself waits for at least `Restarts.interval`.
    (load.delay == delay || load.delay < delay && delay == Restarts.interval) && load.whileVisible == effect.whileVisible
      && load.then?.step == then?.step && load.otherwise?.step == otherwise?.step
  }

  /// The steps of a running load in the new definition; `nil` if one of the loads that may have started it is not declared there in the same way.
  private func ends(
    _ starters: [Load], _ then: StepTemplate?, _ otherwise: StepTemplate?, in program: Program, _ mapped: (StepTemplate) -> StepTemplate
  ) -> (then: StepTemplate?, otherwise: StepTemplate?)? {
    let areKept = starters.allSatisfy { load in
      var new = load
      (new.then, new.otherwise) = (load.then.map(mapped), load.otherwise.map(mapped))
      return newLoads.contains(new)
    }
    let ends = (then: then.map(mapped), otherwise: otherwise.map(mapped))
    let areTaken = [ends.then, ends.otherwise].allSatisfy { $0.map { program.step($0.step) != nil } ?? true }
    return !starters.isEmpty && areKept && areTaken ? ends : nil
  }

  /// Whether a step with known params is valid in a program.
  private func takes(_ program: Program, _ step: Step) -> Bool {
    guard let number = program.step(step.step) else { return false }
    return program.steps[number].params.checked(step.params) != nil
  }
}

extension Timer {
  /// The timer without the expression of its time, which is evaluated only when the timer starts.
  fileprivate var evaluated: Timer {
    guard value != nil else { return self }
    var timer = self
    timer.value = .literal(.null)
    return timer
  }
}
