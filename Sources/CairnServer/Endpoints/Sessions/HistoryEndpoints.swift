import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

/// Endpoints that show and forget a session's history.
final class HistoryEndpoints: Sendable {
  let store: Store
  let access: Access
  let once: OnceReplies
  let threads: OperatorThreads

  init(_ store: Store, _ access: Access, _ once: OnceReplies, _ threads: OperatorThreads) {
    self.store = store
    self.access = access
    self.once = once
    self.threads = threads
  }

  func showHistory(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let after = query.read(Query.afterRevision)
    let form = query.read(Query.form) ?? .json
    let (since, until, by) = (query.read(Query.since), query.read(Query.until), query.read(Query.historyTime))
    let limit = query.read(form == .scenario ? Query.steps : Query.entries) ?? (form == .scenario ? 10_000 : 100)
    try query.end()
    if form == .scenario, after ?? 0 > 0 {
      throw Rejection(
        .invalid, "a scenario starts with the session's first entry",
        errors: [.init("is not allowed with as=scenario; remove it", parameter: "after")])
    }
    let times = [("since", since?.text), ("until", until?.text), ("by", by?.rawValue)]
    if form == .scenario, let (name, _) = times.first(where: { $0.1 != nil }) {
      throw Rejection(
        .invalid, "a scenario contains all entries", errors: [.init("is not allowed with as=scenario; remove it", parameter: name)])
    }
    if let since, let until, since.milliseconds > until.milliseconds {
      throw Rejection(.invalid, "the period ends before it begins", errors: [.init("must not be later than until", parameter: "since")])
    }
    let hasPeriod = since != nil || until != nil
    let period = HistoryPeriod(since: since?.milliseconds, until: until?.milliseconds, isByClient: by == .at)
    access.withSession(call) { session, role throws(Rejection) in
      if form == .scenario { return self.sendScenario(of: session, to: role, limit: limit, call) }
      // The page is encoded on the reader's thread, because it is large and the connection's thread serves other connections, too.
      self.store.history(
        of: session.id, after: after, in: hasPeriod ? period : nil, limit: limit, bytes: ListPage.size, while: call.isWanted,
        as: { item throws(StoreFault) in try ListPage.written(EntryBody(item.entry(for: role, placeholder: true), item.transition)) }
      ) { result in
        switch result {
        case .failure(let fault): call.reject(fault)
        case .success(let page):
          let items: [(String, String?)] = [("after", page.last.map(String.init)), ("limit", String(limit))] + times
          let next = page.more ? ListPage.path("/v1/sessions/\(session.id)/history", items) : nil
          let body = HistoryBody(entries: page.items, firstRevision: page.beginning > 0 ? page.beginning : nil, next: next)
          call.answerHere(headers: [:]) { try JSONText.bytes(body, pretty: $0) }
        }
      }
    }
  }
}

extension HistoryItem {
  /// Returns the entry with only the parts that the caller may read; see `Entry.Cause.withheld`.
  func entry(for role: Role, placeholder: Value?) -> Entry {
    var entry = entry
    if role == .session { entry.cause = entry.cause.withheld(by: reducer.definition, placeholder: placeholder) }
    return entry
  }
}
