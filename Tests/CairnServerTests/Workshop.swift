import CairnCore
import CairnDefinition
import CairnHTTP
import CairnJournal
import CairnRuntime
import CairnServer
import CairnStore
import CairnTesting
import Foundation
import Logging
import Testing

/// The complete service on a free port, with a journal in memory. With `CAIRN_TEST_BACKEND=postgres` there are two nodes on one PostgreSQL database,
/// and requests go to them in turn.
final class Workshop: Sendable {
  static let operatorKey = "the-operators-key"
  /// An empty WebAssembly module, served in place of the engine.
  static let module: [UInt8] = [0, 0x61, 0x73, 0x6D, 1, 0, 0, 0]
  /// A text in place of the same module compressed with brotli.
  static let compressedModule = "compressed"
  /// The engine that is served.
  static let engine = EngineFile(module: module, compressed: Array(compressedModule.utf8))!

  /// The journal, unless nodes share one.
  let journal = MemoryJournal()
  let outbound = StubOutbound()
  let log = Lines()
  let store: Store
  let service: CairnServer.Service
  let server: Server
  let operators: OperatorKeys

  /// The server of the admin port.
  let admin: Server

  /// The second node.
  private let other: (store: Store, server: Server, service: CairnServer.Service)?
  private let turns = Lock(0)

  /// The port for the next connection.
  var port: Int {
    guard let other else { return server.port }
    return turns.withLock { turns in
      turns += 1
      return turns % 2 == 0 ? server.port : other.server.port
    }
  }

  /// Starts the service. The `proxies` of the limits are exempt from the connection limit of the HTTP server too.
  init(
    creation: Settings.Creators = .anyone, environment: [String: String] = [:], queue: Int = 4_096, operators: [OperatorKey]? = nil,
    limits rates: RateLimits = RateLimits(), connectionsPerAddress: Int = 256, hasAdminPort: Bool = false,
    origins: AllowedOrigins = AllowedOrigins(), sessionTTL: Int? = nil, hasConsole: Bool = true,
    clock: any CairnStore.Clock = SystemClock(), streamsPerSession: Int = 64, cache: Int = 300 << 20, isWritable: Bool = true,
    sessionFile: Int = 1 << 20, predictable: PredictableApps = PredictableApps("lab") ?? PredictableApps(),
    engine: EngineFile? = Workshop.engine, definitions: DefinitionLimits = DefinitionLimits()
  ) throws {
    let logger = Self.logger(log)
    let outbound = outbound
    let journals = try Backend.journals()
    func makeStore(_ journal: any Journal) throws -> Store {
      let store = Store(
        journal: journal, outbound: outbound, clock: clock,
        definitions: { PinnedDefinition(stored: try DefinitionLoader.load(canonical: $0)) }, migrations: MigrationReading.migrator,
        limits: StoreLimits(queue: queue, cache: cache, sessionTTL: sessionTTL), nonce: Identity.nonce)
      try store.start()
      return store
    }
    store = try makeStore(journals?.0 ?? journal)
    let operators = OperatorKeys(operators ?? [OperatorKey(name: "operator", key: Self.operatorKey)])
    var settings = Settings(
      operators: operators, creation: creation, sessionTTL: sessionTTL, version: "1.2.3", environment: { environment[$0] })
    settings.limits = rates
    settings.hasAdminPort = hasAdminPort
    settings.streamsPerSession = streamsPerSession
    settings.hasConsole = hasConsole
    settings.origins = origins
    settings.isWritable = isWritable
    settings.definitions = definitions
    settings.sessionFile = sessionFile
    settings.predictable = predictable
    settings.engine = engine
    self.operators = operators
    var limits = Limits()
    limits.body = 64 << 10
    limits.connectionsPerAddress = connectionsPerAddress
    // These timeouts are too long to be reached, even on a busy machine.
    let long = Duration.seconds(600)
    (limits.idle, limits.head, limits.upload, limits.download) = (long, long, long, long)
    limits.isExempt = { rates.proxies.contains($0) }
    func makeServer(_ service: CairnServer.Service) throws -> Server {
      var limits = limits
      limits.longBody = settings.sessionFile
      limits.allowsLongBody = { service.allowsLongBody($0) }
      // Every address of 127.0.0.0/8 can connect, so that a test can use many client addresses.
      let server = try Server(
        host: "127.0.0.1", port: 0, limits: limits, fault: { service.response(to: $0, $1) },
        refused: { service.connectionRefused($0) }, handler: { service.handle($0, $1) })
      service.report { [weak server] in server?.counts }
      return server
    }
    let service = Service(store: store, catalog: try Self.catalog(), settings: settings, log: logger)
    server = try makeServer(service)
    admin = try Server(host: "127.0.0.1", port: 0, fault: { service.response(to: $0, $1) }, handler: { service.administer($0, $1) })
    self.service = service
    other = try journals.map { journals in
      let store = try makeStore(journals.1)
      let service = Service(store: store, catalog: try Self.catalog(), settings: settings, log: logger)
      return (store, try makeServer(service), service)
    }
  }

  /// Waits until no node has a request in progress. Returns whether this happened in time.
  func drain() -> Bool { ([service] + (other.map { [$0.service] } ?? [])).allSatisfy { $0.drain(within: TestTimeout.duration) } }

  /// A logger that writes to `log`.
  static func logger(_ log: Lines) -> Logger {
    var logger = Logger(label: "test") { _ in log }
    logger.logLevel = .info
    return logger
  }

