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
    let pinned = try app(of: call)
    call.answer(LazyBody { AppBody(pinned.definition, hash: pinned.hash) })
  }

  /// The app that the path names.
  func app(of call: Call) throws(Rejection) -> PinnedDefinition {
    if let pinned = catalog[call.parameter] { return pinned }
    let hint = NearestName.of(call.parameter, among: catalog.names).map { "; did you mean \($0)?" } ?? ""
    throw Rejection(.notFound, "there is no such app here\(hint); known are \(catalog.names.joined(separator: ", "))")
  }
}
