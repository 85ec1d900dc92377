import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

/// Finds the definitions of apps, including definitions that other nodes have published. Thread-safe.
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

  /// Calls `next` on any thread once this node serves all definitions that other nodes published before the request. Rejects the call if
  /// they cannot be read. If no other node shares the journal, calls `next` without waiting.
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

  /// Calls `next` on any thread with a definition of the app in the path. With a hash, this is the app's current or past definition with
  /// that hash. Without a hash, it is the definition for new sessions. Rejects the call if the app has no such definition.
  func withDefinition(
    _ call: Call, _ hash: String?, _ next: @escaping @Sendable (PinnedDefinition) throws(Rejection) -> Void
  ) throws(Rejection) {
    try withNewest(call) { () throws(Rejection) in try self.withKnownDefinition(call, hash, next) }
  }

  private func withKnownDefinition(
    _ call: Call, _ hash: String?, _ next: @escaping @Sendable (PinnedDefinition) throws(Rejection) -> Void
  ) throws(Rejection) {
    let app = call.parameter
    if hash == nil { try requireReadable(app) }
    let current = catalog[app]
    if let current, hash == nil || hash == current.hash { return try next(current) }
    guard let hash else { throw noSuchApp(app) }
    store.releases.definition(hash) { result in
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
    let known = names.isEmpty ? "the service serves no app" : "the served apps are \(names.joined(separator: ", "))"
    let hint = NearestName.of(app, among: names).map { "did you mean \($0)?" } ?? known
    return Rejection(.notFound, "no app with this name is served; \(hint)")
  }

  /// Throws if the newest definition of an app cannot be read. An older definition is not served instead.
  func requireReadable(_ app: String) throws(Rejection) {
    guard publisher.isRefused(app) else { return }
    throw Rejection(
      .storage,
      "the newest definition of the app \(app.prefix(64)) is damaged in the database, or this version of Cairn cannot read it; "
        + "an operator must put the definition again, or start a version that can read it",
      headers: ["Retry-After": "5"])
  }

  /// Calls `next` with the definition of a new session, on the calling thread or on a reader's thread. This is the definition of a rollout
  /// if the session is in its share, otherwise the app's definition. Rejects the call if the rollout or its definition cannot be read.
  func withDefinition(
    for label: String?, _ id: String, _ served: PinnedDefinition, _ call: Call,
    _ next: @escaping @Sendable (PinnedDefinition) throws(Rejection) -> Void
  ) throws(Rejection) {
    let app = served.definition.app
    let rollout: Rollout?
    do throws(StoreFault) {
      rollout = try store.releases.knownRollout(of: app)?.effective
    } catch {
      throw call.rejection(error)
    }
    guard let rollout, rollout.choosesNewSessions(served: served.hash), rollout.includes(label: label, id: id) else {
      return try next(served)
    }
    store.releases.definition(rollout.to) { result in
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

  /// Blocks until this node serves all definitions that other nodes have published before the call. Must run on an operators' thread.
  func readNewest() throws(Rejection) {
    guard store.isShared else { return }
    let _: Void = try threads.waiting { reply in publisher.refresh { fault in reply(fault.map { .failure($0) } ?? .success(())) } }
  }

  /// Returns the app's stored definition with a hash. Throws if the app has no definition with this hash. Blocks; must run on an operators'
  /// thread.
  func definition(_ hash: String, of app: String) throws(Rejection) -> PinnedDefinition {
    guard let pinned = try threads.waiting({ store.releases.definition(hash, reply: $0) }), pinned.definition.app == app else {
      throw Rejection(.notFound, "the app \(app.prefix(64)) has no definition with the hash \(hash.prefix(64)); put it first")
    }
    return pinned
  }
}
