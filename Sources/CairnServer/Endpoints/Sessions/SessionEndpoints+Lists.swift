import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnRuntime
import CairnStore

// Endpoints that list and end many sessions, selected by a filter. Only operators are authorized.
extension SessionEndpoints {
  func listSessions(_ call: Call) throws(Rejection) {
    try access.requireOperator(call, for: "listing sessions")
    let filter = try Filter(call.request.query, limit: Query.listed, usually: 100)
    store.sessions(
      filter.query, bytes: ListPage.size, while: call.isWanted,
      as: { session throws(StoreFault) in try ListPage.written(SessionItem(self.responses.body(of: session))) }
    ) { result in
      switch result {
      case .failure(let fault): call.reject(fault)
      case .success(let list):
        let next = list.next.map { filter.path(after: $0) }
        call.answerHere(headers: [:]) {
          try JSONText.bytes(SessionsBody(sessions: list.items, damaged: list.damaged, next: next), pretty: $0)
        }
      }
    }
  }

  /// Ends the sessions that a filter selects, up to the filter's limit. The response contains `next` if more matching sessions exist.
  func endSessions(_ call: Call) throws(Rejection) {
    try access.requireOperator(call, for: "ending sessions")
    let filter = try Filter(call.request.query, limit: Query.endedAtOnce, usually: 1_000)
    guard filter.query.isFilter else {
      throw Rejection(
        .invalid, "at least one filter is required; this endpoint never ends every session",
        errors: [.init("one of app, label, definition, created_after and created_before is required", parameter: "app")])
    }
    let ids = Lock<[String]>([])
    store.end(filter.query, ended: { id in ids.withLock { $0.append(id) } }) { result in
      switch result {
      case .failure(let fault): call.reject(fault)
      case .success(let ended):
        self.telemetry.ended(
          ids.withLock { $0 }, where: filter.path(after: nil), app: filter.query.app, by: call.operatorName, requestID: call.requestID)
        call.answer(result: "ended:\(ended.count)", EndedBody(ended: ended.count, next: ended.next.map { filter.path(after: $0) }))
      }
    }
  }

  /// The filter for sessions in a query.
  private struct Filter: Sendable {
    let query: SessionQuery
    private let items: [(String, String?)]

    init(_ given: [Request.QueryItem], limit most: Parameter<Int>, usually usual: Int) throws(Rejection) {
      var reader = QueryReader(given)
      let (app, label, definition) = (reader.read(Query.app), reader.read(Query.label), reader.read(Query.definition))
      let (first, end) = (reader.read(Query.createdAfter), reader.read(Query.createdBefore))
      let after = reader.read(Query.after)
      let limit = reader.read(most) ?? usual
      try reader.end()
      query = SessionQuery(
        app: app, label: label, definition: definition, createdAfter: first?.milliseconds, createdBefore: end?.milliseconds,
        after: after.flatMap { $0.isEmpty ? nil : $0 }, limit: limit)
      items = [
        ("app", app), ("label", label), ("definition", definition), ("created_after", first?.text), ("created_before", end?.text),
        ("limit", String(limit)),
      ]
    }

    /// Returns the path with this filter, for the page after `place`; for the first page if `place` is `nil` or empty.
    func path(after place: String?) -> String {
      ListPage.path("/v1/sessions", items + [("after", place.flatMap { $0.isEmpty ? nil : $0 })])
    }
  }
}
