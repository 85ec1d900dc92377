import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

// Rollouts. Only operators are authorized.
extension Service {
  func startRollout(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    let who = try requireOperator(call, for: "beginning a rollout")
    try refuseKey(call)
    let request = try body(of: call) { body throws(BodyFault) in try RolloutRequest(body) }
    try withNewestDefinitions(call) { () throws(Rejection) in
      let app = call.parameter
      guard let served = self.catalog[app] else { throw self.noSuchApp(app) }
      self.withDefinition(request.to, of: app, call) { target throws(Rejection) in
        self.withRollout(call) { known throws(Rejection) in
          try Self.requireRoom(known)
          self.withStart(of: target, served, call) { start throws(Rejection) in
            try self.begin(request, from: start, served, target, after: known, by: who.name, call)
          }
        }
      }
    }
  }

  /// Throws if a request has an idempotency key: responses are kept with sessions, and a repeat of these requests finds what the first one did.
  private func refuseKey(_ call: Call) throws(Rejection) {
    guard call.request.headers.has("Idempotency-Key") else { return }
    throw Rejection(
      .invalid, "a rollout takes no Idempotency-Key: a repeat is refused with \(ProblemCode.rolloutActive.rawValue); leave the header out")
  }

  /// Calls `next` with the definition from which an app comes to `target`: the served one or, if that is `target` already, the one served before.
  private func withStart(
    of target: PinnedDefinition, _ served: PinnedDefinition, _ call: Call,
    _ next: @escaping @Sendable (PinnedDefinition) throws(Rejection) -> Void
  ) {
    store.versions(of: call.parameter) { result in
      do throws(Rejection) {
        let editions = try result.mapError { self.rejection($0) }.get().editions
        // A definition that is stored and was never served may have come by another door than the folder.
        if served.hash != target.hash, !editions.contains(where: { $0.definition == target.hash }) {
          do throws(DefinitionDoor.Refusal) {
            try DefinitionDoor(self.settings).admitNew()
          } catch {
            throw Rejection(.invalidDefinition, "the app was never served with this definition", errors: error.items)
          }
        }
        guard served.hash == target.hash, let before = editions.last(where: { $0.definition != target.hash }) else {
          return try next(served)
        }
        self.withDefinition(before.definition, of: call.parameter, call, next)
      } catch {
        call.reject(error)
      }
    }
  }

  /// Throws if a rollout is under way. A dry run is replaced.
  private static func requireRoom(_ known: Rollout?) throws(Rejection) {
    guard let known, known.state.isActive, !known.isDryRun else { return }
    throw Rejection(.rolloutActive, "a rollout of \(known.app) is \(known.state.rawValue); wait for its end, or stop it first")
  }

  private func begin(
    _ request: RolloutRequest, from start: PinnedDefinition, _ served: PinnedDefinition, _ target: PinnedDefinition, after known: Rollout?,
    by author: String, attempts: Int = 64, _ call: Call
  ) throws(Rejection) {
    if let fault = request.moment?.fault(in: start.definition) {
      throw Rejection(.invalid, "a member of the body is wrong", errors: [fault])
    }
    var rollout = Rollout(
      app: call.parameter, from: start.hash, to: target.hash, share: request.share, moment: request.moment.map { Rollout.Moment($0) },
      rate: request.rate, isDryRun: request.isDryRun, since: store.clock.now(), author: author)
    if request.isDryRun, let earlier = known?.effective { rollout.earlier = .rollout(earlier) }
    let isServed = served.hash == target.hash || request.isDryRun || request.share < Rollout.whole
    // The rollout is stored before the app is served with the definition. A process killed between leaves a rollout by which new sessions begin with
    // it, and of two requests at the same time only one serves it.
    store.keep(rollout, after: known?.version ?? 0) { result in
      switch result {
      // A dry run under way changes the stored rollout many times per second.
      case .failure(.outdated) where attempts > 1 && known?.isDryRun == true:
        self.withRollout(call) { known throws(Rejection) in
          try Self.requireRoom(known)
          try self.begin(request, from: start, served, target, after: known, by: author, attempts: attempts - 1, call)
        }
      case .failure(.outdated):
        call.reject(Rejection(.rolloutActive, "a rollout of the app began at the same time; look at it, then try again"))
      case .failure(let fault): call.reject(self.rejection(fault))
      case .success(let kept):
        self.serve(isServed ? nil : target, author, call) { failure in
          guard let failure else { return self.answer(kept, status: 201, call) }
          self.change(call, by: { rollout throws(Rejection) in rollout.with(state: .stopped) }) { _ in call.reject(failure) }
        }
      }
    }
  }

