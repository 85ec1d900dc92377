import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

extension Service {
  /// Calls `next` when this node serves the definitions that any node has published before the request. Without other nodes it does.
  func withNewestDefinitions(_ call: Call, _ next: @escaping @Sendable () throws(Rejection) -> Void) throws(Rejection) {
    guard store.isShared else { return try next() }
    publisher.refresh { fault in
      do throws(Rejection) {
        if let fault { throw self.rejection(fault) }
        try next()
      } catch {
        call.reject(error)
      }
    }
  }

  func listApps(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try withNewestDefinitions(call) { () throws(Rejection) in
      let shelf = self.catalog.shelf
      let items = shelf.names.compactMap { name in shelf.served[name].map { AppsBody.Item(app: name, definition: $0.hash) } }
      call.answer(AppsBody(apps: items))
    }
  }

  func showApp(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let hash = query.read(Query.definition)
    try query.end()
    try withDefinition(call, hash) { pinned throws(Rejection) in
      if try self.hasCopy(call, of: pinned.hash) { return call.answer(Response(status: 304, headers: pinned.tag)) }
      self.give(.description, of: pinned, call, headers: pinned.tag)
    }
  }

  /// Calls `next` with a definition of the app in the path, on any thread. With a hash this is the app's definition with that hash, current or
  /// past. Without one it is the definition for new sessions.
  func withDefinition(
    _ call: Call, _ hash: String?, _ next: @escaping @Sendable (PinnedDefinition) throws(Rejection) -> Void
  ) throws(Rejection) {
    try withNewestDefinitions(call) { () throws(Rejection) in try self.withKnownDefinition(call, hash, next) }
  }

  private func withKnownDefinition(
    _ call: Call, _ hash: String?, _ next: @escaping @Sendable (PinnedDefinition) throws(Rejection) -> Void
  ) throws(Rejection) {
    let app = call.parameter
    let current = catalog[app]
    if let current, hash == nil || hash == current.hash { return try next(current) }
    guard let hash else { throw noSuchApp(app) }
    store.definition(hash) { result in
      do throws(Rejection) {
        guard let pinned = try result.mapError({ self.rejection($0) }).get(), pinned.definition.app == app else {
          throw Rejection(.notFound, "no definition with this hash is known of the app \(app.prefix(64))")
        }
        try next(pinned)
      } catch {
        call.reject(error)
      }
    }
  }

  /// The response for an app that is not served.
  func noSuchApp(_ app: String) -> Rejection {
    let names = catalog.names
    let hint = NearestName.of(app, among: names).map { "; did you mean \($0)?" } ?? ""
    return Rejection(.notFound, "there is no such app here\(hint); known are \(names.joined(separator: ", "))")
  }
}
