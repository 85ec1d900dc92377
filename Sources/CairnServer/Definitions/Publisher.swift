import CairnCore
import CairnJournal
import CairnRuntime
package import CairnStore
import DequeModule
import Logging

/// Loads definitions into the catalog, from the folder and from operators' PUT requests. One job runs at a time, on the job thread, which
/// exists only while there are jobs. Requests never wait for files and never see a partial change. Thread-safe.
package final class Publisher: Sendable {
  /// The reason why the folder is read.
  package enum Trigger: Sendable { case start, change, signal }

  enum Job: Sendable {
    case read(Trigger)
    case put(PutDefinition)
    /// Serves the definitions that other nodes have published.
    case adopt(@Sendable (StoreFault?) -> Void)
  }

  struct Contents {
    var jobs: Deque<Job> = []
    var isRunning = false
    var isOpen = true
  }

  /// The state that jobs share.
  struct Notes: Sendable {
    var source: @Sendable () -> FolderReading = { FolderReading(fault: "no folder of definitions is configured") }
    var folder = ""
    /// The newest edition of each app in the journal.
    var newest: [String: Edition] = [:]
    /// The apps whose newest definition cannot be read.
    var refused: [String: Refusal] = [:]
    /// The versions of the files whose errors and warnings have been logged, by file name.
    var reported: [String: Int] = [:]
  }

  /// The reason why no session of an app can be created.
  struct Refusal: Sendable {
    /// The fault as a text for the log.
    var reason: String
    /// The hash of the folder's definition of the app at the time of the refusal; `nil` if the folder had no definition of the app. Once
    /// the folder has a different definition of the app, that definition is served instead of the unreadable one.
    var above: String?
  }

  let catalog: Catalog
  let store: Store
  let settings: Settings
  let log: Logger
  let notes = Lock(Notes())
  let contents = Monitor(Contents())

  /// Maximum number of waiting jobs. A put is rejected if this number of jobs already waits.
  private static let most = 16

  init(_ catalog: Catalog, _ store: Store, _ settings: Settings, _ log: Logger) {
    self.catalog = catalog
    self.store = store
    self.settings = settings
    self.log = log
  }

  /// Serves the folder's definitions, and the definitions that operators have put earlier. Runs on the calling thread, before the service
  /// accepts requests. `source` reads the folder, now and at each later reading.
  package func begin(_ folder: String, _ source: @escaping @Sendable () -> FolderReading) throws(StoreFault) {
    let newest: StoredEditions = try answer { store.releases.editions(reply: $0) }
    var shelf = catalog.shelf
    for edition in newest.intact where edition.author != nil {
      do throws(StoreFault) {
        shelf.put(edition, try definition(of: edition))
      } catch {
        // No older definition of the app is served instead. Other apps are not affected.
        refuse(edition.app, "\(error)", above: edition.above)
      }
    }
    if !newest.damaged.isEmpty {
      var files = Shelf()
      files.take(source(), of: folder)
      for (app, reason) in newest.damaged { refuse(app, reason, above: files.filed[app]?.definition.hash) }
    }
    catalog.replace(with: shelf)
    notes.withLock { notes in
      notes.source = source
      notes.folder = folder
      notes.newest = Dictionary(newest.intact.map { ($0.app, $0) }) { _, last in last }
    }
    run(.read(.start))
  }

  /// Returns the definition of an edition. Throws if the definition is missing, cannot be read, or belongs to another app. Blocks until the
  /// store has replied.
  func definition(of edition: Edition) throws(StoreFault) -> PinnedDefinition {
    guard let definition: PinnedDefinition = try answer({ store.releases.definition(edition.definition, reply: $0) }) else {
      throw .storage("the definition \(edition.definition) is missing from the journal")
    }
    guard definition.definition.app == edition.app else {
      throw .storage("the definition \(edition.definition) belongs to another app, \(definition.definition.app)")
    }
    return definition
  }

  /// Refuses to create sessions of an app until the app has a readable definition again. Logs the reason unless it is already known.
  func refuse(_ app: String, _ reason: String, above: String? = nil) {
    let known = notes.withLock { $0.refused.updateValue(Refusal(reason: reason, above: above), forKey: app) }
    guard known?.reason != reason else { return }
    log.error(
      "the newest definition of an app cannot be read, so no session of the app can be created; put the definition again",
      metadata: ["app": "\(app)", "reason": "\(reason)"])
  }

  /// The apps whose newest definition cannot be read, sorted. Can be called on any thread.
  package var refused: [String] { notes.withLock { $0.refused.keys.sorted() } }

  /// Whether the newest definition of an app cannot be read, so that no session of the app can be created. Can be called on any thread.
  func isRefused(_ app: String) -> Bool { notes.withLock { $0.refused[app] != nil } }

  /// Reads the folder again, or the definitions that other nodes have published, on the job thread. Does nothing if a queued reading of the
  /// folder makes another reading unnecessary.
  package func read(_ trigger: Trigger) {
    if store.isShared { return refresh { _ in } }
    if offer(.read(trigger)) != nil {
      log.error("the definitions were not read: no thread could be started, or the service is shutting down")
    }
  }

  /// Checks, stores and serves a definition on the job thread, then calls the put's `reply`. If too many jobs wait or the service is
  /// stopping, calls `reply` with a fault at once.
  func put(_ put: PutDefinition) {
    if let fault = offer(.put(put)) { put.reply(.failure(Rejection(fault))) }
  }

  /// Rejects new jobs, and blocks until the accepted jobs have ended.
  package func stop() {
    contents.change { $0.isOpen = false }
    wait()
  }

  /// Blocks until the accepted jobs have ended.
  func wait() { let _: Void? = contents.wait { $0.isRunning ? nil : () } }

  func offer(_ job: Job) -> StoreFault? {
    let (fault, isFirst) = contents.withLock { contents -> (StoreFault?, Bool) in
      guard contents.isOpen else { return (.stopping, false) }
      switch job {
      case .read(let trigger): if contents.jobs.contains(where: { $0.reads(for: trigger) }) { return (nil, false) }
      case .put: guard contents.jobs.count < Self.most else { return (.queueFull, false) }
      case .adopt: break
      }
      contents.jobs.append(job)
      defer { contents.isRunning = true }
      return (nil, !contents.isRunning)
    }
    guard isFirst else { return fault }
    do {
      _ = try NamedThread("cairn-apps") { [self] in while let job = next() { run(job) } }
      return nil
    } catch {
      contents.change { contents in
        contents.isRunning = false
        contents.jobs = []
      }
      return .queueFull
    }
  }

  /// Returns the next job. If no job waits, returns `nil` and the thread ends; the next job starts another thread.
  private func next() -> Job? {
    contents.change { contents in
      contents.isRunning = !contents.jobs.isEmpty
      return contents.jobs.popFirst()
    }
  }

  private func run(_ job: Job) {
    switch job {
    case .read(let trigger): readFolder(trigger)
    case .adopt(let reply):
      do throws(StoreFault) {
        try adoptAll()
        reply(nil)
      } catch {
        reply(error)
      }
    case .put(let put): put.reply(Result { () throws(Rejection) in try publish(put) })
    }
  }

  /// Blocks until the store has called the function that `ask` passes to it, and returns the result.
  func answer<Answer: Sendable>(
    _ ask: (@escaping @Sendable (Result<Answer, StoreFault>) -> Void) -> Void
  ) throws(StoreFault) -> Answer {
    let answer = Monitor<Result<Answer, StoreFault>?>(nil)
    ask { result in answer.change { $0 = result } }
    // `wait` without a deadline always returns a result.
    return try (answer.wait { $0 } ?? .failure(.stopping)).get()
  }
}

extension Publisher.Job {
  /// Whether this job is a reading that makes another reading for `trigger` unnecessary.
  fileprivate func reads(for trigger: Publisher.Trigger) -> Bool {
    if case .read(let own) = self { own == trigger || own == .signal } else { false }
  }
}
