import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

/// Endpoints that create a session.
final class CreationEndpoints: Sendable {
  let store: Store
  let definitions: DefinitionLookup
  let once: OnceReplies
  let start: SessionStart
  /// Plays a scenario to its end. Called on a reader's thread.
  let play: ScenarioEnd.Playing
  private let access: Access
  private let limiter: RateLimiter
  private let creators: Settings.Creators
  private let environment: @Sendable (String) -> String?

  init(
    _ store: Store, _ access: Access, _ definitions: DefinitionLookup, _ once: OnceReplies, _ start: SessionStart, _ limiter: RateLimiter,
    _ settings: Settings
  ) {
    self.store = store
    self.access = access
    self.definitions = definitions
    self.once = once
    self.start = start
    self.limiter = limiter
    play = settings.playScenario
    creators = settings.creation
    environment = settings.environment
  }

  func createSession(_ call: Call) throws(Rejection) {
    try definitions.withNewest(call) { () throws(Rejection) in try self.startSession(call) }
  }

  private func startSession(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    if creators == .operatorOnly { try access.requireOperator(call, for: "starting a session") }
    let isOperator = try access.isOperator(call)
    let request = try call.body { body throws(BodyFault) in try CreationRequest(body) }
    try definitions.requireReadable(request.app)
    guard let served = definitions.catalog[request.app] else { throw unknownApp(request.app) }
    if let scenario = request.scenario {
      guard isOperator else { throw Access.operatorOnly("starting a session at the end of a scenario") }
      return try begin(at: scenario, served, request, call)
    }
    guard let hash = request.definition, hash != served.hash else {
      return try begin(request, with: request.definition == nil ? nil : served, served, call)
    }
    store.releases.definition(hash) { result in
      do throws(Rejection) {
        guard let named = try result.mapError({ call.rejection($0) }).get(), named.definition.app == request.app else {
          throw Rejection(
            .definitionGone,
            "the app \(request.app) has no definition with the hash \(hash.prefix(12)); omit definition to start on the served one")
        }
        try self.begin(request, with: named, served, call)
      } catch {
        call.reject(error)
      }
    }
  }

  /// Creates a session from a request. `named` is the definition that the request names; `nil` if the request names no definition.
  private func begin(_ request: CreationRequest, with named: PinnedDefinition?, _ served: PinnedDefinition, _ call: Call) throws(Rejection)
  {
    let key = try IdempotencyKey(call.request.headers)
    try key?.requireSecrecy()
    let starter: Derivation.Starter = try access.isOperator(call) ? .operator : .anyone
    let derived = key.map { once.derivation.session($0, by: starter, call.request) }
    let id = derived?.id ?? Identity.sessionID()
    let (secret, print) = (derived?.secret ?? Identity.secret(), derived?.print)
    if let named { return try begin(request, with: named, id, secret: secret, print: print, call) }
    try definitions.withDefinition(for: request.label, id, served, call) { pinned throws(Rejection) in
      try self.begin(request, with: pinned, id, secret: secret, print: print, call)
    }
  }

  /// Creates a session of a definition from a request, and responds.
  private func begin(
    _ request: CreationRequest, with pinned: PinnedDefinition, _ id: String, secret: String, print: Fingerprint?, _ call: Call
  ) throws(Rejection) {
    let isOperator = try access.isOperator(call)
    if !isOperator, let facts = request.facts, let what = pinned.definition.operatorsPart(ofSetting: facts) {
      throw Access.operatorOnly(what)
    }
    guard isOperator || (!request.isManualRequests && request.environment == nil) else {
      throw Access.operatorOnly("starting a session with \(request.isManualRequests ? "manual requests" : "an environment")")
    }
    let arrival = try command(request.arrival, pinned.definition)
    let message = try once.derivation.message(request.arrival, pinned.definition, call)
    // This check reserves a slot, so it runs after all other checks of the request.
    if !isOperator {
      do throws(RateLimiter.Refusal) {
        try limiter.creation(from: call.address)
      } catch {
        throw access.refused(error, call)
      }
    }
    // A session with a manual clock is a test, so its facts begin with their defaults instead of assigned values.
    let assigned = request.isManualClock ? [:] : pinned.definition.assigned(label: request.label, id: id)
    let creation = Creation(
      hasToken: request.accessToken != nil, facts: assigned.merging(request.facts ?? [:]) { _, given in given },
      environment: pinned.definition.environment { name in if let given = request.environment { given[name] } else { environment(name) } },
      manualClock: request.isManualClock, manualRequests: request.isManualRequests)
    var new = NewSession(
      id: id, definition: pinned, label: request.label, secretHash: Identity.hash(secret),
      creation: creation, accessToken: request.accessToken, arrival: arrival,
      message: message, origin: call.origin)
    new.clockStart = request.clockStart
    let url = Self.linkPointer(request.arrival, pinned.definition)
    start.run(new, print: print, secret: secret, url: url, call)
  }

  private func command(_ arrival: CreationRequest.Arrival?, _ definition: Definition) throws(Rejection) -> Command? {
    switch arrival {
    case nil: return nil
    case .open(let url): return .open(url: url)
    case .notification(let payload):
      do throws(BodyFault) {
        return try NotificationRequest(payload).command(definition.notifications, tap: true, appState: .killed)
      } catch {
        guard case .invalid(let faults) = error else { throw Rejection(Problem(error)) }
        var inner = Faults()
        for fault in faults { inner.append(.init(pointer: "/notification\(fault.pointer)", detail: fault.detail)) }
        throw Rejection(Problem(.invalid(inner)))
      }
    }
  }

  private func unknownApp(_ name: String) -> Rejection {
    let hint =
      NearestName.of(name, among: definitions.catalog.names).map { "did you mean \($0)?" }
      ?? "the served apps are \(definitions.catalog.names.joined(separator: ", "))"
    return Rejection(
      .unknownApp, "no app \"\(name.prefix(64))\" is served; \(hint)", errors: [.init("is unknown; \(hint)", pointer: "#/app")])
  }

  /// The JSON pointer to the link of a cold start in the request's body.
  private static func linkPointer(_ arrival: CreationRequest.Arrival?, _ definition: Definition) -> String {
    guard case .notification(let payload)? = arrival else { return "/open" }
    return "/notification" + ((try? NotificationRequest(payload).linkPointer(definition.notifications)) ?? "")
  }
}
