import CairnCore
import CairnDefinition
import CairnHTTP
import CairnJournal
import CairnOutbound
import CairnRuntime
import CairnSQLite
import CairnServer
import CairnStore
import Foundation
import Glibc
import Logging

/// Starts all parts of the service in order: definitions, journal, store, server. Stops them after a signal.
struct Assembly {
  private let store: Store
  private let service: Service
  private let server: Server
  /// The server for operators on a separate port; `nil` if no such port is configured.
  private let admin: Server?
  private let watch: FolderWatch?
  private let calls: HTTPOutbound
  private let operators: OperatorKeys
  private let configuration: Configuration
  private let log: Logger
  private let app: String
  private let manager: ServiceManager?
  private let logFile: LogFile?

  /// The maximum time for which a stop waits for running requests. Container runtimes kill a process 10 s after the signal to stop.
  private static let patience = Duration.seconds(8)

  /// Creates the service. `lines` receives the log lines. The caller closes it, even if this initializer throws. `logFile` is the file to
  /// which the lines are written; `nil` for stderr.
  init(
    _ configuration: Configuration, environment: [String: String], lines: LogQueue, logFile: LogFile? = nil
  ) throws(StartFailure) {
    let log = Self.logger(configuration, lines)
    let variable = Setting.forDefinitions(environment)

    let folder = configuration.usesPostgres ? nil : AppFolderSource(configuration.apps, configuration.service.definitions, variable)
    let definitions = try folder?.load() ?? []
    try folder?.check(definitions)
    for text in UnknownVariables(in: environment, named: definitions.flatMap(\.definition.variables)).texts {
      log.warning("environment", metadata: ["warning": "\(text)"])
    }
    let engine = try configuration.engine.map { folder throws(StartFailure) in try EngineFolder.read(folder) }
    let operators = OperatorKeys(try Self.keys(configuration))
    if configuration.service.creation == .operatorOnly, operators.isEmpty {
      log.warning("no session can be created: creation is `operator`, and no operator key is set; set CAIRN_OPERATOR_KEY")
    }

    var configuration = configuration
    let descriptors = DescriptorBudget(configuration, raising: true)
    if let warning = descriptors.warning { log.warning("descriptors", metadata: ["warning": "\(warning)"]) }
    configuration.http.connections = descriptors.connections
    calls = HTTPOutbound(limit: configuration.maxResponse, secret: variable)
    let outbound = OutboundTally(calls)
    let store = try Self.store(configuration, outbound, variable, log)
    let catalog = Catalog()
    var settings = configuration.service
    settings.operators = operators
    settings.engine = engine
    settings.environment = variable
    settings.playScenario = { [bounds = configuration.store.bounds] (scenario, definition, time) throws(ScenarioEnd.Fault) in
      try ScenarioPlaying.end(of: scenario, definition, at: time, bounds: bounds)
    }
    (settings.version, settings.commit) = (Version.text, Version.commit)
    settings.figures = { [outbound.metric] + ProcessFigures.metrics() }
    let service = Service(store: store, catalog: catalog, settings: settings, log: log, requests: lines)
    do throws(StoreFault) {
      if let folder {
        try service.publisher.begin(configuration.apps) { folder.read() }
      } else {
        try service.publisher.beginShared()
      }
    } catch {
      store.stop()
      throw .definitionsNotRead(error)
    }
    do {
      watch = configuration.isWatching ? try folder?.watch { service.publisher.read(.change) } : nil
    } catch {
      store.stop()
      throw error
    }
    // Loads definitions that changed between the first read and the start of the watch.
    if watch != nil { service.publisher.read(.change) }
    do {
      server = try Self.server(configuration, service, log)
    } catch {
      watch?.stop()
      store.stop()
      throw .server(error)
    }
    service.report { [server] in server.counts }
    do {
      admin = try configuration.admin.map { place throws(ServerError) in try Self.adminServer(place, service, log) }
    } catch {
      server.stop()
      watch?.stop()
      store.stop()
      throw .adminServer(error)
    }
    self.logFile = logFile
    self.operators = operators
    self.store = store
    self.service = service
    self.configuration = configuration
    self.log = log
    app = catalog.names.first ?? ""
    manager = ServiceManager(environment: environment)
  }

  static func logger(_ configuration: Configuration, _ lines: LogQueue) -> Logger {
    var log = Logger(label: "cairn") { _ in LogfmtHandler(level: configuration.logLevel, queue: lines) }
    log.logLevel = configuration.logLevel
    return log
  }

  private static func keys(_ configuration: Configuration) throws(StartFailure) -> [OperatorKey] {
    do {
      return try configuration.operators.read()
    } catch {
      throw .setting(error)
    }
  }

  private static func store(
    _ configuration: Configuration, _ outbound: any Outbound, _ variable: @escaping @Sendable (String) -> String?, _ log: Logger
  ) throws(StartFailure) -> Store {
    let report: @Sendable (StoreEvent, String?) -> Void = { event, app in
      var metadata: Logger.Metadata = ["event": "\(event)"]
      metadata["session"] = event.session.map { "\($0)" }
      metadata["app"] = app.map { "\($0)" }
      log.log(level: event.isError ? .error : .info, "store", metadata: metadata)
    }
    let journal = try DatabaseOpening(configuration).journal { report($0, nil) }
    let store = Store(
      journal: journal, outbound: outbound,
      definitions: { PinnedDefinition(stored: try DefinitionLoader.load(canonical: $0)) }, migrations: MigrationReading.migrator,
      environment: { $0.environment(from: variable) },
      limits: configuration.store, nonce: Identity.nonce, log: report)
    do {
      try store.start()
    } catch {
      journal.close()
      throw .store(error)
    }
    return store
  }

