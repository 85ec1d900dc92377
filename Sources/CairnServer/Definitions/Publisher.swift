import CairnCore
import CairnRuntime
package import CairnStore
import DequeModule
import Logging

/// Updates the definitions in the catalog: those of the folder, and those that operators put. Jobs run one after the other on a thread that exists
/// only while there are jobs. No request waits for a file or sees a partial change. Any thread.
package final class Publisher: Sendable {
  /// The reason for reading the folder.
  package enum Occasion: Sendable { case start, change, signal }

  enum Job: Sendable {
    case read(Occasion)
    case put(PutDefinition)
  }

  private struct Contents {
    var jobs: Deque<Job> = []
    var isRunning = false
    var isOpen = true
  }

  /// The state of the thread that runs jobs.
  struct Notes: Sendable {
    var source: @Sendable () -> FolderReading = { FolderReading(fault: "there is no folder") }
    var folder = ""
    /// The newest edition of each app in the journal.
    var newest: [String: Edition] = [:]
    /// The hashes of files' texts whose errors and warnings have been logged.
    var told: [String: Int] = [:]
  }

  let catalog: Catalog
  let store: Store
  let settings: Settings
  let log: Logger
  let notes = Lock(Notes())
  private let contents = Monitor(Contents())

  /// The maximum number of waiting jobs when a definition is put.
  private static let most = 16

  init(_ catalog: Catalog, _ store: Store, _ settings: Settings, _ log: Logger) {
    self.catalog = catalog
    self.store = store
    self.settings = settings
    self.log = log
  }

  /// Serves the folder's definitions and those that were put over them, on the calling thread, before the first request. `source` reads the folder,
  /// now and at every later reading.
  package func begin(_ folder: String, _ source: @escaping @Sendable () -> FolderReading) throws(StoreFault) {
    let newest: [Edition] = try answer { store.editions(reply: $0) }
    var shelf = catalog.shelf
    for edition in newest where edition.author != nil {
      do throws(StoreFault) {
        let definition: PinnedDefinition? = try answer { store.definition(edition.definition, reply: $0) }
        if let definition { shelf.put(edition, definition) }
      } catch {
        // The app keeps the folder's definition if there is one. All other apps are served.
        log.error("a definition that was put cannot be read", metadata: ["app": "\(edition.app)", "reason": "\(error)"])
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

  /// Queues a reading of the folder. Calls before the reading begins are combined.
  package func read(_ occasion: Occasion) {
    if offer(.read(occasion)) != nil { log.error("definitions not read, there is no thread for it") }
  }

  /// Queues a definition to be checked, stored and served.
  func put(_ put: PutDefinition) {
    if let fault = offer(.put(put)) { put.reply(.failure(Rejection(fault))) }
  }

  /// Rejects new jobs, and returns when the queued ones are done.
  package func stop() {
    contents.change { $0.isOpen = false }
    wait()
  }

  /// Blocks until the queued jobs are done.
  func wait() { let _: Void? = contents.wait { $0.isRunning ? nil : () } }

  private func offer(_ job: Job) -> StoreFault? {
    let (fault, isFirst) = contents.withLock { contents -> (StoreFault?, Bool) in
      guard contents.isOpen else { return (.stopping, false) }
      switch job {
      case .read(let occasion): if contents.jobs.contains(where: { $0.reads(for: occasion) }) { return (nil, false) }
      case .put: guard contents.jobs.count < Self.most else { return (.queueFull, false) }
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

  /// The next job; `nil` if there is none. The thread then ends, and the next job starts another one.
  private func next() -> Job? {
    contents.change { contents in
      contents.isRunning = !contents.jobs.isEmpty
      return contents.jobs.popFirst()
    }
  }

  private func run(_ job: Job) {
    switch job {
    case .read(let occasion): readFolder(occasion)
    case .put(let put): put.reply(Result { () throws(Rejection) in try publish(put) })
    }
  }

  /// Blocks until the store has replied.
  func answer<Answer: Sendable>(
    _ ask: (@escaping @Sendable (Result<Answer, StoreFault>) -> Void) -> Void
  ) throws(StoreFault) -> Answer {
    let answer = Monitor<Result<Answer, StoreFault>?>(nil)
    ask { result in answer.change { $0 = result } }
    // Without a deadline the monitor always returns a value.
    return try (answer.wait { $0 } ?? .failure(.stopping)).get()
  }
}

extension Publisher.Job {
  /// Whether the job is a reading that makes another one for this reason unnecessary.
  fileprivate func reads(for occasion: Publisher.Occasion) -> Bool {
    if case .read(let own) = self { own == occasion || own == .signal } else { false }
  }
}
