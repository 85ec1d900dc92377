import CairnAPI
import CairnCore
import CairnDefinition
import CairnHTTP
import CairnStore

/// Endpoints that put a definition and list an app's versions. Only operators are authorized.
final class DefinitionEndpoints: Sendable {
  private let store: Store
  private let access: Access
  private let definitions: DefinitionLookup
  private let publisher: Publisher

  init(_ store: Store, _ access: Access, _ definitions: DefinitionLookup, _ publisher: Publisher) {
    self.store = store
    self.access = access
    self.definitions = definitions
    self.publisher = publisher
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
    var put = PutDefinition(
      app: call.parameter, text: text, author: call.operatorName ?? "", match: try call.tags("If-Match"),
      noneMatch: try call.tags("If-None-Match"), requestID: call.requestID
    ) { result in
      switch result {
      case .failure(let rejection): call.reject(rejection)
      case .success(let done): self.answer(call, done)
      }
    }
    put.isServed = isServed
    try definitions.withNewest(call) { [put] () throws(Rejection) in self.publisher.put(put) }
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
    try access.requireOperator(call, for: "looking at versions")
    let app = call.parameter
    try definitions.withNewest(call) { () throws(Rejection) in
      self.store.versions(of: app) { result in
        switch result {
        case .failure(let fault): call.reject(fault)
        case .success(let found):
          let current = self.definitions.catalog[app]?.hash
          let versions = VersionsBody.Version.all(found.editions, found.uses, current: current)
          guard current != nil || !versions.isEmpty else { return call.reject(self.definitions.noSuchApp(app)) }
          call.answer(VersionsBody(app: app, versions: versions))
        }
      }
    }
  }
}

extension VersionsBody.Version {
  /// One version per definition that was served or that sessions use, oldest first.
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
