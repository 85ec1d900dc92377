import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

extension Service {
  func showHistory(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let after = query.integer("after", 0...Int.max) ?? 0
    let limit = query.integer("limit", 1...1_000) ?? 100
    try query.end()
    withSession(call) { session, _ throws(Rejection) in
      self.store.history(of: session.id, after: after, limit: limit) { result in
        switch result {
        case .failure(let fault): call.reject(self.rejection(fault))
        case .success(let page):
          let last = page.items.last?.entry.revision
          let items: [(String, String?)] = [("after", last.map(String.init)), ("limit", String(limit))]
          let next = page.more ? Self.path("/v1/sessions/\(session.id)/history", items) : nil
          call.answer(LazyBody { HistoryBody(entries: page.items.map { EntryBody($0.entry, $0.transition) }, next: next) })
        }
      }
    }
  }
}
