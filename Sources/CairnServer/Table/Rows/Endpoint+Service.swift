import CairnAPI
import CairnCore

// Endpoints for health, metrics, the OpenAPI document and the console.
extension Endpoint {
  static let service: [Endpoint] = [
    Endpoint(
      method: .get, path: "/livez", port: .both, id: "showLife", topic: .service, summary: "Reports that the process is alive",
      who: .anyone,
      answers: [.text("text/plain; charset=utf-8", "The text \"ok\".")]
    ) { service, call throws(Rejection) in try service.health.showLife(call) },
    Endpoint(
      method: .get, path: "/readyz", port: .both, id: "showReadiness", topic: .service,
      summary: "Reports whether the service and each of its parts are ready", who: .anyone,
      answers: [readiness(200, "The service is ready."), readiness(503, "The service is not ready.")]
    ) { service, call throws(Rejection) in try service.health.showReadiness(call) },
    Endpoint(
      method: .get, path: "/metrics", port: .metrics, id: "showMetrics", topic: .service, summary: "Returns metrics for Prometheus",
      about: "Available only on the operators' port (setting `admin`) if one is configured, otherwise on the public port.",
      who: .anyone, answers: [.text("text/plain; version=0.0.4; charset=utf-8", "The metrics, in the text format of Prometheus.")],
      problems: [.notFound]
    ) { service, call throws(Rejection) in try service.health.showMetrics(call) },
    Endpoint(
      method: .get, path: "/openapi.json", id: "showDocument", topic: .service, summary: "Returns this OpenAPI document", who: .anyone,
      headers: [.ifNoneMatch],
      answers: [document, unchangedDocument]
    ) { service, call throws(Rejection) in try service.documents.showDocument(call) },
    Endpoint(
      method: .get, path: "/console", id: "showConsole", topic: .service, summary: "Returns the HTML page of the console", who: .anyone,
      headers: [.ifNoneMatch],
      answers: [page(["text/html; charset=utf-8"]), unchangedDocument], problems: [.notFound]
    ) { service, call throws(Rejection) in try service.documents.showConsole(call) },
    Endpoint(
      method: .get, path: "/console/{file}", id: "showConsoleFile", topic: .service,
      summary: "Returns a script or style sheet of the console", who: .anyone,
      headers: [.ifNoneMatch],
      answers: [page(["text/javascript; charset=utf-8", "text/css; charset=utf-8"]), unchangedDocument], problems: [.notFound]
    ) { service, call throws(Rejection) in try service.documents.showConsole(call) },
    Endpoint(
      method: .get, path: "/console/{folder}/{script}", id: "showConsoleScript", topic: .service,
      summary: "Returns a script in a folder of the console", who: .anyone, headers: [.ifNoneMatch],
      answers: [page(["text/javascript; charset=utf-8"]), unchangedDocument], problems: [.notFound]
    ) { service, call throws(Rejection) in try service.documents.showConsole(call) },
    Endpoint(
      method: .get, path: "/engine/{engine}", id: "showEngine", topic: .service, summary: "Returns the engine for clients, as WebAssembly",
      about:
        "Responses that contain a session or its definition have this path in the header Cairn-Engine. docs/engine.md describes the module.",
      who: .anyone,
      answers: [.text("application/wasm", "The module; it is compressed with brotli if the request's Accept-Encoding contains br.")],
      problems: [.notFound]
    ) { service, call throws(Rejection) in try service.documents.showEngine(call) },
  ]

  /// The response with an OpenAPI document.
  static let document = Reply(
    status: 200, about: "The document, in OpenAPI 3.1.", contents: [("application/json", Schema(["type": "object"]))], headers: [.eTag])

  /// The response if the client already has the document.
  static let unchangedDocument = Reply(status: 304, about: "The client's copy is still current.", headers: [.eTag])

  private static func readiness(_ status: Int, _ about: String) -> Reply {
    Reply(
      status: status, about: about, contents: [("text/plain; charset=utf-8", .text), ("application/json", .shared(.readiness))],
      headers: status == 503 ? [.retryAfter] : [])
  }

  private static func page(_ types: [String]) -> Reply {
    Reply(status: 200, about: "The file of the console.", contents: types.map { ($0, .text) }, headers: [.eTag])
  }
}
