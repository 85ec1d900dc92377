import CairnAPI
import CairnHTTP

// The engine for clients. It needs no credentials, because it is the same for all.
extension DocumentEndpoints {
  func showEngine(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    guard let engine else {
      throw Rejection(.notFound, "no engine is served here: the setting engine names no folder")
    }
    guard call.parameter == engine.name else {
      throw Rejection(.notFound, "the engine has another path now: read a session's definition again, whose header Cairn-Engine has it")
    }
    call.answer(engine.response(compressed: AcceptedCodings(call.request.headers.all("Accept-Encoding")).contain("br")))
  }
}
