import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

/// Endpoints of rollouts. Only operators are authorized.
final class RolloutEndpoints: Sendable {
  private let store: Store
  private let access: Access
  private let definitions: DefinitionLookup
  private let publisher: Publisher
  private let door: DefinitionDoor

  init(_ store: Store, _ access: Access, _ definitions: DefinitionLookup, _ publisher: Publisher, _ door: DefinitionDoor) {
    self.store = store
    self.access = access
    self.definitions = definitions
    self.publisher = publisher
    self.door = door
  }

  func startRollout(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    let who = try access.requireOperator(call, for: "beginning a rollout")
    try refuseKey(call)
    let request = try call.body { body throws(BodyFault) in try RolloutRequest(body) }
    try definitions.withNewest(call) { () throws(Rejection) in
      let app = call.parameter
      guard let served = self.definitions.catalog[app] else { throw self.definitions.noSuchApp(app) }
      self.definitions.withDefinition(request.to, of: app, call) { target throws(Rejection) in
        self.withReplaceableRollout(call) { earlier, version throws(Rejection) in
          try Self.requireRoom(earlier)
          self.withStart(of: target, served, call) { start throws(Rejection) in
            try self.begin(request, from: start, served, target, earlier, after: version, by: who.name, call)
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

  /// Calls `next` with the app's rollout and its version. One that cannot be read is replaced by a new one like one that has ended.
  private func withReplaceableRollout(_ call: Call, _ next: @escaping @Sendable (Rollout?, Int) throws(Rejection) -> Void) {
    store.rollouts { result in
      do throws(Rejection) {
        let stored = try result.mapError { call.rejection($0) }.get()
        try next(stored.intact.first { $0.app == call.parameter }, stored.version(of: call.parameter))
      } catch {
        call.reject(error)
      }
    }
  }

  /// Calls `next` with the definition from which an app comes to `target`: the served one or, if that is `target` already, the one served before.
  private func withStart(
    of target: PinnedDefinition, _ served: PinnedDefinition, _ call: Call,
    _ next: @escaping @Sendable (PinnedDefinition) throws(Rejection) -> Void
  ) {
    store.versions(of: call.parameter) { result in
      do throws(Rejection) {
        let editions = try result.mapError { call.rejection($0) }.get().editions
        // A definition that is stored and was never served may have come by another door than the folder.
        if served.hash != target.hash, !editions.contains(where: { $0.definition == target.hash }) {
          do throws(DefinitionDoor.Refusal) {
            try self.door.admitNew()
          } catch {
            throw Rejection(.invalidDefinition, "the app was never served with this definition", errors: error.items)
          }
        }
        guard served.hash == target.hash, let before = editions.last(where: { $0.definition != target.hash }) else {
          return try next(served)
        }
        self.definitions.withDefinition(before.definition, of: call.parameter, call, next)
      } catch {
        call.reject(error)
      }
    }
  }

  /// Throws if a rollout is under way. A dry run is replaced.
  private static func requireRoom(_ known: Rollout?) throws(Rejection) {
    guard let known, !known.isReplaceable else { return }
    throw Rejection(.rolloutActive, "a rollout of \(known.app) is \(known.state.rawValue); wait for its end, or stop it first")
  }

  private func begin(
    _ request: RolloutRequest, from start: PinnedDefinition, _ served: PinnedDefinition, _ target: PinnedDefinition,
    _ earlier: Rollout?, after known: Int, by author: String, attempts: Int = 64, _ call: Call
  ) throws(Rejection) {
    if let fault = request.moment?.fault(in: start.definition) {
      throw Rejection(.invalid, "a member of the body is wrong", errors: [fault])
    }
    var rollout = Rollout(
      app: call.parameter, from: start.hash, to: target.hash, share: request.share, moment: request.moment.map { Rollout.Moment($0) },
      rate: request.rate, isDryRun: request.isDryRun, since: store.clock.now(), author: author)
    if request.isDryRun, let earlier = earlier?.effective { rollout.earlier = .rollout(earlier) }
    let isServed = served.hash == target.hash || request.isDryRun || request.share < Rollout.whole
    let change = RolloutChange(rollout, after: known)
    keep(change, serving: isServed ? nil : target, by: author, call) { failure in
      guard let failure else { return self.answer(change.rollout, status: 201, call) }
      // A dry run under way changes the stored rollout many times per second.
      let isRetried = attempts > 1 && earlier?.isDryRun == true && failure.problem.code == Publisher.rolloutHasChanged.problem.code
      guard isRetried else { return call.reject(failure) }
      self.withReplaceableRollout(call) { earlier, version throws(Rejection) in
        try Self.requireRoom(earlier)
        try self.begin(request, from: start, served, target, earlier, after: version, by: author, attempts: attempts - 1, call)
      }
    }
  }

  /// Stores a rollout and, if there is one, the definition with which the app is served from then on, in one commit. Then calls `next`, with the reason
  /// if nothing was stored: `Publisher.rolloutHasChanged` if the app's rollout is another one by now.
  private func keep(
    _ change: RolloutChange, serving definition: PinnedDefinition?, by author: String, _ call: Call,
    _ next: @escaping @Sendable (Rejection?) -> Void
  ) {
    guard let definition else {
      return store.keep(change) { result in
        switch result {
        case .success: next(nil)
        case .failure(.outdated): next(Publisher.rolloutHasChanged)
        case .failure(let fault): next(call.rejection(fault))
        }
      }
    }
    var put = PutDefinition(
      app: definition.definition.app, text: definition.text, author: author, match: nil, noneMatch: nil, requestID: call.requestID
    ) { result in
      if case .failure(let rejection) = result { next(rejection) } else { next(nil) }
    }
    put.rollout = change
    put.wasServed = true
    publisher.put(put)
  }

  private func answer(_ rollout: Rollout, status: Int, _ call: Call) {
    publisher.noteRollout(rollout, request: call.requestID, by: call.operatorName ?? "")
    call.answer(status: status, result: rollout.state.rawValue, RolloutBody(rollout))
  }

  private static let noRollout = Rejection(.notFound, "there was no rollout of this app")

  func showRollout(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try access.requireOperator(call, for: "looking at rollouts")
    withRollout(call) { rollout throws(Rejection) in
      guard let rollout else { throw Self.noRollout }
      call.answer(RolloutBody(rollout))
    }
  }

  func changeRollout(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    let who = try access.requireOperator(call, for: "changing a rollout")
    try refuseKey(call)
    guard let operation = Rollout.Operation(rawValue: call.segment(4)) else {
      let known = Rollout.Operation.allCases.map(\.rawValue).joined(separator: ", ")
      throw Rejection(.notFound, "a rollout has no \(call.segment(4).prefix(64)); known are \(known)")
    }
    perform(operation, by: who.name, call)
  }

  /// Stores the app's rollout after an operation. While sessions move, the stored rollout changes many times per second, so an operation that met
  /// another change is tried again. A revert also serves the old definition again, if the app is served with the new one.
  private func perform(_ operation: Rollout.Operation, by author: String, attempts: Int = 64, _ call: Call) {
    withRollout(call) { known throws(Rejection) in
      guard let known else { throw Self.noRollout }
      let change = RolloutChange(try Self.result(of: operation, known), after: known.version)
      self.withServed(by: change.rollout, isReverted: operation == .revert, call) { definition in
        self.keep(change, serving: definition, by: author, call) { failure in
          guard let failure else { return self.answer(change.rollout, status: 200, call) }
          guard failure.problem.code == Publisher.rolloutHasChanged.problem.code, attempts > 1 else { return call.reject(failure) }
          self.perform(operation, by: author, attempts: attempts - 1, call)
        }
      }
    }
  }

  /// Calls `next` with the definition that a reverted rollout serves again; `nil` if the app's newest edition is another one than the rollout's. The
  /// editions are read after the rollout, so that the edition with which it began is among them.
  private func withServed(
    by rollout: Rollout, isReverted: Bool, _ call: Call, _ next: @escaping @Sendable (PinnedDefinition?) -> Void
  ) {
    guard isReverted else { return next(nil) }
    store.editions { result in
      switch result {
      case .failure(let fault): call.reject(fault)
      case .success(let editions):
        guard editions.first(where: { $0.app == rollout.app })?.definition == rollout.to else { return next(nil) }
        self.definitions.withDefinition(rollout.from, of: rollout.app, call) { definition in next(definition) }
      }
    }
  }

  /// The rollout after an operation.
  private static func result(of operation: Rollout.Operation, _ rollout: Rollout) throws(Rejection) -> Rollout {
    if let next = rollout.after(operation) { return next }
    throw Rejection(.rolloutActive, "the rollout is \(rollout.state.rawValue), so there is nothing to \(operation.rawValue)")
  }

  private func withRollout(_ call: Call, _ next: @escaping @Sendable (Rollout?) throws(Rejection) -> Void) {
    store.rollout(of: call.parameter) { result in
      do throws(Rejection) {
        try next(try result.mapError { call.rejection($0) }.get())
      } catch {
        call.reject(error)
      }
    }
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
    guard let progress = rollout.report.progress else { return }
    self.progress = Progress(
      total: progress.total, left: progress.left, perMinute: progress.perMinute, node: progress.node, time: progress.time,
      expectedEnd: rollout.hasWork ? progress.expectedEnd : nil)
  }
}
