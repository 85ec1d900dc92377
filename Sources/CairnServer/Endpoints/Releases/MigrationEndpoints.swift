import CairnAPI
import CairnCore
import CairnDefinition
import CairnHTTP
import CairnJournal
import CairnStore

/// Endpoints of migration documents, and endpoints that migrate one session or restore its state at an earlier revision. Only operators are
/// authorized.
final class MigrationEndpoints: Sendable {
  private let store: Store
  private let access: Access
  private let definitions: DefinitionLookup
  private let responses: SessionResponses
  private let once: OnceReplies
  private let publisher: Publisher
  private let threads: OperatorThreads
  private let environment: @Sendable (String) -> String?

  init(
    _ store: Store, _ access: Access, _ definitions: DefinitionLookup, _ responses: SessionResponses, _ once: OnceReplies,
    _ publisher: Publisher, _ threads: OperatorThreads, environment: @escaping @Sendable (String) -> String?
  ) {
    self.store = store
    self.access = access
    self.definitions = definitions
    self.responses = responses
    self.once = once
    self.publisher = publisher
    self.threads = threads
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
    let draft = Draft(app: call.parameter, from: call.segment(4), to: call.segment(5), text: text)
    try threads.run(call) { () throws(Rejection) in
      let stored = try self.put(draft, by: who.name)
      self.publisher.noteMigration(stored, request: call.requestID)
      call.answer(status: 200, result: "put", MigrationBody(stored))
    }
  }

  /// A migration document that an operator has put and that has not been checked.
  struct Draft: Sendable {
    let app: String
    /// The hashes of the definitions between which sessions move.
    let from, to: String
    let text: String
  }

  /// Checks and stores a migration, and returns the stored migration. Runs on an operators' thread.
  func put(_ draft: Draft, by author: String) throws(Rejection) -> StoredMigration {
    guard draft.from != draft.to else { throw Rejection(.invalid, "the two definitions of a migration must differ") }
    let old = try definitions.definition(draft.from, of: draft.app)
    let new = try definitions.definition(draft.to, of: draft.app)
    let loaded: LoadedMigration
    do {
      loaded = try MigrationReading.check(draft.text, old, new)
    } catch {
      throw Self.rejection(error)
    }
    let stored = StoredMigration(
      app: draft.app, from: old.hash, to: new.hash, document: loaded.canonical, since: store.clock.now(), author: author)
    try threads.waiting { store.releases.keep(stored, reply: $0) }
    return stored
  }

  func showMigration(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try access.requireOperator(call, for: "reading migrations")
    let (from, to) = (call.segment(4), call.segment(5))
    try threads.run(call) { () throws(Rejection) in
      let all = try self.threads.waiting { self.store.releases.migrations(of: call.parameter, reply: $0) }
      guard let found = all.first(where: { $0.from == from && $0.to == to }) else {
        throw Rejection(.notFound, "no migration between these definitions is stored")
      }
      call.answer(Response(status: 200, text: found.document, type: "application/json"))
    }
  }

  func listMigrations(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try access.requireOperator(call, for: "reading migrations")
    try threads.run(call) { () throws(Rejection) in call.answer(try self.migrations(of: call.parameter)) }
  }

  /// Returns the stored migrations of an app. Runs on an operators' thread.
  func migrations(of app: String) throws(Rejection) -> MigrationsBody {
    try definitions.readNewest()
    let all = try threads.waiting { store.releases.migrations(of: app, reply: $0) }
    // The migrations of an app that is no longer served can still be listed.
    if all.isEmpty, definitions.catalog[app] == nil { throw definitions.noSuchApp(app) }
    return MigrationsBody(app: app, migrations: all.map { MigrationBody($0) })
  }

  func migrateSession(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let isPlan = query.read(Query.plan) ?? false
    try query.end()
    try access.requireOperator(call, for: "moving a session to another definition")
    let request = try call.body { body throws(BodyFault) in try MigrationRequest(body) }
    let expected = try call.expectedRevisions()
    try threads.run(call) { () throws(Rejection) in
      let session = try self.access.session(of: call, on: self.threads)
      let definition = try self.definitions.definition(request.to, of: session.app)
      let environment = definition.definition.environment(from: self.environment)
      let style = self.responses.style(of: call, on: session, isPlan: isPlan)
      if isPlan {
        let planned = try self.threads.waiting {
          self.store.planMigration(session.id, to: definition, environment: environment, matching: expected, reply: $0)
        }
        switch planned.result {
        case .failure(let fault): throw call.rejection(fault)
        case .success(let posted): return self.answer(posted, style, call, at: planned.session.tag)
        }
      }
      if let key = try self.once.key(of: call, as: .operator) {
        let move = Alteration.migration(to: definition, environment: environment, way: nil) { _ in true }
        return self.once.post(.alteration(move), style, to: session.id, matching: expected, key, call)
      }
      let posted = try self.threads.waiting {
        self.store.migrate(session.id, to: definition, environment: environment, matching: expected, origin: call.origin, reply: $0)
      }
      self.answer(posted, style, call)
    }
  }

  func undo(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try access.requireOperator(call, for: "restoring an earlier state of a session")
    let request = try call.body { body throws(BodyFault) in try UndoRequest(body) }
    let expected = try call.expectedRevisions()
    try threads.run(call) { () throws(Rejection) in
      let session = try self.access.session(of: call, on: self.threads)
      let style = self.responses.style(of: call, on: session)
      if let key = try self.once.key(of: call, as: .operator) {
        return self.store.undoing(session.id, to: request.revision, reason: request.reason) { result in
          self.once.post(.of(result.map { .alteration($0) }), style, to: session.id, matching: expected, key, call)
        }
      }
      let posted = try self.threads.waiting {
        self.store.undo(session.id, to: request.revision, reason: request.reason, matching: expected, origin: call.origin, reply: $0)
      }
      self.answer(posted, style, call)
    }
  }

  /// Responds with the result of a post. `tag` is the tag of the revision on which a plan is based; `nil` if the post was performed.
  private func answer(_ posted: Posted, _ style: PostStyle, _ call: Call, at tag: RevisionTag? = nil) {
    if !style.isPlan { call.reached(posted.session.state.revision) }
    responses.withPredictions(of: posted.session, style, call) { predictions in
      call.answer {
        PostAnswer(posted, style, plan: tag.map { .init(tag: $0, body: PlanBody(link: nil)) }, predictions: predictions)
      }
    }
  }

  private static func rejection(_ error: any Error) -> Rejection {
    guard let error = error as? InvalidDefinition else { return Rejection(.invalidMigration, "the document cannot be read") }
    let faults = error.diagnostics.prefix(1_000).map { Problem.Item($0.message, line: $0.line, column: $0.column) }
    let count = error.diagnostics.count
    return Rejection(
      .invalidMigration, count == 1 ? "the migration has an error" : "the migration has \(count) errors", errors: Array(faults))
  }
}

extension MigrationBody {
  init(_ stored: StoredMigration) {
    self.init(app: stored.app, from: stored.from, to: stored.to, since: stored.since, by: stored.author)
  }
}
