import CairnAPI
import CairnCore
import CairnHTTP

// The document of the API.
extension Service {
  func showDocument(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try give(documents.general, call)
  }

  func showAppDocument(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let hash = query.read(Query.definition)
    try query.end()
    try withDefinition(call, hash) { pinned throws(Rejection) in try self.give(self.documents.document(of: pinned), call) }
  }

  /// Answers with a document, or that the client has it.
  private func give(_ document: Documents.Written, _ call: Call) throws(Rejection) {
    let headers: Headers = ["ETag": "\"\(document.tag)\""]
    if try hasCopy(call, of: document.tag) { return call.answer(Response(status: 304, headers: headers)) }
    call.answer(headers: headers) { pretty in pretty ? try JSONText.bytes(document.value, pretty: true) : document.bytes }
  }
}
