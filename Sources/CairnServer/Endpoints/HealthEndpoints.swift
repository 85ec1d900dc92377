import CairnAPI
import CairnCore
import CairnDefinition
import CairnHTTP
import CairnJournal
import CairnStore
import Synchronization

/// Endpoints for liveness, readiness and metrics.
final class HealthEndpoints: Sendable {
  private let store: Store
  private let publisher: Publisher
  private let telemetry: Telemetry
  private let metrics: ServiceMetrics
  private let isLeaving = Atomic(false)

  init(_ store: Store, _ publisher: Publisher, _ telemetry: Telemetry, _ metrics: ServiceMetrics) {
    self.store = store
    self.publisher = publisher
    self.telemetry = telemetry
    self.metrics = metrics
  }

  /// Makes `/readyz` report that the service is stopping.
  func leave() { isLeaving.store(true, ordering: .releasing) }

  /// Whether the service is stopping.
  private var isGoing: Bool { isLeaving.load(ordering: .acquiring) }

  /// Responds with 200, which shows that the process is running.
  func showLife(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    call.answer(Response(status: 200, text: "ok\n"))
  }

  /// Responds with 200 if the service is ready for requests, otherwise with 503. The body is JSON if `Accept` contains a JSON type,
  /// otherwise text.
  func showReadiness(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    let body = readiness(withTexts: call.isAdmin)
    let status = body.ready ? 200 : 503
    let headers: Headers = body.ready ? [:] : ["Retry-After": "5"]
    if call.request.headers.all("Accept").contains(where: { $0.lowercased().contains("json") }) {
      call.answer(status: status, headers: headers, body)
    } else {
      call.answer(Response(status: status, text: body.text, headers: headers))
    }
  }

  /// The results of the readiness checks. Error texts are shown only on the operators' port.
  private func readiness(withTexts: Bool) -> ReadinessBody {
    let figures = store.figures
    let damaged = figures.damaged
    return ReadinessBody([
      .init("journal", fault: figures.journalFault.map { withTexts ? $0 : "the journal cannot be written" }),
      .init("store", fault: isGoing || !figures.isAccepting ? "shutting down" : nil),
      .init("sessions", fault: damaged > 0 ? "\(damaged) damaged; the log and cairn verify list them" : nil),
      .init("rollouts", note: damagedRollouts),
      .init("editions", note: damagedEditions),
      .init(
        "definitions", fault: publisher.catalog.names.isEmpty ? "no definition is served" : nil, note: brokenFiles(withTexts: withTexts)),
    ])
  }

  /// A warning that names the apps whose rollout cannot be read; `nil` if all rollouts can be read. The service stays ready, because other
  /// apps are served.
  private var damagedRollouts: String? {
    let apps = store.releases.damagedRollouts.map(\.app)
    guard !apps.isEmpty else { return nil }
    return "damaged: \(apps.joined(separator: ", ")); no session of these apps can be created until a new rollout replaces the damaged one"
  }

  /// A warning that names the apps whose newest definition cannot be read; `nil` if all of them can be read.
  private var damagedEditions: String? {
    let apps = publisher.refused
    guard !apps.isEmpty else { return nil }
    return "damaged: \(apps.joined(separator: ", ")); no session of these apps can be created until their definitions are put again"
  }

  /// A warning about the invalid files of the folder; `nil` if all files are valid. `withTexts` is whether the warning contains the error
  /// texts instead of only the files' names.
  private func brokenFiles(withTexts: Bool) -> String? {
    let faults = publisher.catalog.shelf.faults.sortedByKey
    guard !faults.isEmpty else { return nil }
    let names = faults.map { fault in
      // The main file has the same name in every folder, so the name of its folder is shown too.
      let path = fault.key.split(separator: "/")
      return path.suffix(path.last.map { $0 == DefinitionSource.mainFile } == true ? 2 : 1).joined(separator: "/")
    }.joined(separator: ", ")
    return
      "invalid files, whose previous definitions are still served: \(withTexts ? faults.flatMap(\.value).joined(separator: "; ") : names)"
  }

  func showMetrics(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    let text = MetricsText(telemetry.requests, metrics.all)
    call.answer(Response(status: 200, text: text.body, type: "text/plain; version=0.0.4; charset=utf-8"))
  }
}
