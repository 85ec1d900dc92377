import CairnAPI
import CairnCore
import CairnDefinition
import CairnHTTP
import CairnJournal
import CairnStore

/// Endpoints that put a definition and list an app's versions. Only operators are authorized.
final class DefinitionEndpoints: Sendable {
  private let store: Store
  private let access: Access
  private let definitions: DefinitionLookup
  private let publisher: Publisher
  private let threads: OperatorThreads

  init(_ store: Store, _ access: Access, _ definitions: DefinitionLookup, _ publisher: Publisher, _ threads: OperatorThreads) {
    self.store = store
    self.access = access
    self.definitions = definitions
    self.publisher = publisher
    self.threads = threads
  }

  func putApp(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let isServed = query.read(Query.serve) ?? true
    try query.end()
    try access.requireOperator(call, for: "putting a definition")
    guard MediaType.isDefinition(call.request.headers) else {
      throw Rejection(
        .unsupportedMediaType, "the body must be application/yaml or application/json in UTF-8, not compressed",
        headers: ["Accept": "application/yaml, text/yaml, application/json"])
    }
    guard let text = String(validating: call.request.body, as: UTF8.self) else {
      throw Rejection(.badRequest, "the body must be text in UTF-8")
    }
    let (match, none) = (try call.tags("If-Match"), try call.tags("If-None-Match"))
    try threads.run(call) { () throws(Rejection) in
      try self.definitions.readNewest()
      let done = try AwaitedReply.value(orElse: Rejection(StoreFault.stopping)) { reply in
        var put = PutDefinition(
          app: call.parameter, text: text, author: call.operatorName ?? "", match: match, noneMatch: none, requestID: call.requestID,
          reply: reply)
        put.isServed = isServed
        self.publisher.put(put)
      }
      self.answer(call, done)
    }
  }

  private func answer(_ call: Call, _ done: PutDefinition.Done) {
    let warnings = done.warnings.map { CheckBody.Warning($0.message, line: $0.line, column: $0.column) }
    let (status, word) =
      switch done.kind {
      case .new: (201, "new")
      case .changed: (200, "changed")
      case .unchanged: (200, "unchanged")
      }
    call.answer(
      status: status, headers: done.definition.tag, result: word,
      PublishedBody(
        app: done.definition.definition.app, definition: done.definition.hash, changed: done.kind != .unchanged, warnings: warnings))
  }

  func listVersions(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try access.requireOperator(call, for: "reading versions")
    let app = call.parameter
    try threads.run(call) { () throws(Rejection) in call.answer(try self.versions(of: app)) }
  }

  /// Returns the app's current and former definitions, and the definitions that its sessions use. Throws if there are none. Blocks; must
  /// run on an operators' thread.
  func versions(of app: String) throws(Rejection) -> VersionsBody {
    try definitions.readNewest()
    try definitions.requireReadable(app)
    let found = try threads.waiting { store.releases.versions(of: app, reply: $0) }
    let current = definitions.catalog[app]?.hash
    let versions = VersionsBody.Version.all(found.editions, found.uses, current: current)
    guard current != nil || !versions.isEmpty else { throw definitions.noSuchApp(app) }
    return VersionsBody(app: app, versions: versions)
  }
}

extension VersionsBody.Version {
  /// Creates one version for each definition that was served or that sessions use, oldest first.
  static func all(_ editions: [Edition], _ uses: [DefinitionUse], current: String?) -> [Self] {
    var found: [String: Self] = [:]
    for use in uses {
      found[use.definition] = Self(
        definition: use.definition, current: use.definition == current, since: use.oldest, by: nil, sessions: use.sessions)
    }
    for edition in editions {
      found[edition.definition] = Self(
        definition: edition.definition, current: edition.definition == current, since: edition.since, by: edition.author,
        sessions: found[edition.definition]?.sessions ?? 0)
    }
    return found.values.sorted { ($0.since, $0.definition) < ($1.since, $1.definition) }
  }
}
