import CairnAPI
import CairnCore

// Endpoints for health, metrics, the OpenAPI document and the console.
extension Endpoint {
  static let service: [Endpoint] = [
    Endpoint(
      method: .get, path: "/livez", port: .both, id: "showLife", topic: .service, summary: "Says that the process answers", who: .anyone,
      answers: [.text("text/plain; charset=utf-8", "ok")]
    ) { service, call throws(Rejection) in try service.health.showLife(call) },
    Endpoint(
      method: .get, path: "/readyz", port: .both, id: "showReadiness", topic: .service,
      summary: "Says whether requests are welcome, by part", who: .anyone,
      answers: [readiness(200, "They are."), readiness(503, "They are not.")]
    ) { service, call throws(Rejection) in try service.health.showReadiness(call) },
    Endpoint(
      method: .get, path: "/metrics", port: .metrics, id: "showMetrics", topic: .service, summary: "Shows figures for Prometheus",
      about: "Only on the operators' port, if there is one.",
      who: .anyone, answers: [.text("text/plain; version=0.0.4; charset=utf-8", "The figures.")], problems: [.notFound]
    ) { service, call throws(Rejection) in try service.health.showMetrics(call) },
    Endpoint(
      method: .get, path: "/openapi.json", id: "showDocument", topic: .service, summary: "This document", who: .anyone,
      headers: [.ifNoneMatch],
      answers: [document, unchangedDocument]
    ) { service, call throws(Rejection) in try service.documents.showDocument(call) },
    Endpoint(
      method: .get, path: "/console", id: "showConsole", topic: .service, summary: "The page for people", who: .anyone,
      headers: [.ifNoneMatch],
      answers: [page(["text/html; charset=utf-8"]), unchangedDocument], problems: [.notFound]
    ) { service, call throws(Rejection) in try service.documents.showConsole(call) },
    Endpoint(
      method: .get, path: "/console/{file}", id: "showConsoleFile", topic: .service, summary: "A file of the page for people", who: .anyone,
      headers: [.ifNoneMatch],
      answers: [page(["text/javascript; charset=utf-8", "text/css; charset=utf-8"]), unchangedDocument], problems: [.notFound]
    ) { service, call throws(Rejection) in try service.documents.showConsole(call) },
    Endpoint(
      method: .get, path: "/engine/{engine}", id: "showEngine", topic: .service, summary: "The engine for clients, as WebAssembly",
      about: "Its path is in the header Cairn-Engine of a session's definition. The module is described in docs/engine.md.", who: .anyone,
      answers: [.text("application/wasm", "The module, compressed with brotli if Accept-Encoding has br.")], problems: [.notFound]
    ) { service, call throws(Rejection) in try service.documents.showEngine(call) },
  ]

  /// The response with an OpenAPI document.
  static let document = Reply(
    status: 200, about: "OpenAPI 3.1.", contents: [("application/json", Schema(["type": "object"]))], headers: [.eTag])

  /// The response if the client already has the document.
  static let unchangedDocument = Reply(status: 304, about: "The client has this one.", headers: [.eTag])

  private static func readiness(_ status: Int, _ about: String) -> Reply {
    Reply(
      status: status, about: about, contents: [("text/plain; charset=utf-8", .text), ("application/json", .shared(.readiness))],
      headers: status == 503 ? [.retryAfter] : [])
  }

  private static func page(_ types: [String]) -> Reply {
    Reply(status: 200, about: "The file.", contents: types.map { ($0, .text) }, headers: [.eTag])
  }
}
