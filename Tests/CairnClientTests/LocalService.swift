import CairnClient
import CairnDefinition
import CairnHTTP
import CairnJournal
import CairnRuntime
import CairnServer
import CairnStore
import CairnTesting
import Foundation
import Logging

/// The service on a free port of loopback, with a journal in memory and some of the shipped apps.
final class LocalService: Sendable {
  static let operatorKey = "the-operators-key"

  let store: Store
  let server: Server
  private let isOpen = Monitor(true)
  /// A closure for each held request with numbered actions, which performs the request; `nil` if such requests are not held.
  private let held = Lock<[@Sendable () -> Void]?>(nil)
  /// A closure for each held request, which responds with 503 instead of performing the request.
  private let lost = Lock<[@Sendable () -> Void]>([])
  /// The number of the next requests with numbered actions that get 503.
  private let busy = Lock(0)
  /// Whether requests for streams get 503.
  private let refusesStreams = Lock(false)
  /// An element for each request with numbered actions that is held.
  let arrivals: AsyncStream<Void>

  /// `predictable` lists the apps that clients predict. `others` are the definitions of further apps.
  init(predictable: String = "", clock: any CairnStore.Clock = SystemClock(), others: [String] = []) throws {
    var logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    logger.logLevel = .critical
    store = Store(
      journal: MemoryJournal(), outbound: StubOutbound(), clock: clock,
      definitions: { PinnedDefinition(try DefinitionLoader.load(canonical: $0)) }, migrations: MigrationReading.migrator,
      limits: StoreLimits(), nonce: { "a-nonce" })
    try store.start()
    var settings = Settings(
      operators: OperatorKeys([OperatorKey(name: "operator", key: Self.operatorKey)]), creation: .anyone, sessionTTL: nil, version: "1",
      environment: { _ in nil })
    settings.predictable = PredictableApps(predictable) ?? PredictableApps()
    let files = try ["shop", "qiita", "rxflow-demo"].map {
      try String(contentsOf: Drive.apps.appending(path: "\($0).yaml"), encoding: .utf8)
    }
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    self.arrivals = arrivals
    let catalog = Catalog(try (files + others).map { PinnedDefinition(try DefinitionLoader.load(file: "test", text: $0)) })
    let service = CairnServer.Service(store: store, catalog: catalog, settings: settings, log: logger)
    server = try Server(
      host: "127.0.0.1", port: 0, fault: { service.response(to: $0, $1) },
      handler: { [isOpen, held, lost, busy, refusesStreams] request, responder in
        _ = isOpen.wait(until: TestTimeout.deadline) { $0 ? true : nil }
        let isNumbered = String(decoding: request.body, as: UTF8.self).contains(#""client":"#)
        if refusesStreams.withLock({ $0 }), request.target.contains("/events") {
          return .now(Response(status: 503, headers: ["Retry-After": "1"]))
        }
        let isBusy =
          isNumbered
          && busy.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
          }
        if isBusy { return .now(Response(status: 503, headers: ["Retry-After": "1"])) }
        // A held request does not block the handler's thread, which serves other connections too.
        let isHeld = held.withLock { held -> Bool in
          guard held != nil, isNumbered else { return false }
          held?.append { if case .now(let response) = service.handle(request, responder) { responder.send(response) } }
          return true
        }
        if isHeld {
          lost.withLock { $0.append { responder.send(Response(status: 503, headers: ["Retry-After": "1"])) } }
          arrival.yield()
        }
        return isHeld ? .later : service.handle(request, responder)
      })
  }

  /// Holds all responses while `work` runs.
  func withoutAnswers<Result>(_ work: () -> Result) -> Result {
    isOpen.change { $0 = false }
    defer { isOpen.change { $0 = true } }
    return work()
  }

  /// Responds with 503 to the next `count` requests with numbered actions.
  func beBusy(_ count: Int) { busy.withLock { $0 = count } }

  /// Refuses streams, or accepts them again.
  func refuseStreams(_ isRefusing: Bool) { refusesStreams.withLock { $0 = isRefusing } }

  /// Holds numbered actions until `release` or `lose`.
  func holdNumbered() { held.withLock { $0 = [] } }

  /// Responds to the held requests with 503 instead of performing their actions, and stops holding requests.
  func lose() {
    let requests = lost.withLock { lost -> [@Sendable () -> Void] in
      defer { lost = [] }
      return lost
    }
    held.withLock { $0 = nil }
    for answer in requests { answer() }
  }

  /// Performs the numbered actions that were held, and stops holding requests.
  func release() {
    let requests = held.withLock { held -> [@Sendable () -> Void] in
      defer { held = nil }
      return held ?? []
    }
    lost.withLock { $0 = [] }
    for perform in requests { perform() }
  }

  deinit {
    server.stop()
    store.stop()
  }

  /// The address of the service.
  var url: URL? { URL(string: "http://127.0.0.1:\(server.port)") }

  /// Creates a client. `key` is an operator key.
  func client(key: String? = nil) throws -> CairnClient {
    guard let url else { throw NeverCame() }
    return CairnClient(url: url, key: key)
  }
}
