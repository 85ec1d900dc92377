import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

/// Finds the definitions of apps, also those that other nodes have published. Thread-safe.
final class DefinitionLookup: Sendable {
  let catalog: Catalog
  private let store: Store
  private let publisher: Publisher
  private let threads: OperatorThreads

  init(_ store: Store, _ catalog: Catalog, _ publisher: Publisher, _ threads: OperatorThreads) {
    self.store = store
    self.catalog = catalog
    self.publisher = publisher
    self.threads = threads
  }

  /// Calls `next` when this node serves the definitions that any node has published before the request. Without other nodes it does.
  func withNewest(_ call: Call, _ next: @escaping @Sendable () throws(Rejection) -> Void) throws(Rejection) {
    guard store.isShared else { return try next() }
    publisher.refresh { fault in
      do throws(Rejection) {
        if let fault { throw call.rejection(fault) }
        try next()
      } catch {
        call.reject(error)
      }
    }
  }

  /// Calls `next` with a definition of the app in the path, on any thread. With a hash this is the app's definition with that hash, current or
  /// past. Without one it is the definition for new sessions.
  func withDefinition(
    _ call: Call, _ hash: String?, _ next: @escaping @Sendable (PinnedDefinition) throws(Rejection) -> Void
  ) throws(Rejection) {
    try withNewest(call) { () throws(Rejection) in try self.withKnownDefinition(call, hash, next) }
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
        guard let pinned = try result.mapError({ call.rejection($0) }).get(), pinned.definition.app == app else {
          throw Rejection(.notFound, "the app \(app.prefix(64)) has no definition with this hash")
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
    return Rejection(.notFound, "no app with this name is served\(hint); the served apps are \(names.joined(separator: ", "))")
  }

  /// Whether the newest definition of an app cannot be read by this version of the program, so that no session of the app starts here.
  func isRefused(_ app: String) -> Bool { store.isShared && publisher.isRefused(app) }

  /// Calls `next` with the definition of a new session: that of a rollout if the session is among its share, otherwise that of the app. Rejects the
  /// call if the rollout or its definition cannot be read. Reads on the readers' threads.
  func withDefinition(
    for label: String?, _ id: String, _ served: PinnedDefinition, _ call: Call,
    _ next: @escaping @Sendable (PinnedDefinition) throws(Rejection) -> Void
  ) throws(Rejection) {
    let app = served.definition.app
    let rollout: Rollout?
    do throws(StoreFault) {
      rollout = try store.knownRollout(of: app)?.effective
    } catch {
      throw call.rejection(error)
    }
    guard let rollout, rollout.choosesNewSessions(served: served.hash), rollout.includes(label: label, id: id) else {
      return try next(served)
    }
    store.definition(rollout.to) { result in
      do throws(Rejection) {
        guard let definition = try result.mapError({ call.rejection($0) }).get() else {
          throw call.rejection(.storage("the definition \(rollout.to), to which a rollout of \(app) moves sessions, is missing"))
        }
        try next(definition)
      } catch {
        call.reject(error)
      }
    }
  }

  /// Returns when this node serves the definitions that any node has published before. Runs on an operators' thread.
  func readNewest() throws(Rejection) {
    guard store.isShared else { return }
    let _: Void = try threads.waiting { reply in publisher.refresh { fault in reply(fault.map { .failure($0) } ?? .success(())) } }
  }

  /// The app's stored definition with a hash. Runs on an operators' thread.
  func definition(_ hash: String, of app: String) throws(Rejection) -> PinnedDefinition {
    guard let pinned = try threads.waiting({ store.definition(hash, reply: $0) }), pinned.definition.app == app else {
      throw Rejection(.notFound, "the app \(app.prefix(64)) has no definition with the hash \(hash.prefix(64)); put it first")
    }
    return pinned
  }
}