  private static func server(_ configuration: Configuration, _ service: Service, _ log: Logger) throws(ServerError) -> Server {
    var limits = configuration.http
    // A small size is faster: libmicrohttpd clears half of this memory before each request, and all of it afterwards. Clearing 32 KiB costs
    // a microsecond and CPU cache.
    limits.memoryPerConnection = 16 << 10
    limits.longBody = configuration.service.sessionFile
    limits.allowsLongBody = { service.allowsLongBody($0) }
    limits.bodies += limits.longBody
    return try Server(
      host: configuration.host, port: configuration.port, limits: limits, threads: configuration.threads,
      fault: { service.response(to: $0, $1) }, log: { log.warning("http", metadata: ["event": "\($0)"]) },
      refused: { service.connectionRefused($0) }, handler: { service.handle($0, $1) })
  }

  private static func adminServer(_ place: (host: String, port: Int), _ service: Service, _ log: Logger) throws(ServerError) -> Server {
    var limits = Limits()
    limits.connections = 64
    limits.connectionsPerAddress = 0
    return try Server(
      host: place.host, port: place.port, limits: limits, fault: { service.response(to: $0, $1) },
      log: { log.warning("http", metadata: ["event": "\($0)"]) }, handler: { service.administer($0, $1) })
  }

  /// Prints the startup banner. Runs on its own thread because stdout may block.
  func greet() {
    let host = configuration.host.contains(":") && !configuration.host.hasPrefix("[") ? "[\(configuration.host)]" : configuration.host
    let url = "http://\(host):\(server.port)"
    let key = configuration.service.creation == .operatorOnly ? "-H \"Authorization: Bearer $CAIRN_OPERATOR_KEY\" " : ""
    let hint =
      app.isEmpty
      ? "No app is published. Create one with `cairn new notes`, and publish it with `cairn apps push notes/config/apps`."
      : """
      Try:
        curl -s \(url)/v1/apps
        curl -s \(key)--json '{"app":"\(app)"}' \(url)/v1/sessions | tee session.json
        curl -s -H "Authorization: Bearer $(grep -o 'cs_[^"]*' session.json)" \(url)/v1/sessions/$(grep -o '"id":"s[^"]*' session.json | cut -c7-)/stack
      """
    let text = "Cairn listens on \(url)\(configuration.service.hasConsole ? "\nConsole: \(url)/console" : "")\n\(hint)"
    // If the thread cannot be started, the banner is omitted.
    _ = try? NamedThread("cairn-greeting") { Terminal.print(text) }
    var metadata: Logger.Metadata = ["port": "\(server.port)", "libmicrohttpd": "\(Server.libraryVersion)"]
    if let admin { metadata["admin"] = "\(admin.port)" }
    log.notice("started", metadata: metadata)
    manager?.notify("READY=1\nSTATUS=listens on \(url)\n")
  }

  /// Serves until SIGTERM or SIGINT, then stops. A second of these signals ends the process immediately. SIGHUP reopens the log file, and
  /// reads the operator keys and the definitions again.
  func runUntilSignal() {
    var signal = ProcessSignals.wait()
    while !signal.isEnd {
      if signal == .hangUp {
        if let reason = logFile?.reopen() { log.error("log file not reopened", metadata: ["reason": "\(reason)"]) }
        readKeysAgain()
        service.publisher.read(.signal)
      }
      signal = ProcessSignals.wait()
    }
    log.notice("stopping", metadata: ["signal": "\(signal)"])
    manager?.notify("STOPPING=1\nSTATUS=completes the requests in progress\n")
    let impatience = try? NamedThread("cairn-signals") {
      while !ProcessSignals.wait().isEnd {}
      _exit(130)
    }
    withExtendedLifetime(impatience) { stop() }
    log.notice("stopped")
  }

  /// Reads the operators' keys again. If they are invalid, the previous keys stay valid.
  private func readKeysAgain() {
    do {
      let keys = try configuration.operators.read()
      operators.replace(with: keys)
      log.notice("operator keys read", metadata: ["names": "\(keys.map(\.name).joined(separator: ", "))"])
    } catch {
      log.error("operator keys not read; the previous keys stay valid", metadata: ["reason": "\(error.text)"])
    }
  }

  /// Stops the parts of the service. First, the service reports that it is not ready, and load balancers get the time `stopDelay` to notice
  /// this. Then new connections are refused, streams are ended, running requests are completed, and the store and its journal are closed.
  /// The operators' port is served until the end.
  private func stop() {
    service.leave()
    let _: Void? = Monitor(()).wait(until: Monotonic.deadline(after: configuration.stopDelay)) { _ in nil }
    store.leave()
    server.stopAccepting()
    service.endStreams()
    if !service.drain(within: Self.patience) { log.warning("requests still in progress after \(Self.patience) are ended") }
    server.stop()
    watch?.stop()
    service.publisher.stop()
    store.stop()
    calls.stop()
    admin?.stop()
  }
}
