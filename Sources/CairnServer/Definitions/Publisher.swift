import CairnCore
import CairnRuntime
package import CairnStore
import DequeModule
import Logging

/// Loads definitions into the catalog: those of the folder, and those that operators put. One job runs at a time, on a thread that exists only
/// while there are jobs. Requests never wait for files and never see a part of a change. Thread-safe.
package final class Publisher: Sendable {
  /// The reason why the folder is read.
  package enum Trigger: Sendable { case start, change, signal }

  enum Job: Sendable {
    case read(Trigger)
    case put(PutDefinition)
    /// Serves what other nodes have published.
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
    /// The newest editions in the journal that this version of the program cannot read, by app.
    var refused: [String: Edition] = [:]
    /// The versions of the files whose errors and warnings have been logged, by file name.
    var reported: [String: Int] = [:]
  }

  let catalog: Catalog
  let store: Store
  let settings: Settings
  let log: Logger
  let notes = Lock(Notes())
  let contents = Monitor(Contents())

  /// The largest number of waiting jobs at which a put is accepted.
  private static let most = 16

  init(_ catalog: Catalog, _ store: Store, _ settings: Settings, _ log: Logger) {
    self.catalog = catalog
    self.store = store
    self.settings = settings
    self.log = log
  }

  /// Serves the folder's definitions and those that operators have put earlier. Runs on the calling thread, before the service accepts
  /// requests. `source` reads the folder, now and at each later reading.
  package func begin(_ folder: String, _ source: @escaping @Sendable () -> FolderReading) throws(StoreFault) {
    let newest: [Edition] = try answer { store.editions(reply: $0) }
    var shelf = catalog.shelf
    for edition in newest where edition.author != nil {
      do throws(StoreFault) {
        let definition: PinnedDefinition? = try answer { store.definition(edition.definition, reply: $0) }
        if let definition { shelf.put(edition, definition) }
      } catch {
        // The folder's definition is served instead, if it has one. Other apps are not affected.
        log.error("a published definition cannot be read", metadata: ["app": "\(edition.app)", "reason": "\(error)"])
      }
    }
    catalog.replace(with: shelf)
    notes.withLock { notes in
      notes.source = source
      notes.folder = folder
      notes.newest = Dictionary(newest.map { ($0.app, $0) }) { _, last in last }
    }
    run(.read(.start))
  }

  /// Reads the folder again, or what other nodes have published, on the thread of jobs. Does nothing if a queued reading already covers this one.
  package func read(_ trigger: Trigger) {
    if store.isShared { return refresh { _ in } }
    if offer(.read(trigger)) != nil { log.error("definitions not read: the thread for it has no capacity") }
  }

  /// Checks, stores and serves a definition on the thread of jobs, then calls the put's `reply`.
  func put(_ put: PutDefinition) {
    if let fault = offer(.put(put)) { put.reply(.failure(Rejection(fault))) }
  }

  /// Rejects further jobs, and returns when the accepted ones have ended.
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

  /// The next job. If there is none, returns `nil` and the thread ends; the next job starts another thread.
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
