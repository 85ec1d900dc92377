#if !CLIENT_ENGINE
  /// A condition on the time whose value is a constant or a fact of the session. So the times at which its result may change are known
  /// without a node.
  package struct Moment: Hashable, Sendable {
    private let condition: Guard

    /// Returns `nil` if the condition does not compare the time, or if its value is not known without a node.
    fileprivate init?(_ condition: Guard) {
      switch condition {
      case .passed(.literal, _), .passed(.reference(.fact), _), .between(_, _, .literal), .between(_, _, .reference(.fact)):
        self.condition = condition
      default: return nil
      }
    }

    /// The first time after the time of the evaluator at which the condition may change its result, in milliseconds since 1970; `nil` if there is none.
    func next(in state: State, by evaluator: Evaluator) -> WideInt? {
      let now = evaluator.stamp.time
      switch condition {
      case .passed(let value, let before):
        guard let moment = evaluator.value(of: value, in: Scope(), state)?.moment, moment - before > now else { return nil }
        return moment - before
      case .between(let start, let end, let name):
        guard start != end, let zone = evaluator.zone(evaluator.value(of: name, in: Scope(), state), state) else { return nil }
        return min(zone.next(start, after: now), zone.next(end, after: now))
      default: return nil
      }
    }
  }

  extension Moment {
    /// The result of the condition at a time in milliseconds since 1970, and the next time at which it may change; `nil` if it never does.
    package func outlook(in state: State, at time: WideInt, of reducer: Reducer) -> (holds: Bool, next: WideInt?) {
      let evaluator = Evaluator(program: reducer.program, stamp: Stamp(time: time, nonce: ""))
      return (evaluator.holds(condition, in: Scope(), state), next(in: state, by: evaluator))
    }
  }

  extension Guard {
    /// The parts of the condition whose result may change with time, if the times of the changes are known without a node.
    package var moments: [Moment] {
      switch self {
      case .all(let guards), .any(let guards): guards.flatMap { $0.moments }
      case .not(let inner): inner.moments
      default: Moment(self).map { [$0] } ?? []
      }
    }
  }

  /// Schedules the entries that the service adds at moments. At each moment, rules, held links and waiting selections of tabs are evaluated.
  enum Moments {
    /// Starts the session's timer for the next moment, or replaces it if the next moment has changed. A timer that is already due is kept.
    static func schedule(_ run: inout Run) {
      let timer = run.state.effects.first { $0.isWake }
      let now = run.stamp.time
      if let timer, timer.due <= now { return }
      let next = run.program.moments.compactMap { $0.next(in: run.state, by: run.evaluator) }.min()
      guard timer?.due != next else { return }
      if let timer { run.state.effectBook.end(timer.id) }
      guard let next else { return }
      run.state.effectBook.start(
        .timer(name: nil, step: .closing, delay: next - now, period: nil, ticks: 0), owner: nil, at: now, EffectTerms(isMoment: true))
    }

    /// Starts a daily timer again for the next day, after it was due. Skips days that have already passed. Does nothing for other timers.
    static func startNextDay(_ run: inout Run, of effect: Effect) {
      guard let name = effect.zone else { return }
      guard let zone = run.evaluator.zone(.string(name), run.state) else {
        return run.report.note(Event(.timerSkipped, node: effect.owner))
      }
      run.state.effectBook.startAgain(effect, at: zone.next(effect.timeOfDay, after: run.stamp.time), from: run.stamp.time)
    }

    /// Queues the steps of the rules whose conditions have become true since the moment of the session's timer.
    static func judge(_ run: inout Run, since moment: WideInt) {
      let before = run.evaluator.with(time: moment - 1)
      for rule in run.program.rules where !rule.when.moments.isEmpty && !before.holds(rule.when, in: Scope(), run.state) {
        run.follow(rule)
      }
    }
  }

  extension Run {
    /// Updates the inactivity timers and the timer for the next moment.
    mutating func followTime(isOfClient: @autoclosure () -> Bool) {
      // Only the service runs these timers, so the replica in a client has none.
      guard program.withheld == nil else { return }
      if program.hasIdle { Inactivity.follow(&self, isOfClient: isOfClient()) }
      if !program.moments.isEmpty { Moments.schedule(&self) }
    }
  }
#endif
