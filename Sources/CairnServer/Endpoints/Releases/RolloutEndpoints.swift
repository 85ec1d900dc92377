import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

/// Endpoints of rollouts. Only operators are authorized. The work of a request runs on an operators' thread.
final class RolloutEndpoints: Sendable {
  private let store: Store
  private let access: Access
  private let definitions: DefinitionLookup
  private let publisher: Publisher
  private let threads: OperatorThreads
  private let telemetry: Telemetry
  private let admission: DefinitionAdmission

  init(
    _ store: Store, _ access: Access, _ definitions: DefinitionLookup, _ publisher: Publisher, _ threads: OperatorThreads,
    _ telemetry: Telemetry, _ admission: DefinitionAdmission
  ) {
    self.store = store
    self.access = access
    self.definitions = definitions
    self.publisher = publisher
    self.threads = threads
    self.telemetry = telemetry
    self.admission = admission
  }

  /// The app, the operator's name and the id of a request about a rollout.
  struct Order: Sendable {
    let app: String
    /// The operator's name.
    let author: String
    let requestID: String
  }

  /// Maximum number of attempts to store a change if the rollout has been changed since it was read. While sessions move, the stored
  /// rollout changes many times per second.
  private static let attempts = 64

  private static let noRollout = Rejection(.notFound, "the app has never had a rollout")

  func showRollout(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try access.requireOperator(call, for: "reading rollouts")
    try threads.run(call) { () throws(Rejection) in call.answer(RolloutBody(try self.rollout(of: call.parameter))) }
  }

  func startRollout(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    let who = try access.requireOperator(call, for: "starting a rollout")
    try refuseKey(call)
    let request = try call.body { body throws(BodyFault) in try RolloutRequest(body) }
    let order = Order(app: call.parameter, author: who.name, requestID: call.requestID)
    try threads.run(call) { () throws(Rejection) in
      let rollout = try self.start(request, order)
      call.answer(status: 201, result: rollout.state.rawValue, RolloutBody(rollout))
    }
  }

  func changeRollout(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    let who = try access.requireOperator(call, for: "changing a rollout")
    try refuseKey(call)
    guard let operation = Rollout.Operation(rawValue: call.segment(4)) else {
      let known = Rollout.Operation.allCases.map(\.rawValue).joined(separator: ", ")
      throw Rejection(.notFound, "a rollout has no operation \(call.segment(4).prefix(64)); use one of \(known)")
    }
    let order = Order(app: call.parameter, author: who.name, requestID: call.requestID)
    try threads.run(call) { () throws(Rejection) in
      let rollout = try self.perform(operation, order)
      call.answer(status: 200, result: rollout.state.rawValue, RolloutBody(rollout))
    }
  }

  /// Throws if a request has an idempotency key. A stored response belongs to a session, but a request about a rollout belongs to no
  /// session. A repeated request is usually refused with `rolloutActive`, because the first request has changed the rollout.
  private func refuseKey(_ call: Call) throws(Rejection) {
    guard call.request.headers.has("Idempotency-Key") else { return }
    throw Rejection(
      .invalid,
      "Idempotency-Key is not allowed here, because a repeat is refused with \(ProblemCode.rolloutActive.rawValue); remove the header")
  }

  /// Returns the app's newest rollout. Throws if the app has had no rollout.
  private func rollout(of app: String) throws(Rejection) -> Rollout {
    guard let rollout = try threads.waiting({ store.releases.rollout(of: app, reply: $0) }) else { throw Self.noRollout }
    return rollout
  }

  /// Begins a rollout, and returns the stored rollout. If the share is 100% and the rollout is not a dry run, the app is also served with
  /// the new definition from then on.
  func start(_ request: RolloutRequest, _ order: Order) throws(Rejection) -> Rollout {
    try definitions.readNewest()
    try definitions.requireReadable(order.app)
    guard let served = definitions.catalog[order.app] else { throw definitions.noSuchApp(order.app) }
    let target = try definitions.definition(request.to, of: order.app)
    var known = try replaceable(of: order.app)
    let start = try self.start(of: target, served)
    if let fault = request.moment?.fault(in: start.definition) {
      throw Rejection(.invalid, "a member of the body is invalid", errors: [fault])
    }
    let isServed = served.hash == target.hash || request.isDryRun || request.share < Rollout.whole
    for attempt in 1... {
      var rollout = Rollout(
        app: order.app, from: start.hash, to: target.hash, share: request.share, moment: request.moment.map { Rollout.Moment($0) },
        rate: request.rate, isDryRun: request.isDryRun, since: store.clock.now(), author: order.author)
      if request.isDryRun, let earlier = known.rollout?.effective { rollout.earlier = .rollout(earlier) }
      let change = RolloutChange(rollout, after: known.version)
      if try keep(change, serving: isServed ? nil : target, order) { return change.rollout }
      // Another attempt is made only for a dry run, which changes the stored rollout while it runs. Any other change is an operator's.
      guard attempt < Self.attempts, known.rollout?.isDryRun == true else { break }
      known = try replaceable(of: order.app)
    }
    throw Publisher.rolloutHasChanged
  }

