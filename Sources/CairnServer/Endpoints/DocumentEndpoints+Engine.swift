import CairnAPI
import CairnHTTP

// Serves the engine for clients. The request needs no credentials, because the engine is the same for all clients.
extension DocumentEndpoints {
  func showEngine(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    guard let engine else {
      throw Rejection(.notFound, "the service has no engine for clients, because the setting engine is not set")
    }
    guard call.parameter == engine.name else {
      throw Rejection(
        .notFound, "the engine now has a different path; read a session's definition again, and use the path in the header Cairn-Engine")
    }
    call.answer(engine.response(compressed: AcceptedCodings(call.request.headers.all("Accept-Encoding")).contain("br")))
  }
}
