import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

// Endpoints that show the apps and the parts of their definitions that clients need.
extension DocumentEndpoints {
  func listApps(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try definitions.withNewest(call) { () throws(Rejection) in
      let shelf = self.definitions.catalog.shelf
      let items = shelf.names.compactMap { name in shelf.served[name].map { AppsBody.Item(app: name, definition: $0.hash) } }
      call.answer(AppsBody(apps: items))
    }
  }

  func showApp(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let hash = query.read(Query.definition)
    try query.end()
    try definitions.withDefinition(call, hash) { pinned throws(Rejection) in
      if try call.hasCopy(of: pinned.hash) { return call.answer(Response(status: 304, headers: pinned.tag)) }
      self.give(.description, of: pinned, call, headers: pinned.tag)
    }
  }
}
