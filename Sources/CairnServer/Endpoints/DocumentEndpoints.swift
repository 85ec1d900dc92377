import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

/// Endpoints of documents: documents that are computed from definitions (`DerivedDocuments`), the console, and the engine for clients.
final class DocumentEndpoints: Sendable {
  let derived: DerivedDocuments
  let definitions: DefinitionLookup
  let engine: EngineFile?
  let hasConsole: Bool
  let environment: @Sendable (String) -> String?
  private let access: Access
  private let responses: SessionResponses

  init(_ access: Access, _ definitions: DefinitionLookup, _ responses: SessionResponses, _ settings: Settings) {
    derived = DerivedDocuments(version: settings.version, commit: settings.commit)
    self.access = access
    self.definitions = definitions
    self.responses = responses
    engine = settings.engine
    hasConsole = settings.hasConsole
    environment = settings.environment
  }

  func showDocument(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    derived.getGeneral(pretty: call.isPretty) { self.give($0, call) }
  }

  func showAppDocument(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let hash = query.read(Query.definition)
    try query.end()
    try definitions.withDefinition(call, hash) { pinned throws(Rejection) in
      self.derived.get(.openAPI, of: pinned, pretty: call.isPretty) { self.give($0, call) }
    }
  }

  /// Sends the session's current definition in the form that an engine in a client reads. The URL names only the session, which can move to
  /// another definition, so clients revalidate their copy.
  func showDefinition(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    access.withSession(call) { session, _ throws(Rejection) in
      try self.responses.requirePredictable(session)
      self.derived.get(.travelling, of: session.definition) { result in
        var headers: Headers = ["Cache-Control": "private, no-cache", "Vary": "Authorization"]
        self.responses.addEngine(to: &headers, for: session)
        self.give(result, call, headers)
      }
    }
  }

  /// Sends a document with its entity tag, or 304 if the client already has the document. Sends the problem if the document could not be
  /// computed.
  private func give(_ result: Result<DerivedDocuments.Written, Rejection>, _ call: Call, _ others: Headers = [:]) {
    do throws(Rejection) {
      let document = try result.get()
      var headers = others
      headers.add("ETag", "\"\(document.tag)\"")
      if try call.hasCopy(of: document.tag) { return call.answer(Response(status: 304, headers: headers)) }
      send(document, "application/json", headers, call)
    } catch {
      call.reject(error)
    }
  }

  /// Sends a document that is derived from a definition with the given headers, or the problem if the document could not be computed.
  func give(
    _ document: DerivedDocument, of pinned: PinnedDefinition, _ call: Call, type: String = "application/json", headers: Headers = [:]
  ) {
    derived.get(document, of: pinned, pretty: call.isPretty && type == "application/json") { result in
      switch result {
      case .failure(let rejection): call.reject(rejection)
      case .success(let document): self.send(document, type, headers, call)
      }
    }
  }

  private func send(_ document: DerivedDocuments.Written, _ type: String, _ headers: Headers, _ call: Call) {
    var response = Response(status: 200, headers: headers, body: document.bytes)
    response.headers.add("Content-Type", type)
    call.answer(response)
  }
}