  deinit {
    server.stop()
    admin.stop()
    other?.server.stop()
    store.stop()
    other?.store.stop()
  }

  /// The shipped apps and two apps of this file.
  private static func catalog() throws -> Catalog {
    let apps = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/apps")
    let files = try ["qiita", "shop"].map { try String(contentsOf: apps.appending(path: "\($0).yaml"), encoding: .utf8) }
    return Catalog(try (files + [lab, tablet]).map { PinnedDefinition(try DefinitionLoader.check(file: "test", text: $0)) })
  }

  static let lab = """
    app: lab
    language: 1
    root: { flow: main, start: begin }
    facts:
      count: { type: integer, default: 0 }
      city: { type: string, env: LAB_CITY, shown: true }
    screens:
      first: { emits: { go: { n: integer }, tick: } }
      second: { params: { n: integer }, emits: [go, tick] }
      long: { params: { text: string }, emits: [go, tick] }
      anything: { params: { value: any }, emits: [go, tick] }
    flows:
      main:
        stack: []
        handle:
          begin: { set: [first] }
          go: { push: second, with: { n: $n } }
          tick: { timer: { after: 10s, send: late, name: clock } }
          late: { push: second, with: { n: 7 } }
    links:
      - { scheme: lab, path: "/go/{n}", send: go }
    notifications:
      id: [apns-id, /gcm.message_id]
      values: { n: /n }
      take:
        - { category: go, how: [foreground, { action: open }], send: go }
    """

  /// An app whose clients report the width of the display.
  private static let tablet = """
    app: tablet
    language: 1
    root: { flow: main }
    facts:
      isWide: { type: boolean, default: false, by: client }
      plan: string
    screens: { list: {}, empty: {} }
    flows:
      main:
        split: { master: [list], detail: empty }
        collapse: { fact: isWide, is: false }
    """

  /// Sends one request. `body` is sent unchanged, declared as JSON unless `type` names another type.
  func send(
    _ method: String, _ target: String, _ body: String? = nil, as secret: String? = nil, type: String? = "application/json",
    headers: [(String, String)] = [], from address: String = "127.0.0.1"
  ) throws -> Reply {
    var all = headers
    if let secret { all.append(("Authorization", "Bearer \(secret)")) }
    if body != nil, let type { all.append(("Content-Type", type)) }
    let reply = try Wire.send(port, method, target, headers: all, body: body.map { Array($0.utf8) }, from: address)
    for fault in Contract.faults(method, target, reply) { Issue.record("\(method) \(target) is answered otherwise than said: \(fault)") }
    return reply
  }

  /// The sum of a metric without labels over all nodes.
  func total(_ metric: String) throws -> Int {
    try ([server.port] + (other.map { [$0.server.port] } ?? [])).reduce(0) { sum, port in
      let line = try Wire.send(port, "GET", "/metrics").text.split(separator: "\n").first { $0.hasPrefix("\(metric) ") }
      return sum + (try #require(line?.split(separator: " ").last.flatMap { Int($0) }))
    }
  }

  /// Creates a session. `more` contains further members of the body, each with a leading comma.
  func session(_ app: String, _ more: String = "", as secret: String? = nil) throws -> Driven {
    let reply = try send("POST", "/v1/sessions", #"{"app":"\#(app)"\#(more)}"#, as: secret)
    guard reply.status == 201, case .string(let id)? = reply["id"], case .string(let secret)? = reply["secret"] else {
      throw NoSession(reply: reply)
    }
    return Driven(workshop: self, id: id, secret: secret, created: reply)
  }

  /// Publishes a definition in YAML, and creates a session of it.
  func session(_ app: String, of definition: String) throws -> Driven {
    let put = try send("PUT", "/v1/apps/\(app)", definition, as: Self.operatorKey, type: "application/yaml")
    guard (200..<300).contains(put.status) else { throw NoSession(reply: put) }
    return try session(app)
  }

  struct NoSession: Error { let reply: Reply }
}

/// A session with the methods of a client.
struct Driven: Sendable {
  let workshop: Workshop
  let id: String
  let secret: String
  let created: Reply

  func get(_ rest: String = "", headers: [(String, String)] = []) throws -> Reply {
    try workshop.send("GET", "/v1/sessions/\(id)\(rest)", as: secret, headers: headers)
  }

  func post(_ rest: String, _ body: String, as other: String? = nil, type: String? = "application/json", headers: [(String, String)] = [])
    throws
    -> Reply
  {
    try workshop.send("POST", "/v1/sessions/\(id)/\(rest)", body, as: other ?? secret, type: type, headers: headers)
  }

  func act(_ body: String, as other: String? = nil, headers: [(String, String)] = []) throws -> Reply {
    try post("actions", body, as: other, headers: headers)
  }
}

/// Collects the log lines as they would be written. Safe on any thread.
final class Lines: LogHandler, Sendable {
  private let lines = Lock<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  var logLevel: Logger.Level {
    get { .info }
    set { _ = newValue }
  }

  var metadata: Logger.Metadata {
    get { [:] }
    set { _ = newValue }
  }

  subscript(metadataKey _: String) -> Logger.Metadata.Value? {
    get { nil }
    set { _ = newValue }
  }

  func log(event: LogEvent) {
    let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    lines.withLock { $0.append("\(event.level) \(event.message) \(fields.joined(separator: " "))") }
  }
}