  /// Serves the app with a definition if there is one, then calls `next`, with the reason if it cannot be served.
  private func serve(
    _ definition: PinnedDefinition?, _ author: String, _ call: Call, _ next: @escaping @Sendable (Rejection?) -> Void
  ) {
    guard let definition else { return next(nil) }
    publisher.put(
      PutDefinition(
        app: definition.definition.app, text: definition.text, author: author, match: nil, noneMatch: nil, requestID: call.requestID,
        wasServed: true
      ) { result in
        switch result {
        case .failure(let rejection): next(rejection)
        case .success: next(nil)
        }
      })
  }

  private func answer(_ rollout: Rollout, status: Int, _ call: Call) {
    publisher.noteRollout(rollout, request: call.requestID, by: call.operatorName ?? "")
    call.answer(status: status, result: rollout.state.rawValue, RolloutBody(rollout))
  }

  /// Stores the app's rollout as changed by `next`. While sessions move, the stored rollout changes many times per second, so a change that met another
  /// one is tried again.
  private func change(
    _ call: Call, attempts: Int = 64, by next: @escaping @Sendable (Rollout) throws(Rejection) -> Rollout,
    _ done: @escaping @Sendable (Rollout) -> Void
  ) {
    withRollout(call) { known throws(Rejection) in
      guard let known else { throw Self.noRollout }
      self.store.keep(try next(known), after: known.version) { result in
        switch result {
        case .success(let kept): done(kept)
        case .failure(.outdated) where attempts > 1: self.change(call, attempts: attempts - 1, by: next, done)
        case .failure(let fault): call.reject(self.rejection(fault))
        }
      }
    }
  }

  private static let noRollout = Rejection(.notFound, "there was no rollout of this app")

  func showRollout(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try requireOperator(call, for: "looking at rollouts")
    withRollout(call) { rollout throws(Rejection) in
      guard let rollout else { throw Self.noRollout }
      call.answer(RolloutBody(rollout))
    }
  }

  /// The operations on a rollout, which are the last segment of the path.
  enum RolloutOperation: String, CaseIterable { case pause, resume, stop, revert }

  func changeRollout(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    let who = try requireOperator(call, for: "changing a rollout")
    try refuseKey(call)
    guard let operation = RolloutOperation(rawValue: call.segment(4)) else {
      let known = RolloutOperation.allCases.map(\.rawValue).joined(separator: ", ")
      throw Rejection(.notFound, "a rollout has no \(call.segment(4).prefix(64)); known are \(known)")
    }
    withRollout(call) { known throws(Rejection) in
      guard let known else { throw Self.noRollout }
      let changed = try Self.result(of: operation, known)
      guard operation == .revert, self.catalog[changed.app]?.hash == changed.to else { return self.perform(operation, call) }
      self.withDefinition(changed.from, of: changed.app, call) { definition throws(Rejection) in
        self.serve(definition, who.name, call) { failure in
          if let failure { call.reject(failure) } else { self.perform(operation, call) }
        }
      }
    }
  }

  private func perform(_ operation: RolloutOperation, _ call: Call) {
    change(call, by: { rollout throws(Rejection) in try Self.result(of: operation, rollout) }) { self.answer($0, status: 200, call) }
  }

