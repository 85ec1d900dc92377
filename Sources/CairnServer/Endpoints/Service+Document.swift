import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

// Endpoints of documents that are computed from definitions (`DerivedDocuments`).
extension Service {
  func showDocument(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    documents.getGeneral(pretty: call.isPretty) { self.give($0, call) }
  }

  func showAppDocument(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let hash = query.read(Query.definition)
    try query.end()
    try withDefinition(call, hash) { pinned throws(Rejection) in
      self.documents.get(.openAPI, of: pinned, pretty: call.isPretty) { self.give($0, call) }
    }
  }

  /// Sends the session's present definition as an engine in a client reads it. The address names the session, which can move to another
  /// definition, so a client asks each time whether its copy is still the right one.
  func showDefinition(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    withSession(call) { session, _ throws(Rejection) in
      try self.requirePredictable(session)
      self.documents.get(.travelling, of: session.definition) { result in
        var headers: Headers = ["Cache-Control": "private, no-cache", "Vary": "Authorization"]
        self.addEngine(to: &headers, for: session)
        self.give(result, call, headers)
      }
    }
  }

  /// Sends a document with an entity tag, which is a hash of its bytes.
  private func give(_ result: Result<DerivedDocuments.Written, Rejection>, _ call: Call, _ others: Headers = [:]) {
    do throws(Rejection) {
      let document = try result.get()
      var headers = others
      headers.add("ETag", "\"\(document.tag)\"")
      if try hasCopy(call, of: document.tag) { return call.answer(Response(status: 304, headers: headers)) }
      send(document, "application/json", headers, call)
    } catch {
      call.reject(error)
    }
  }

  /// Sends a document that is computed from a definition.
  func give(
    _ document: DerivedDocument, of pinned: PinnedDefinition, _ call: Call, type: String = "application/json", headers: Headers = [:]
  ) {
    documents.get(document, of: pinned, pretty: call.isPretty && type == "application/json") { result in
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
