import CairnAPI
package import CairnHTTP

/// The responses of a service that waits for its database. The process is alive (`/livez`), but the service rejects all other requests.
package enum WaitingService {
  /// Handles a request. Never blocks.
  package static func handle(_ request: Request, _ responder: Responder) -> Answer {
    if request.rawPath == "/livez" { return .now(Response(status: 200, text: "ok\n")) }
    if request.rawPath == "/readyz" {
      let body = ReadinessBody([.init("journal", fault: "the database cannot be reached yet")])
      return .now(Response(status: 503, text: body.text, headers: ["Retry-After": "1"]))
    }
    let rejection = Rejection(.storage, "the database cannot be reached yet; try again later", headers: ["Retry-After": "1"])
    var response = Response(rejection, requestID: request.knownID, traceID: nil, pretty: false)
    response.addCommonHeaders(requestID: request.knownID)
    return .now(response)
  }
}
