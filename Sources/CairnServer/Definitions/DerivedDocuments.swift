import CairnAPI
import CairnCore
import CairnHTTP
import CairnRuntime
import CairnStore
import Crypto

/// A cache of the documents that are computed from definitions. Each document is computed once, on a thread that exists only while there is work, and
/// kept until the cache is full. Requests for a document that is being computed wait for it together. Any thread.
final class DerivedDocuments: Sendable {
  /// An encoded document.
  struct Written: Sendable {
    let bytes: [UInt8]
    /// The entity tag: a hash of the bytes.
    let tag: String

    fileprivate init(_ bytes: [UInt8]) {
      self.bytes = bytes
      tag = String(Hexadecimal.text(of: SHA256.hash(data: bytes)).prefix(32))
    }
  }

  /// Called once: on the caller's thread if the document is cached, otherwise on the thread that computes it.
  typealias Reply = @Sendable (Result<Written, Rejection>) -> Void

  private struct Key: Hashable {
    /// `nil` for the service's own OpenAPI document.
    var document: DerivedDocument?
    var hash: String
    var isPretty: Bool
  }

  private struct Job: Sendable {
    var key: Key
    var make: @Sendable () throws(UnwritableNumber) -> [UInt8]
  }

  private struct Contents {
    var kept: RecentlyUsed<Key, Written>
    /// The waiting requests for each document that is queued or being computed.
    var waiting: [Key: [Reply]] = [:]
    /// The queued jobs in order of arrival, from `next` on.
    var queue: [Job] = []
    var next = 0
    var isRunning = false
    var computed = 0
  }

  private let version: String
  /// The maximum number of queued documents.
  private let capacity: Int
  private let contents: Lock<Contents>

  /// `limit` is the maximum size of all cached documents in bytes; the newest one is always kept.
  init(version: String, limit: Int = 32 << 20, capacity: Int = 64) {
    self.version = version
    self.capacity = capacity
    contents = Lock(Contents(kept: RecentlyUsed(limit: limit)))
  }

  /// The number of documents computed since the start.
  var computed: Int { contents.withLock { $0.computed } }

  /// The size of the cached documents in bytes.
  var weight: Int { contents.withLock { $0.kept.weight } }

  /// Passes a definition's document to `reply`.
  func get(_ document: DerivedDocument, of pinned: PinnedDefinition, pretty: Bool = false, _ reply: @escaping Reply) {
    let key = Key(document: document, hash: pinned.hash, isPretty: pretty)
    find(Job(key: key) { [version] () throws(UnwritableNumber) in try document.bytes(of: pinned, version: version, pretty: pretty) }, reply)
  }

  /// Passes the service's own OpenAPI document to `reply`.
  func getGeneral(pretty: Bool, _ reply: @escaping Reply) {
    find(
      Job(key: Key(document: nil, hash: "", isPretty: pretty)) { [version] () throws(UnwritableNumber) in
        try JSONText.bytes(Document(version: version).value, pretty: pretty)
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

  /// The next job; `nil` if there is none, and the next request starts a thread.
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
    do throws(UnwritableNumber) {
      result = .success(Written(try job.make()))
    } catch {
      result = .failure(Rejection(.internal, "the document holds a number that JSON cannot represent"))
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

  /// Rejects all waiting requests, because the thread could not be started.
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
