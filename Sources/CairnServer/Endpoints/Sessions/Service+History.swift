import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

extension Service {
  /// The size at which a page of a list or a history ends, in bytes.
  static let pageSize = 1 << 20

  /// The encoded item of a page, with its size in bytes.
  static func written(_ item: some JSONWritable) throws(StoreFault) -> (RawJSON, Int) {
    do {
      let raw = try RawJSON(item)
      return (raw, raw.bytes.count)
    } catch {
      throw .storage("an item holds a number that JSON has not")
    }
  }

  func showHistory(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let after = query.read(Query.afterRevision)
    let form = query.read(Query.form) ?? .json
    let limit = query.read(form == .scenario ? Query.steps : Query.entries) ?? (form == .scenario ? 10_000 : 100)
    try query.end()
    if form == .scenario, after ?? 0 > 0 {
      throw Rejection(.invalid, "a scenario begins where its session began", errors: [.init("must be left out", parameter: "after")])
    }
    withSession(call) { session, role throws(Rejection) in
      if form == .scenario { return self.tellScenario(of: session, to: role, limit: limit, call) }
      // The page is encoded on the reader's thread, because it is large and the connection's thread serves other connections, too.
      self.store.history(
        of: session.id, after: after, limit: limit, bytes: Self.pageSize, while: call.isWanted,
        as: { item throws(StoreFault) in try Self.written(EntryBody(item.entry(for: role, placeholder: true), item.transition)) }
      ) { result in
        switch result {
        case .failure(let fault): call.reject(self.rejection(fault))
        case .success(let page):
          let items: [(String, String?)] = [("after", page.last.map(String.init)), ("limit", String(limit))]
          let next = page.more ? Self.path("/v1/sessions/\(session.id)/history", items) : nil
          let body = HistoryBody(entries: page.items, firstRevision: page.beginning > 0 ? page.beginning : nil, next: next)
          call.answerHere(headers: [:]) { try JSONText.bytes(body, pretty: $0) }
        }
      }
    }
  }
}

extension HistoryItem {
  /// The entry as a caller gets it; see `Entry.Cause.withheld`.
  func entry(for role: Role, placeholder: Value?) -> Entry {
    var entry = entry
    if role == .session { entry.cause = entry.cause.withheld(by: reducer.definition, placeholder: placeholder) }
    return entry
  }
}