  /// The rollout after an operation. After the end of a dry run, the operation concerns the rollout before it.
  private static func result(of operation: RolloutOperation, _ rollout: Rollout) throws(Rejection) -> Rollout {
    if let state = state(after: operation, rollout) { return rollout.with(state: state) }
    if rollout.isDryRun, !rollout.state.isActive, let earlier = rollout.effective, let state = state(after: operation, earlier) {
      return earlier.with(state: state)
    }
    throw Rejection(.rolloutActive, "the rollout is \(rollout.state.rawValue), so there is nothing to \(operation.rawValue)")
  }

  /// The state after an operation; `nil` if it is not possible now.
  private static func state(after operation: RolloutOperation, _ rollout: Rollout) -> Rollout.State? {
    switch (operation, rollout.state) {
    case (.pause, .running): .paused
    case (.resume, .paused): .running
    case (.stop, .running), (.stop, .paused): .stopped
    case (_, _) where rollout.isDryRun: nil
    case (.stop, .done), (.stop, .reverting): .stopped
    case (.revert, .running), (.revert, .paused), (.revert, .done), (.revert, .stopped): .reverting
    default: nil
    }
  }

  private func withRollout(_ call: Call, _ next: @escaping @Sendable (Rollout?) throws(Rejection) -> Void) {
    store.rollout(of: call.parameter) { result in
      do throws(Rejection) {
        try next(try result.mapError { self.rejection($0) }.get())
      } catch {
        call.reject(error)
      }
    }
  }

  /// The definition of a new session: that of a rollout if the session is among its share, otherwise that of the app.
  func definition(for label: String?, _ id: String, _ served: PinnedDefinition) -> PinnedDefinition {
    guard let rollout = store.rollouts[served.definition.app]?.effective, rollout.choosesNewSessions(served: served.hash),
      rollout.includes(label: label, id: id)
    else { return served }
    return store.knownDefinition(rollout.to) ?? served
  }
}

extension RolloutRequest.Moment {
  /// Why the moment never comes for sessions of a definition; `nil` if it can come.
  fileprivate func fault(in definition: Definition) -> Problem.Item? {
    switch self {
    case .visible(let screen) where definition.screens[screen] == nil:
      .init("there is no screen \"\(screen.prefix(64))\" in the definition from which sessions move", pointer: "#/when/visible")
    case .foreground where !definition.notesAppState:
      .init("the definition from which sessions move does not name the fact appState, so the foreground is not known", pointer: "#/when")
    default: nil
    }
  }
}

extension Rollout.Moment {
  fileprivate init(_ moment: RolloutRequest.Moment) {
    self =
      switch moment {
      case .now: .now
      case .foreground: .foreground
      case .idle(let milliseconds): .idle(milliseconds)
      case .visible(let screen): .visible(screen)
      }
  }

  fileprivate var text: String {
    switch self {
    case .now: "now"
    case .foreground: "foreground"
    case .idle(let milliseconds): "idle \(milliseconds)ms"
    case .visible(let screen): "visible \(screen)"
    }
  }
}

extension Rollout {
  /// The share as text, such as `5%` or `0.25%`.
  fileprivate var shareText: String {
    let (percent, rest) = (share / 100, share % 100)
    let decimals = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : ".\(rest < 10 ? "0" : "")\(rest)"
    return "\(percent)\(decimals)%"
  }
}

extension RolloutBody {
  init(_ rollout: Rollout) {
    func samples(_ samples: [String: RolloutReport.Sample]) -> [Sample] {
      samples.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map {
        Sample($0.key, count: $0.value.count, example: $0.value.example)
      }
    }
    let earlier = rollout.isDryRun ? rollout.effective : nil
    self.init(
      app: rollout.app, from: rollout.from, to: rollout.to, state: rollout.state.rawValue, share: rollout.shareText,
      moment: rollout.moment?.text, rate: rollout.rate, isDryRun: rollout.isDryRun, since: rollout.since, by: rollout.author,
      moved: rollout.report.moved, unchanged: rollout.report.unchanged, waiting: rollout.report.waiting, reverted: rollout.report.reverted,
      lines: samples(rollout.report.lines), stays: samples(rollout.report.stays),
      earlier: earlier.map { Earlier(to: $0.to, share: $0.shareText, state: $0.state.rawValue) })
  }
}
