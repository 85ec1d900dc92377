/// The pure function from a state and an action to the next state. Time and randomness are passed in the stamp.
public struct Reducer: Sendable {
  let program: Program

  public var definition: Definition { program.definition }

  /// The facts that the session's clients do not see.
  package var hiddenFacts: [String] { program.hiddenFacts }

  /// Whether a step or screen has a secret param, or the response of a load has a secret member.
  package var hasSecretParams: Bool { program.hasSecretParams }

  #if !CLIENT_ENGINE
    /// Whether the response of a load has a secret member, so that content may contain the numbers of secrets.
    package var hasSecretContent: Bool { program.hasSecretContent }
  #endif

  /// Compiles the definition. `zones` reads tzdata. Without it, the reducer knows only the time zones whose offsets the session contains.
  public init(_ definition: Definition, zones: ZoneData? = nil) { program = Program(definition, zones: zones) }

  /// Creates the first state of a session, whose revision is 1, and returns it with the transition of the start. Throws if a fact of the
  /// creation is invalid, or if the start is refused or exceeds the bounds.
  public func create(
    _ creation: Creation, stamp: Stamp, meter: inout Meter
  ) throws(Refusal) -> (state: State, transition: Transition) {
    var state = State(environment: creation.environment, manualTime: creation.manualClock ? stamp.time : nil)
    if creation.manualRequests { state.manualRequests = true }
    try setFirstFacts(of: &state, from: creation)
    try meter.write(state.facts, as: "the facts")
    var run = Run(program, state: state, stamp: stamp, meter: meter)
    _ = try Making.make(&run, program.root, owner: nil, parent: nil, scope: Scope())
    run.followRules(naming: nil)
    run.turns.finish()
    try run.drain()
    Effects.followCover(&run)
    try run.tellSight()
    #if !CLIENT_ENGINE
      run.followTime(isOfClient: true)
    #endif
    try Limits.weigh(&run, since: run.state, 0)
    meter = run.meter
    _ = run.takeEdits()
    run.noteZones()
    run.state.revision = 1
    let transition = Transition(
      outcome: .performed, eventList: run.report.events, started: run.state.effects, forgets: run.report.isForgetting)
    return (run.state, transition)
  }

  /// Creates the first state of a session without bounds.
  public func create(_ creation: Creation, stamp: Stamp) throws(Refusal) -> (state: State, transition: Transition) {
    var meter = Meter.idle
    return try create(creation, stamp: stamp, meter: &meter)
  }

  /// Runs one action without bounds. If the function throws, or the outcome is `unchanged`, the state is not modified.
  public func reduce(_ state: inout State, _ action: Action, stamp: Stamp) throws(Refusal) -> Transition {
    var meter = Meter.idle
    return try reduce(&state, action, stamp: stamp, meter: &meter)
  }

  /// Runs one action within the bounds of its request. Throws if the action is refused or exceeds the bounds; the state is then not modified.
  public func reduce(_ state: inout State, _ action: Action, stamp: Stamp, meter: inout Meter) throws(Refusal) -> Transition {
    try meter.work(Meter.Cost.action, nodes: state.nodes.count)
    var run = Run(program, state: state, stamp: stamp, meter: meter)
    do throws(Refusal) {
      try run.apply(action)
    } catch {
      meter.noteRefused(run.meter)
      throw error
    }
    if state.isAsking { try Questions.endIfAnswered(&run, action, since: state) }
    try run.tellSight()
    #if !CLIENT_ENGINE
      // Only the service runs repeating timers, so only it records their ticks.
      Effects.noteTicks(&run, since: state)
    #endif
    let edits = run.takeEdits()
    // A numbered advance is recorded even if the clock has not moved: effects may have run before this entry, so a repeated post must be
    // recognized by its number. A contact is recorded because its time extends the contact with the client.
    let isNoted =
      switch action {
      case .advance, .contact: stamp.sender != nil
      default: false
      }
    let changes = run.changes(since: state, edits, isNoted: isNoted)
    #if !CLIENT_ENGINE
      if changes != nil { run.followTime(isOfClient: action.isActivity(in: program)) }
    #endif
    try Limits.weigh(&run, since: state, run.meter.bytes - meter.bytes)
    meter = run.meter
    guard let changes else {
      let reason = run.report.isGuarded ? Refusal.Code.guarded.rawValue : run.report.reason ?? NoChange.unexplained.rawValue
      return Transition(outcome: .unchanged, reason: reason, eventList: run.report.events, forgets: run.report.isForgetting)
    }
    if meter.isCounting { try changes.forEachSize { bytes throws(Refusal) in try meter.write(bytes) } }
    let outcome: Outcome = run.report.isPending(in: run.state) ? .pending : .performed
    if let (timer, tick) = run.tick { run.state.effectBook.noteTick(tick, of: timer) }
    if let time = run.state.manualTime { run.state.manualTime = max(time, stamp.time) }
    run.noteZones()
    run.state.revision = state.revision + 1
    #if !CLIENT_ENGINE
      if let sender = stamp.sender {
        let until = stamp.time.addingSaturated(definition.offlineFor ?? Definition.usualOfflineFor)
        run.state.clientBook.note(sender, until: until)
      }
    #endif
    // The transition still needs the old state. `swap` avoids a copy.
    swap(&state, &run.state)
    return Transition(outcome, run.report, changes: changes, from: run.state, to: state)
  }

