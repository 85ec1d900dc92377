#if !CLIENT_ENGINE
  /// The inactivity timers of flows, which send a step when no client has acted for some time. The effect of such a timer has an empty name.
  enum Inactivity {
    /// Starts the timers of the flows that the action has created. If the action shows that a user is active (`isOfClient`), restarts the timers of all other
    /// flows.
    static func follow(_ run: inout Run, isOfClient: Bool) {
      for record in run.state.nodes.records where record.isAliveFlow {
        guard isOfClient || record.nodeID.number >= run.firstNode, let name = run.state.nodes.flow(of: record) else { continue }
        for timer in run.definition.flows[name]?.idle ?? [] { restart(&run, timer, of: record.nodeID) }
      }
    }

    private static func restart(_ run: inout Run, _ timer: Timer, of flow: NodeID) {
      let former = run.state.effectBook.takeBack { $0.owner == flow && $0.isInactivity }
      guard let step = try? run.step(from: run.program.compile(timer.step), in: Scope(flow: flow)).step else { return }
      // The timer counts from the time at which the user acted. If the action waited for the network, a later action of another client may
      // have set a later start, which is kept.
      let start = former.reduce(run.stamp.clientTime?.happened ?? run.stamp.time) { max($0, $1.start) }
      run.state.effectBook.start(
        .timer(name: timer.name, step: step, delay: timer.delay, period: nil, ticks: 0), owner: flow, at: start, received: run.stamp.time,
        EffectTerms())
    }
  }

  extension Action {
    /// Whether the action shows that the user is active: a step, a gesture, a link, or the tap on a notification.
    func isActivity(in program: Program) -> Bool {
      switch self {
      case .step(let step, _): program.step(step.step).map { !program.steps[$0].isOperators } ?? true
      case .gesture, .open: true
      case .notification(_, _, let tap, _, _): tap
      default: false
      }
    }
  }
#endif
