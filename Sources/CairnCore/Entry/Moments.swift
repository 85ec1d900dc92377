#if !CLIENT_ENGINE
  /// A moment at which a condition becomes true, if the value is known without a node: a constant, or a fact of the session.
  package struct Moment: Hashable, Sendable {
    let value: Expression
    let before: WideInt

    /// The time at which the condition becomes true, in milliseconds since 1970; `nil` if the value is missing or not a moment.
    package func time(in state: State) -> WideInt? {
      switch value {
      case .literal(let value): value.moment.map { $0 - before }
      case .reference(.fact(let name)): state.facts[name]?.moment.map { $0 - before }
      default: nil
      }
    }
  }

  extension Guard {
    /// The moments at which the condition may change its result, if they are known without a node.
    package var moments: [Moment] {
      switch self {
      case .passed(let value, let before):
        switch value {
        case .literal, .reference(.fact): [Moment(value: value, before: before)]
        default: []
        }
      case .all(let guards), .any(let guards): guards.flatMap { $0.moments }
      case .not(let inner): inner.moments
      default: []
      }
    }
  }

  /// The entries that the service adds because a moment comes: rules, held links and waiting selections of tabs are judged at these moments too.
  enum Moments {
    /// Starts the session's timer for the next moment, or replaces it if the next moment has changed. A timer that is due already stays.
    static func schedule(_ run: inout Run) {
      let timer = run.state.effects.first { $0.isWake }
      let now = run.stamp.time
      if let timer, timer.due <= now { return }
      let next = run.program.moments.compactMap { $0.time(in: run.state) }.filter { $0 > now }.min()
      guard timer?.due != next else { return }
      if let timer { run.state.effectBook.end(timer.id) }
      guard let next else { return }
      run.state.effectBook.start(
        .timer(name: nil, step: .closing, delay: next - now, period: nil, ticks: 0), owner: nil, at: now, EffectTerms(isMoment: true))
    }

    /// Queues the steps of the rules whose conditions have become true since the moment of the session's timer.
    static func judge(_ run: inout Run, since moment: WideInt) {
      let before = Evaluator(program: run.program, stamp: Stamp(time: moment - 1, nonce: run.stamp.nonce))
      for rule in run.program.rules where !rule.when.moments.isEmpty && !before.holds(rule.when, in: Scope(), run.state) {
        run.follow(rule)
      }
    }
  }

  extension Run {
    /// Updates the timers that count the time without an action of a client, and the timer for the next moment.
    mutating func followTime(isOfClient: Bool) {
      Inactivity.follow(&self, isOfClient: isOfClient)
      if !program.moments.isEmpty { Moments.schedule(&self) }
    }
  }

  extension Effect {
    /// Whether the effect is the session's timer for the next moment of a condition.
    package var isWake: Bool { owner == nil && closes }
  }
#endif
