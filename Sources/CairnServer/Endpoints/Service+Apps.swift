import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

extension Service {
  func listApps(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    let items = catalog.names.compactMap { name in catalog[name].map { AppsBody.Item(app: name, definition: $0.hash) } }
    call.answer(AppsBody(apps: items))
  }

  func showApp(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    guard let pinned = catalog[call.parameter] else {
      let hint = NearestName.of(call.parameter, among: catalog.names).map { "; did you mean \($0)?" } ?? ""
      throw Rejection(.notFound, "there is no such app here\(hint); known are \(catalog.names.joined(separator: ", "))")
    }
    call.answer(LazyBody { AppBody(pinned.definition, hash: pinned.hash) })
  }
}
