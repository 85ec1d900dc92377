import CairnAPI
import CairnCore
import CairnDefinition
import CairnHTTP
import CairnStore

/// Endpoints for migration documents, and for single sessions that are moved or taken back. Only operators are authorized.
final class MigrationEndpoints: Sendable {
  private let store: Store
  private let access: Access
  private let definitions: DefinitionLookup
  private let responses: SessionResponses
  private let once: OnceReplies
  private let publisher: Publisher
  private let environment: @Sendable (String) -> String?

  init(
    _ store: Store, _ access: Access, _ definitions: DefinitionLookup, _ responses: SessionResponses, _ once: OnceReplies,
    _ publisher: Publisher, environment: @escaping @Sendable (String) -> String?
  ) {
    self.store = store
    self.access = access
    self.definitions = definitions
    self.responses = responses
    self.once = once
    self.publisher = publisher
    self.environment = environment
  }

  func putMigration(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    let who = try access.requireOperator(call, for: "putting a migration")
    guard MediaType.isDefinition(call.request.headers) else {
      throw Rejection(
        .unsupportedMediaType, "the body must be application/yaml or application/json in UTF-8, not compressed",
        headers: ["Accept": "application/yaml, text/yaml, application/json"])
    }
    guard let text = String(validating: call.request.body, as: UTF8.self) else {
      throw Rejection(.badRequest, "the body must be text in UTF-8")
    }
    try withDefinitions(call) { old, new throws(Rejection) in
      let loaded: LoadedMigration
      do {
        loaded = try MigrationReading.check(text, old, new)
      } catch {
        throw Self.rejection(error)
      }
      let stored = StoredMigration(
        app: call.parameter, from: old.hash, to: new.hash, document: loaded.canonical, since: self.store.clock.now(), author: who.name)
      self.store.keep(stored) { result in
        switch result {
        case .failure(let fault): call.reject(fault)
        case .success:
          self.publisher.noteMigration(stored, request: call.requestID)
          call.answer(status: 200, result: "put", MigrationBody(stored))
        }
      }
    }
  }

  func showMigration(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try access.requireOperator(call, for: "looking at migrations")
    let (from, to) = (call.segment(4), call.segment(5))
    store.migrations(of: call.parameter) { result in
      switch result {
      case .failure(let fault): call.reject(fault)
      case .success(let all):
        guard let found = all.first(where: { $0.from == from && $0.to == to }) else {
          return call.reject(Rejection(.notFound, "there is no migration between these definitions"))
        }
        call.answer(Response(status: 200, text: found.document, type: "application/json"))
      }
    }
  }

  func listMigrations(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try access.requireOperator(call, for: "looking at migrations")
    let app = call.parameter
    try definitions.withNewest(call) { () throws(Rejection) in
      self.store.migrations(of: app) { result in
        switch result {
        case .failure(let fault): call.reject(fault)
        // The migrations of an app that is no longer served can still be listed.
        case .success(let all) where all.isEmpty && self.definitions.catalog[app] == nil: call.reject(self.definitions.noSuchApp(app))
        case .success(let all): call.answer(MigrationsBody(app: app, migrations: all.map { MigrationBody($0) }))
        }
      }
    }
  }

  func migrateSession(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let isPlan = query.read(Query.plan) ?? false
    try query.end()
    try access.requireOperator(call, for: "moving a session to another definition")
    let request = try call.body { body throws(BodyFault) in try MigrationRequest(body) }
    let expected = try call.expectedRevisions()
    access.withSession(call) { session, _ throws(Rejection) in
      self.definitions.withDefinition(request.to, of: session.app, call) { definition throws(Rejection) in
        let environment = definition.definition.environment(from: self.environment)
        let style = self.responses.style(of: call, on: session, isPlan: isPlan)
        guard isPlan else {
          if let key = try self.once.key(of: call, as: .operator) {
            let move = Alteration.migration(to: definition, environment: environment, way: nil) { _ in true }
            return self.once.post(.alteration(move), style, to: session.id, matching: expected, key, call)
          }
          self.store.migrate(session.id, to: definition, environment: environment, matching: expected, origin: call.origin) {
            self.answer($0, style, call)
          }
          return
        }
        self.store.planMigration(session.id, to: definition, environment: environment, matching: expected) { result in
          switch result {
          case .failure(let fault): call.reject(fault)
          case .success(let planned): self.answer(planned.result, style, call, at: planned.session.tag)
          }
        }
      }
    }
  }

  func undo(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try access.requireOperator(call, for: "taking a session back")
    let request = try call.body { body throws(BodyFault) in try UndoRequest(body) }
    let expected = try call.expectedRevisions()
    access.withSession(call) { session, _ throws(Rejection) in
      let style = self.responses.style(of: call, on: session)
      if let key = try self.once.key(of: call, as: .operator) {
        return self.store.undoing(session.id, to: request.revision, reason: request.reason) { result in
          self.once.post(.of(result.map { .alteration($0) }), style, to: session.id, matching: expected, key, call)
        }
      }
      self.store.undo(session.id, to: request.revision, reason: request.reason, matching: expected, origin: call.origin) {
        self.answer($0, style, call)
      }
    }
  }

  /// `tag` is that of the revision on which a plan is based.
  private func answer(_ result: Result<Posted, StoreFault>, _ style: PostStyle, _ call: Call, at tag: RevisionTag? = nil) {
    switch result {
    case .failure(let fault): call.reject(fault)
    case .success(let posted):
      if !style.isPlan { call.reached(posted.session.state.revision) }
      responses.withPredictions(of: posted.session, style, call) { predictions in
        call.answer {
          PostAnswer(posted, style, plan: tag.map { .init(tag: $0, body: PlanBody(link: nil)) }, predictions: predictions)
        }
      }
    }
  }

  /// Calls `next` with the definitions of the path's third and fourth parameter.
  private func withDefinitions(
    _ call: Call, _ next: @escaping @Sendable (_ old: PinnedDefinition, _ new: PinnedDefinition) throws(Rejection) -> Void
  ) throws(Rejection) {
    let (from, to) = (call.segment(4), call.segment(5))
    guard from != to else { throw Rejection(.invalid, "the two definitions of a migration must differ") }
    definitions.withDefinition(from, of: call.parameter, call) { old throws(Rejection) in
      self.definitions.withDefinition(to, of: call.parameter, call) { new throws(Rejection) in try next(old, new) }
    }
  }

  private static func rejection(_ error: any Error) -> Rejection {
    guard let error = error as? InvalidDefinition else { return Rejection(.invalidMigration, "the document cannot be read") }
    let faults = error.diagnostics.prefix(1_000).map { Problem.Item($0.message, line: $0.line, column: $0.column) }
    let count = error.diagnostics.count
    return Rejection(
      .invalidMigration, count == 1 ? "the migration has a mistake" : "the migration has \(count) mistakes", errors: Array(faults))
  }
}

extension MigrationBody {
  init(_ stored: StoredMigration) {
    self.init(app: stored.app, from: stored.from, to: stored.to, since: stored.since, by: stored.author)
  }
}