  /// Returns the rollout that a new rollout of the app would replace, and its version. The rollout is `nil` if there is none or if it
  /// cannot be read. Throws if a rollout other than a dry run is active.
  private func replaceable(of app: String) throws(Rejection) -> (rollout: Rollout?, version: Int) {
    let stored = try threads.waiting { store.releases.rollouts(reply: $0) }
    let known = stored.intact.first { $0.app == app }
    if let known, !known.isReplaceable {
      throw Rejection(.rolloutActive, "a rollout of \(known.app) is \(known.state.rawValue); wait until it ends, or stop it first")
    }
    return (known, stored.version(of: app))
  }

  /// Returns the definition from which sessions move to `target`: the served definition or, if `target` is already served, the definition
  /// that was served before it. Throws if `target` was never served and the service accepts definitions only from its folder.
  private func start(of target: PinnedDefinition, _ served: PinnedDefinition) throws(Rejection) -> PinnedDefinition {
    let app = served.definition.app
    let editions = try threads.waiting { store.releases.versions(of: app, reply: $0) }.editions
    // A stored definition that was never served may come from another source than the folder, so the service must allow such sources.
    if served.hash != target.hash, !editions.contains(where: { $0.definition == target.hash }) {
      do throws(DefinitionAdmission.Refusal) {
        try admission.admitNew()
      } catch {
        throw Rejection(.invalidDefinition, "the app was never served with this definition", errors: error.items)
      }
    }
    guard served.hash == target.hash, let before = editions.last(where: { $0.definition != target.hash }) else { return served }
    return try definitions.definition(before.definition, of: app)
  }

  /// Changes the app's rollout, and returns the stored rollout. If the app is served with the rollout's new definition, a revert also
  /// serves the old definition again.
  func perform(_ operation: Rollout.Operation, _ order: Order) throws(Rejection) -> Rollout {
    for _ in 1...Self.attempts {
      let known = try rollout(of: order.app)
      guard let next = known.after(operation) else {
        throw Rejection(.rolloutActive, "the rollout is \(known.state.rawValue), so the operation \(operation.rawValue) is not possible")
      }
      let change = RolloutChange(next, after: known.version)
      if try keep(change, serving: operation == .revert ? servedAgain(by: next) : nil, order) { return change.rollout }
    }
    throw Publisher.rolloutHasChanged
  }

  /// Returns the definition with which the app is served again after its rollout is reverted; `nil` if the app's newest edition does not
  /// belong to the rollout. The editions are read after the rollout, so that they include the edition with which the rollout began.
  private func servedAgain(by rollout: Rollout) throws(Rejection) -> PinnedDefinition? {
    try definitions.requireReadable(rollout.app)
    let editions = try threads.waiting { store.releases.editions(reply: $0) }
    do throws(JournalError) {
      guard try editions.edition(of: rollout.app)?.definition == rollout.to else { return nil }
    } catch {
      throw telemetry.rejection(.storage("\(error)"))
    }
    return try definitions.definition(rollout.from, of: rollout.app)
  }

  /// Stores a rollout. If a definition is given, the same commit also records that the app is served with it. Returns `false`, and stores
  /// nothing, if the app's rollout has changed since it was read.
  private func keep(_ change: RolloutChange, serving definition: PinnedDefinition?, _ order: Order) throws(Rejection) -> Bool {
    do throws(Rejection) {
      if let definition {
        try put(definition, with: change, order)
      } else {
        try keep(change)
      }
    } catch {
      guard error.problem.code == Publisher.rolloutHasChanged.problem.code else { throw error }
      return false
    }
    publisher.noteRollout(change.rollout, request: order.requestID, by: order.author)
    return true
  }

  private func put(_ definition: PinnedDefinition, with change: RolloutChange, _ order: Order) throws(Rejection) {
    _ = try AwaitedReply.value(orElse: Rejection(StoreFault.stopping)) { reply in
      var put = PutDefinition(
        app: order.app, text: definition.text, author: order.author, match: nil, noneMatch: nil, requestID: order.requestID, reply: reply)
      put.rollout = change
      put.wasServed = true
      publisher.put(put)
    }
  }

  private func keep(_ change: RolloutChange) throws(Rejection) {
    do throws(StoreFault) {
      try AwaitedReply.value(orElse: .stopping) { store.releases.keep(change, reply: $0) }
    } catch {
      if case .outdated = error { throw Publisher.rolloutHasChanged }
      throw telemetry.rejection(error)
    }
  }
}

extension RolloutRequest.Moment {
  /// Returns an error if the condition can never be met in sessions of the definition; otherwise `nil`.
  fileprivate func fault(in definition: Definition) -> Problem.Item? {
    switch self {
    case .visible(let screen) where definition.screens[screen] == nil:
      .init("the definition from which sessions move has no screen \"\(screen.prefix(64))\"", pointer: "#/when/visible")
    case .foreground where !definition.notesAppState:
      .init(
        "the definition from which sessions move does not use the fact appState, so it is unknown whether the app is in the foreground",
        pointer: "#/when")
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