  /// Sets the initial facts: defaults, then environment variables, then the facts of the creation. Throws if a value does not fit.
  private func setFirstFacts(of state: inout State, from creation: Creation) throws(Refusal) {
    var faults: [Refusal.Fault] = []
    for (name, fact) in definition.facts.sortedByKey {
      state.facts[name] = fact.type.defaultValue
      guard let variable = fact.environment, let text = creation.environment[variable] else { continue }
      let value = fact.type.read(text)
      if let fault = fact.type.fault(of: value) {
        faults.append(.init(pointer: "/environment/\(variable)", detail: fault))
      }
      state.facts[name] = value
    }
    for (name, value) in creation.facts.sortedByKey {
      let pointer = "/facts/\(name.pointerEscaped)"
      guard let fact = definition.facts.value(exactly: name) else {
        let known = definition.facts.keys.sorted().joined(separator: ", ")
        faults.append(
          .init(pointer: pointer, detail: known.isEmpty ? "is unknown; this app has no facts" : "is unknown; the app's facts are \(known)"))
        continue
      }
      if program.isOfApp(name) {
        faults.append(.init(pointer: pointer, detail: "can be set only by the action appState"))
      } else {
        faults += Checks.faults(of: value, as: fact.type, named: name, at: "/facts")
      }
      state.facts[name] = value
    }
    guard faults.isEmpty else { throw Refusal(.invalid, "the facts are invalid for the app \(definition.app)", faults: faults) }
    if creation.hasToken {
      state.facts[FactDefinition.accessToken] = .bool(true)
      state.loginBook.noteToken()
    }
  }

  #if !CLIENT_ENGINE
    /// Returns the action of a command, separated from its secret. A URL that is the OAuth redirect becomes a `login`. Throws if the command is not valid in
    /// this state.
    public func seal(_ command: Command, for state: State) throws(Refusal) -> Sealed {
      switch command {
      case .action(let action): return try SecretParams.seal(action, by: program, for: state)
      case .token(let token):
        try TokenText.check(token, at: "/accessToken")
        return Sealed(.token, secret: .token(token))
      case .login(let given, let oauthState, let byOperator):
        let code = given == "" ? nil : given
        return Sealed(
          .login(hasCode: code != nil, state: oauthState, error: nil, byOperator: byOperator), secret: code.map(Secret.code))
      case .open(let url):
        guard let query = definition.oauth?.redirectQuery(of: url, environment: state.environment) else {
          return try SecretParams.seal(.open(url: SealedURL.escaped(url)), by: program, for: state)
        }
        let redirect = try OAuthRedirect(query)
        return Sealed(
          .login(hasCode: redirect.code != nil, state: redirect.state, error: redirect.error, byOperator: false),
          secret: redirect.code.map(Secret.code))
      case .advance(let milliseconds):
        guard let now = state.manualTime else { throw Reducer.noManualClock }
        return Sealed(.advance(to: try Reducer.time(milliseconds, after: now)))
      case .answer(let answer): return try answer.sealed(for: state)
      }
    }
  #endif

  /// The new time of a manual clock. Throws if the duration is negative or the time would be after the year 9999.
  static func time(_ milliseconds: WideInt, after begin: WideInt) throws(Refusal) -> WideInt {
    let (time, overflow) = begin.addingReportingOverflow(milliseconds)
    guard milliseconds >= 0, !overflow, time <= State.latestTime else {
      throw Refusal(
        .invalid, "a clock can only be advanced, and not beyond the year 9999",
        faults: [.init(pointer: "/by", detail: "must not be negative or exceed the year 9999")])
    }
    return time
  }

  static let noManualClock = Refusal(.manualClockOnly, "only a session created with \"clock\":\"manual\" can be advanced")
}

extension Run {
  /// Returns the changes since an earlier state; `nil` if there are none and the action need not be recorded.
  fileprivate func changes(since old: State, _ edits: consuming EditedNodes, isNoted: Bool) -> ChangeList? {
    let survivors = Survivors.between(old, and: state, edits)
    guard isNoted || report.isPending(in: state) || !survivors.isUnchanged || !state.isEqualBesideNodes(to: old) else { return nil }
    #if CLIENT_ENGINE
      // A client displays the state itself, so it needs no changes.
      return ChangeList(Changes(), of: edits, to: state, by: program)
    #else
      return ChangeList(program.changes(of: survivors, from: old, to: state), of: edits, to: state, by: program)
    #endif
  }

  /// Stores in the session the offsets of the time zones that the action has read.
  fileprivate mutating func noteZones() {
    #if !CLIENT_ENGINE
      if let found = evaluator.zones?.found, !found.isEmpty { state.zones.note(found) }
    #endif
  }
}
