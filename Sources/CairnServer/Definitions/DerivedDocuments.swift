import CairnCrypto
import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnRuntime
import CairnStore

/// Computes and caches the documents of definitions. One document is computed at a time, on a thread that exists only while documents wait.
/// The size of the cache in bytes is limited. Requests for the same document share one computation. Thread-safe.
final class DerivedDocuments: Sendable {
  /// A document that is encoded as bytes.
  struct Written: Sendable {
    let bytes: [UInt8]
    /// The entity tag: 32 hexadecimal digits of the bytes' SHA-256.
    let tag: String

    fileprivate init(_ bytes: [UInt8]) {
      self.bytes = bytes
      tag = String(Hexadecimal.text(of: SHA256.hash(bytes)).prefix(32))
    }
  }

  /// Called once: on the thread that computes the document, or on the calling thread if the document is cached, the queue is full, or no
  /// thread can be started.
  typealias Reply = @Sendable (Result<Written, Rejection>) -> Void

  private struct Key: Hashable {
    /// The kind of document; `nil` for the service's general OpenAPI document.
    var document: DerivedDocument?
    var hash: String
    var isPretty: Bool
  }

  private struct Job: Sendable {
    var key: Key
    var make: @Sendable () throws(DerivedDocument.Fault) -> [UInt8]
  }

  private struct Contents {
    var kept: RecentlyUsed<Key, Written>
    /// The waiting requests for each document that is queued or being computed.
    var waiting: [Key: [Reply]] = [:]
    /// The jobs in order of arrival. Jobs before the index `next` have already been started.
    var queue: [Job] = []
    var next = 0
    var isRunning = false
    var computed = 0
  }

  private let version: String
  private let commit: String?
  /// The largest number of documents that wait to be computed.
  private let capacity: Int
  private let contents: Lock<Contents>

  /// Creates the cache. The OpenAPI documents contain the `version` of the service and the `commit` of its build. `limit` is the maximum
  /// total size of the cached documents, in bytes. The newest document is always cached, even if it is larger.
  init(version: String, commit: String? = nil, limit: Int = 32 << 20, capacity: Int = 64) {
    self.version = version
    self.commit = commit
    self.capacity = capacity
    contents = Lock(Contents(kept: RecentlyUsed(limit: limit)))
  }

  /// The number of documents computed since the start.
  var computed: Int { contents.withLock { $0.computed } }

  /// The size of the cached documents, in bytes.
  var weight: Int { contents.withLock { $0.kept.weight } }

  /// Calls `reply` with a document of a definition.
  func get(_ document: DerivedDocument, of pinned: PinnedDefinition, pretty: Bool = false, _ reply: @escaping Reply) {
    let key = Key(document: document, hash: pinned.hash, isPretty: pretty)
    find(
      Job(key: key) { [version, commit] () throws(DerivedDocument.Fault) in
        try document.bytes(of: pinned, version: version, commit: commit, pretty: pretty)
      }, reply)
  }

  /// Calls `reply` with the service's general OpenAPI document.
  func getGeneral(pretty: Bool, _ reply: @escaping Reply) {
    find(
      Job(key: Key(document: nil, hash: "", isPretty: pretty)) { [version, commit] () throws(DerivedDocument.Fault) in
        do { return try JSONText.bytes(Document(version: version, commit: commit).value, pretty: pretty) } catch { throw .unwritable }
      }, reply)
  }

  private enum Finding {
    case kept(Written)
    case waits(isFirst: Bool)
    case full
  }

  private func find(_ job: Job, _ reply: @escaping Reply) {
    let finding = contents.withLock { contents -> Finding in
      if let written = contents.kept[job.key] { return .kept(written) }
      guard contents.waiting[job.key] != nil || contents.queue.count - contents.next < capacity else { return .full }
      if contents.waiting[job.key] == nil { contents.queue.append(job) }
      contents.waiting[job.key, default: []].append(reply)
      defer { contents.isRunning = true }
      return .waits(isFirst: !contents.isRunning)
    }
    switch finding {
    case .kept(let written): reply(.success(written))
    case .full: reply(.failure(Rejection(StoreFault.queueFull)))
    case .waits(isFirst: false): break
    case .waits(isFirst: true):
      do {
        _ = try NamedThread("cairn-documents") { [self] in while let job = nextJob() { run(job) } }
      } catch {
        giveUp()
      }
    }
  }

  /// Returns the next job. If no job waits, returns `nil` and the thread ends; the next request starts another thread.
  private func nextJob() -> Job? {
    contents.withLock { contents in
      guard contents.next < contents.queue.count else {
        contents.queue = []
        contents.next = 0
        contents.isRunning = false
        return nil
      }
      contents.next += 1
      return contents.queue[contents.next - 1]
    }
  }

  private func run(_ job: Job) {
    let result: Result<Written, Rejection>
    do throws(DerivedDocument.Fault) {
      result = .success(Written(try job.make()))
    } catch {
      switch error {
      case .tooLarge(let limit):
        result = .failure(
          Rejection(.documentTooLarge, "the document generated from this definition would be larger than \(limit >> 20) MiB"))
      case .unwritable:
        result = .failure(Rejection(.internal, "the document contains a number that JSON cannot represent"))
      }
    }
    let replies = contents.withLock { contents in
      contents.computed += 1
      if job.key.document?.isKept ?? true, case .success(let written) = result {
        contents.kept.keep(written, for: job.key, weight: written.bytes.count)
      }
      return contents.waiting.removeValue(forKey: job.key) ?? []
    }
    for reply in replies { reply(result) }
  }

  /// Rejects all waiting requests because the thread could not be started.
  private func giveUp() {
    let replies = contents.withLock { contents in
      defer {
        contents.waiting = [:]
        contents.queue = []
        contents.next = 0
        contents.isRunning = false
      }
      return contents.waiting.values.flatMap(\.self)
    }
    for reply in replies { reply(.failure(Rejection(StoreFault.queueFull))) }
  }
}
