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
    let request = try body(of: call) { body throws(BodyFault) in try RolloutRequest(body) }
    try withNewestDefinitions(call) { () throws(Rejection) in
      let app = call.parameter
      guard let served = self.catalog[app] else { throw self.noSuchApp(app) }
      self.withDefinition(request.to, of: app, call) { target throws(Rejection) in
        if case .visible(let screen)? = request.moment, served.definition.screens[screen] == nil, target.definition.screens[screen] == nil {
          throw Rejection(
            .invalid, "a member of the body is wrong",
            errors: [.init("there is no screen \"\(screen.prefix(64))\" in the app", pointer: "#/when/visible")])
        }
        self.withRollout(call) { known throws(Rejection) in
          if let known, known.state.isActive {
            throw Rejection(.rolloutActive, "a rollout of \(app) is \(known.state.rawValue); wait for its end, or stop it first")
          }
          try self.begin(request, served, target, after: known, by: who.name, call)
        }
      }
    }
  }

  private func begin(
    _ request: RolloutRequest, _ served: PinnedDefinition, _ target: PinnedDefinition, after known: Rollout?, by author: String,
    _ call: Call
  ) throws(Rejection) {
    let app = call.parameter
    // An app that is served with the new definition already came to it from the one before.
    store.versions(of: app) { result in
      let editions = (try? result.get().editions) ?? []
      let from = served.hash == target.hash ? editions.last { $0.definition != target.hash }?.definition ?? served.hash : served.hash
      let rollout = Rollout(
        app: app, from: from, to: target.hash, share: request.share, moment: request.moment.map { Rollout.Moment($0) },
        rate: request.rate, isDryRun: request.isDryRun, since: self.store.clock.now(), author: author)
      let isServed = served.hash == target.hash || request.isDryRun || request.share < Rollout.whole
      self.serve(isServed ? nil : target, author, call) {
        self.keep(rollout, after: known?.version ?? 0, status: 201, call)
      }
    }
  }

  /// Serves the app with a definition if there is one, then calls `next`.
  private func serve(_ definition: PinnedDefinition?, _ author: String, _ call: Call, _ next: @escaping @Sendable () -> Void) {
    guard let definition else { return next() }
    publisher.put(
      PutDefinition(
        app: definition.definition.app, text: definition.text, author: author, match: nil, noneMatch: nil, requestID: call.requestID
      ) { result in
        switch result {
        case .failure(let rejection): call.reject(rejection)
        case .success: next()
        }
      })
  }

  private func keep(_ rollout: Rollout, after known: Int, status: Int, _ call: Call) {
    store.keep(rollout, after: known) { result in
      switch result {
      case .success(let kept):
        self.publisher.noteRollout(kept, request: call.requestID, by: call.operatorName ?? "")
        call.answer(status: status, result: kept.state.rawValue, RolloutBody(kept))
      case .failure(.outdated):
        call.reject(Rejection(.rolloutActive, "the rollout was changed at the same time; look at it, then try again"))
      case .failure(let fault): call.reject(self.rejection(fault))
      }
    }
  }

  func showRollout(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try requireOperator(call, for: "looking at rollouts")
    withRollout(call) { rollout throws(Rejection) in
      guard let rollout else { throw Rejection(.notFound, "there was no rollout of this app") }
      call.answer(RolloutBody(rollout))
    }
  }

  /// The operations on a rollout, which are the last segment of the path.
  enum RolloutOperation: String, CaseIterable { case pause, resume, stop, revert }

  func changeRollout(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    let who = try requireOperator(call, for: "changing a rollout")
    guard let operation = RolloutOperation(rawValue: call.segment(4)) else {
      let known = RolloutOperation.allCases.map(\.rawValue).joined(separator: ", ")
      throw Rejection(.notFound, "a rollout has no \(call.segment(4).prefix(64)); known are \(known)")
    }
    withRollout(call) { known throws(Rejection) in
      guard let known else { throw Rejection(.notFound, "there was no rollout of this app") }
      guard let state = Self.state(after: operation, known) else {
        throw Rejection(.rolloutActive, "the rollout is \(known.state.rawValue), so there is nothing to \(operation.rawValue)")
      }
      var changed = known
      changed.state = state
      let isServed = operation == .revert && self.catalog[known.app]?.hash == known.to
      guard isServed else { return self.keep(changed, after: known.version, status: 200, call) }
      self.withDefinition(known.from, of: known.app, call) { [changed] definition throws(Rejection) in
        self.serve(definition, who.name, call) { self.keep(changed, after: known.version, status: 200, call) }
      }
    }
  }

  /// The state after an operation; `nil` if it is not possible now.
  private static func state(after operation: RolloutOperation, _ rollout: Rollout) -> Rollout.State? {
    switch (operation, rollout.state) {
    case (.pause, .running): .paused
    case (.resume, .paused): .running
    case (.stop, .running), (.stop, .paused), (.stop, .done), (.stop, .reverting): .stopped
    case (.revert, _) where rollout.isDryRun: nil
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
    guard let rollout = store.rollouts[served.definition.app], rollout.choosesNewSessions(served: served.hash),
      rollout.includes(label: label, id: id)
    else { return served }
    return store.knownDefinition(rollout.to) ?? served
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

extension RolloutBody {
  init(_ rollout: Rollout) {
    func samples(_ samples: [String: RolloutReport.Sample]) -> [Sample] {
      samples.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map {
        Sample($0.key, count: $0.value.count, example: $0.value.example)
      }
    }
    let (percent, rest) = (rollout.share / 100, rollout.share % 100)
    let decimals = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : ".\(rest < 10 ? "0" : "")\(rest)"
    self.init(
      app: rollout.app, from: rollout.from, to: rollout.to, state: rollout.state.rawValue, share: "\(percent)\(decimals)%",
      moment: rollout.moment?.text, rate: rollout.rate, isDryRun: rollout.isDryRun, since: rollout.since, by: rollout.author,
      moved: rollout.report.moved, unchanged: rollout.report.unchanged, waiting: rollout.report.waiting, reverted: rollout.report.reverted,
      lines: samples(rollout.report.lines), stays: samples(rollout.report.stays))
  }
}
