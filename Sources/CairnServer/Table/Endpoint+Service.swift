import CairnAPI
import CairnCore

// Definitions, and how the service is.
extension Endpoint {
  static let listApps = Endpoint(
    id: "listApps", topic: .apps, summary: "Lists the apps that sessions can be started of", who: .anyone,
    answers: [.json(200, .apps, "By name.")])

  static let showApp = Endpoint(
    id: "showApp", topic: .apps, summary: "Shows what an app's definition says to those who drive it", who: .anyone,
    query: [Query.definition], headers: [.ifNoneMatch], answers: [.json(200, .app, "The app.", .eTag), unchangedDocument],
    problems: [.notFound, .storage])

  static let showAppDocument = Endpoint(
    id: "showAppDocument", topic: .apps, summary: "This document with an app's own steps, screens and facts", who: .anyone,
    query: [Query.definition], headers: [.ifNoneMatch], answers: [document, unchangedDocument], problems: [.notFound, .storage])

  static let showDocument = Endpoint(
    id: "showDocument", topic: .service, summary: "This document", who: .anyone, headers: [.ifNoneMatch],
    answers: [document, unchangedDocument])

  static let showLife = Endpoint(
    id: "showLife", topic: .service, summary: "Says that the process answers", who: .anyone,
    answers: [.text("text/plain; charset=utf-8", "ok")])

  static let showReadiness = Endpoint(
    id: "showReadiness", topic: .service, summary: "Says whether requests are welcome, by part", who: .anyone,
    answers: [readiness(200, "They are."), readiness(503, "They are not.")])

  static let showMetrics = Endpoint(
    id: "showMetrics", topic: .service, summary: "Shows figures for Prometheus",
    about: "Where the service has a port for whoever runs it, there alone.",
    who: .anyone, answers: [.text("text/plain; version=0.0.4; charset=utf-8", "The figures.")], problems: [.notFound])

  private static let document = Reply(
    status: 200, about: "OpenAPI 3.1.", contents: [("application/json", Schema(["type": "object"]))], headers: [.eTag])
  static let unchangedDocument = Reply(status: 304, about: "The client has this one.", headers: [.eTag])

  private static func readiness(_ status: Int, _ about: String) -> Reply {
    Reply(
      status: status, about: about, contents: [("text/plain; charset=utf-8", .text), ("application/json", .shared(.readiness))],
      headers: status == 503 ? [.retryAfter] : [])
  }
}
