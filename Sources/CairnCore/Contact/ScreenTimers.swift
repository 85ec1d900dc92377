#if !CLIENT_ENGINE
  // Timers of screens in an app that works offline. While a client that runs them is in contact, the service does not.
  extension Effect {
    /// Whether clients run the timer, so that it is due in the service only when they are out of contact.
    package func waitsForClient(in state: State) -> Bool { isOfScreen(in: state) && due < state.endOfClientTimers }

    /// Whether the effect is a timer that belongs to a screen. The timer that closes an overlay is the service's.
    func isOfScreen(in state: State) -> Bool {
      guard case .timer = work, !closes, let owner, let record = state.nodes.record(owner) else { return false }
      return record.isLeaf && !record.isFlow
    }

    /// The timer as the service runs it: it is not due before `time`, in milliseconds since 1970. The ticks until then are skipped.
    func waiting(until time: WideInt) -> Effect {
      guard case .timer(let name, let step, let delay, let period, let ticks) = work else { return self }
      var effect = self
      effect.work = .timer(
        name: name, step: step, delay: max(delay, time.subtractingSaturated(start)), period: period,
        ticks: max(ticks, self.ticks(until: time - 1)))
      return effect
    }
  }
#endif
