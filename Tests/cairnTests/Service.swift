import CairnCore
import CairnTesting
import Foundation
import FoundationNetworking
import Testing

/// The compiled program in a separate process, on a port that the system chose. The folder of the process is removed with this object.
final class Service: @unchecked Sendable {
  // `@unchecked` because one test at a time replaces the process. Everything else is set once.
  let folder: URL
  private var process: ChildProcess?
  private(set) var port = 0
  private let environment: [String: String]
  private let arguments: [String]
  /// The URL of the PostgreSQL database; `nil` if the service has a SQLite file in its folder.
  private let shared: String?
  static let operatorKey = "operator-key-of-the-tests"
  /// The variable with the limit of descriptors of the started process.
  static let descriptors = "DESCRIPTORS_OF_THE_TEST"

  /// Starts `cairn serve` in a new folder and waits until it listens. `apps` contains further definitions by file name. With `shared`, the URL of a
  /// PostgreSQL database, the service reads no definitions from files.
  init(
    environment: [String: String] = [:], arguments: [String] = [], apps: [String: String] = [:], shared: String? = nil
  ) async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: Service.root.appending(path: "config/apps"), to: folder.appending(path: "apps"))
    for (name, text) in apps { try Data(text.utf8).write(to: folder.appending(path: "apps").appending(path: name)) }
    self.environment = environment
    self.arguments = arguments
    self.shared = shared
    try await start()
  }

  deinit {
    // Ends the process before its folder is removed, because it would create files there.
    process = nil
    try? FileManager.default.removeItem(at: folder)
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

  /// The binary is in the same folder as the test bundle.
  static let binary: URL = {
    var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    while !FileManager.default.isExecutableFile(atPath: folder.appending(path: "cairn").path), folder.path != "/" {
      folder.deleteLastPathComponent()
    }
    return folder.appending(path: "cairn")
  }()

  var database: URL { folder.appending(path: "cairn.sqlite") }
  var log: URL { folder.appending(path: "log.txt") }

  /// Starts the service in its folder, and returns once it listens.
  func start() async throws {
    let storage = shared.map { [$0] } ?? [database.path, "--apps", folder.appending(path: "apps").path]
    let process = try Service.launch(
      ["serve", "--port", "0", "--database"] + storage + arguments,
      environment: ["CAIRN_OPERATOR_KEY": Service.operatorKey].merging(environment) { _, given in given }, log: log)
    self.process = process
    let said: String
    do {
      said = try await onOwnThread { try process.output.wait(for: "the address") { $0.contains("listens on") && $0.hasSuffix("\n") } }
    } catch {
      throw Failure("it ended before it listened: \(error) \((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
    }
    let digits = said.split(separator: "127.0.0.1:", maxSplits: 1).last?.prefix { $0.isNumber } ?? ""
    guard let port = Int(digits) else { throw Failure("no port in: \(said)") }
    self.port = port
  }

  /// Starts the binary. Its stderr is appended to a file, and its stdout is collected.
  static func launch(_ arguments: [String], environment: [String: String], log: URL) throws -> ChildProcess {
    var program = binary.path
    var arguments = arguments
    if let limit = environment[descriptors] {
      // `exec` replaces the shell with the program, which keeps the limit of descriptors.
      arguments = ["-c", "ulimit -n \(limit) && exec \"$0\" \"$@\"", binary.path] + arguments
      program = "/bin/sh"
    }
    return try ChildProcess(
      program, arguments, environment: environment, folder: log.deletingLastPathComponent().path, output: .collected,
      error: .appended(log.path))
  }

  /// Kills the process, as a crash would.
  func crash() {
    process?.signal(SIGKILL)
    _ = try? process?.waitForEnd()
  }

  /// Sends a signal to the process.
  func signal(_ number: Int32) { process?.signal(number) }

  /// Stops the process with SIGSTOP, and returns once it has stopped.
  func suspend() {
    signal(SIGSTOP)
    process?.waitUntilStopped()
  }

  /// Sends SIGTERM and returns the exit code, or -1 if the process does not end.
  func terminate() -> Int32 {
    process?.signal(SIGTERM)
    return (try? process?.exitCode()) ?? -1
  }

  /// Waits until the log contains a text at least `times` times, and returns the whole log.
  @discardableResult func logged(_ text: String, times: Int = 1, line: UInt = #line) async throws -> String {
    let log = GrowingFile(log.path)
    return try await onOwnThread {
      try log.wait(for: "\"\(text)\" in the log", line: line) { $0.components(separatedBy: text).count > times }
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}

/// A response, with its body decoded if it is JSON.
struct Reply: Sendable {
  var status: Int
  var headers: [String: String]
  var text: String
  var json: Value

  subscript(path: String...) -> Value? { json.at(path) }
  var code: String? { if case .string(let code) = json["code"] { code } else { nil } }
  var outcome: String? { if case .string(let outcome) = json["outcome"] { outcome } else { nil } }
  var revision: Int? { if case .integer(let revision) = json["revision"] { revision } else { nil } }

  /// The names of the screens on the stack.
  var routes: [String] {
    guard case .array(let entries) = json["stack"] else { return [] }
    return entries.compactMap { if case .string(let screen) = $0["screen"] { screen } else { nil } }
  }

  /// The tree in one line.
  var sketch: String {
    guard let tree = json["tree"], let data = try? JSONEncoder().encode(tree) else { return "" }
    return (try? JSONDecoder().decode(Tree.self, from: data).sketch) ?? ""
  }

  var visible: String? { if case .string(let screen) = json.at(["visible", "screen"]) { screen } else { nil } }

  /// The types of the events, in order.
  var events: [String] {
    guard case .array(let events) = json["events"] else { return [] }
    return events.compactMap { if case .string(let type) = $0["type"] { type } else { nil } }
  }
}

extension Service {
  /// Sends one request. `body` is sent unchanged.
  func send(
    _ method: String, _ path: String, body: Data? = nil, secret: String? = nil, headers: [String: String] = [:]
  ) async throws -> Reply {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw Failure("not a path: \(path)") }
    var request = URLRequest(url: url, timeoutInterval: TimeInterval(TestTimeout.seconds))
    request.httpMethod = method
    request.httpBody = body
    if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
    if let secret { request.setValue("Bearer \(secret)", forHTTPHeaderField: "Authorization") }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await Service.session.data(for: request)
    guard let http = response as? HTTPURLResponse else { throw Failure("no HTTP answer") }
    var fields: [String: String] = [:]
    for (name, value) in http.allHeaderFields { fields["\(name)".lowercased()] = "\(value)" }
    return Reply(
      status: http.statusCode, headers: fields, text: String(decoding: data, as: UTF8.self),
      json: (try? JSONDecoder().decode(Value.self, from: data)) ?? .null)
  }

  private static let session = URLSession(configuration: .ephemeral)

  func post(_ path: String, _ value: Value, secret: String? = nil, headers: [String: String] = [:]) async throws -> Reply {
    try await send("POST", path, body: JSONEncoder().encode(value), secret: secret, headers: headers)
  }

  /// Creates a session of an app.
  func session(_ app: String, _ more: [String: Value] = [:], asOperator: Bool = false) async throws -> Driven {
    var body = more
    body["app"] = .string(app)
    let reply = try await post("/v1/sessions", .object(body), secret: asOperator ? Service.operatorKey : nil)
    guard reply.status == 201, case .string(let id) = reply["id"], case .string(let secret) = reply["secret"] else {
      throw Failure("no session: \(reply.status) \(reply.text)")
    }
    return Driven(service: self, id: id, secret: secret, created: reply)
  }
}

/// A session with the methods of a client.
struct Driven: Sendable {
  let service: Service
  let id: String
  let secret: String
  let created: Reply

  func get(_ path: String = "", headers: [String: String] = [:]) async throws -> Reply {
    try await service.send("GET", "/v1/sessions/\(id)\(path)", secret: secret, headers: headers)
  }

  func act(_ action: Value, as secret: String? = nil, headers: [String: String] = [:]) async throws -> Reply {
    try await service.post("/v1/sessions/\(id)/actions", action, secret: secret ?? self.secret, headers: headers)
  }

  func step(_ name: String, _ params: [String: Value] = [:], from: String? = nil) async throws -> Reply {
    var action: [String: Value] = ["step": .string(name)]
    if !params.isEmpty { action["params"] = .object(params) }
    if let from { action["from"] = .string(from) }
    return try await act(.object(action))
  }

  func open(_ url: String) async throws -> Reply {
    try await service.post("/v1/sessions/\(id)/open", ["url": .string(url)], secret: secret)
  }

  func notify(_ payload: Value, query: String = "") async throws -> Reply {
    try await service.post("/v1/sessions/\(id)/notifications\(query)", payload, secret: secret)
  }

  /// Waits for changes by long polling until the condition holds.
  func until(line: UInt = #line, _ isReached: @Sendable (Reply) -> Bool) async throws -> Reply {
    let deadline = ContinuousClock.now + TestTimeout.duration
    while true {
      let start = ContinuousClock.now
      let reply = try await get()
      if isReached(reply) { return reply }
      guard start < deadline else { throw Service.Failure("\(NeverCame("the state of the session", line: line)): \(reply.text)") }
      _ = try await get("?wait=30s", headers: ["If-None-Match": reply.headers["etag"] ?? ""])
    }
  }
}
