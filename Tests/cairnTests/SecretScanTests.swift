import CairnCore
import CairnHTTP
import CairnTesting
import Foundation
import Testing

#if canImport(CairnPostgresTesting)
  import CairnPostgresTesting
#endif

/// Searches all stored data of a service for the secrets of links, notifications, responses and messages.
@Suite(.tags(.timing), .ownThreads) struct `Stored secrets` {
  #if canImport(CairnPostgresTesting)
    private static let storages = ["SQLite", "PostgreSQL"]
  #else
    private static let storages = ["SQLite"]
  #endif
  /// The ways in which a secret arrives. A value that is not secret arrives with each.
  private static let ways = ["link", "later", "push", "response", "message"]

  private static func secret(_ way: String) -> String { "canary-\(way)-2718281828" }
  private static func plain(_ way: String) -> String { "plain-\(way)-1618033988" }

  private static func app(_ bank: String) -> String {
    """
    app: vault
    language: 1
    compat: { emits: any }
    root: main
    allowHosts: ["\(bank)"]
    # The searches take longer than the default timeout on a busy machine, and the message must still be in progress when the service is killed.
    loadDefaults: { timeout: 10m }
    facts: { isSignedIn: { type: boolean, default: false, by: client } }
    screens: { lock: , safe: { params: { pin: { type: string, secret: true }, name: string } } }
    links:
      - { scheme: vault, path: "/pins/{pin}", query: [name], send: linked }
      - { scheme: vault, path: "/later/{pin}", query: [name], send: linked, requires: { fact: isSignedIn } }
    notifications:
      values: { pin: /data/pin, name: /data/name }
      take: [{ category: pin, send: linked }]
    flows:
      main:
        stack: lock
        handle:
          linked: { push: safe, with: { pin: $pin, name: $name } }
          asked:
            load:
              get: "http://\(bank)/card"
              secret: [card.pin]
              then: { step: linked, with: { pin: $result.card.pin, name: $result.card.name } }
          pay: { submit: { post: "http://\(bank)/pay", key: $name, body: { pin: $pin, name: $name }, then: paid, else: paid } }
          paid: []
    steps:
      linked: { pin: { type: string, secret: true }, name: string }
      asked:
      pay: { pin: { type: string, secret: true }, name: string }
      paid:
    """
  }

  /// The stored data of a service: the files of its folder and, on PostgreSQL, the files of the server and a dump of all tables.
  private struct Storage {
    var url: String?
    var folders: [String] = []
    /// Writes all tables to a file. Does nothing on SQLite.
    var dump: (_ file: String) throws -> Void = { _ in }
    /// The server, which is stopped when this value is released.
    var server: AnyObject?

    init(_ name: String) throws {
      #if canImport(CairnPostgresTesting)
        guard name == "PostgreSQL" else { return }
        // A separate server, whose files contain no data of other tests.
        let server = try PostgresServer()
        let url = server.url()
        self.url = url
        self.server = server
        folders = [try server.sql("SHOW data_directory")]
        dump = { try server.run("pg_dump", ["-f", $0, url]) }
      #endif
    }

    /// The names of the files that contain one of the texts, either unchanged, in hexadecimal or in base64.
    func names(of texts: [String], in service: Service) throws -> [String] {
      let patterns = texts.flatMap { Self.forms(of: $0) }.flatMap { ["-e", $0] }
      // The exit status of `grep` is not 0 if it finds nothing, or if the server removes a file during the search.
      let search = try ChildProcess(
        "/bin/grep", ["-rlaiF"] + patterns + [service.folder.path] + folders, environment: ["LC_ALL": "C"], output: .collected)
      _ = try search.exitCode()
      return search.output.text.split(separator: "\n").map { String($0.split(separator: "/").last ?? "") }
    }

    /// A text, its hexadecimal form, and its three base64 forms, which differ by its offset from a multiple of three bytes. Each base64 form is cut to the
    /// characters that depend only on the text.
    static func forms(of text: String) -> [String] {
      let hex = text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      let encoded = [(0, 0), (1, 2), (2, 3)].map { before, cut in
        let bytes = Data(repeating: 0x20, count: before) + Data(text.utf8)
        return String(bytes.base64EncodedString().prefix(bytes.count * 8 / 6).dropFirst(cut))
      }
      return [text, hex] + encoded
    }
  }

  @Test(arguments: storages)
  func `no table and no file contains a secret, before and after a kill and after the end of the session`(name: String) async throws {
    let storage = try Storage(name)
    let bank = try Provider(
      [Provider.json(#"{"card":{"pin":"\#(Self.secret("response"))","name":"\#(Self.plain("response"))"}}"#)], held: true)
    let service = try await Service(
      environment: ["CAIRN_SECRET_KEY": Data(repeating: 7, count: 32).base64EncodedString()], shared: storage.url)
    let put = try await service.send(
      "PUT", "/v1/apps/vault", body: Data(Self.app(String(bank.url.dropFirst("http://".count))).utf8), secret: Service.operatorKey,
      headers: ["Content-Type": "application/yaml"])
    try #require(put.status == 201, "\(put.text)")
    let session = try await service.session("vault")
    // The URL repeats the secret in parts that the link does not read.
    let link = Self.secret("link")
    var replies = [try await session.open("vault://pins/\(link)?name=\(Self.plain("link"))&again=\(link)#\(link)")]
    replies.append(try await session.open("vault://later/\(Self.secret("later"))?name=\(Self.plain("later"))"))
    let data: Value = ["pin": .string(Self.secret("push")), "name": .string(Self.plain("push"))]
    replies.append(try await session.notify(["category": "pin", "data": data]))
    replies.append(try await session.step("asked"))
    try await bank.asked(1)
    bank.release()
    _ = try await session.until { $0.routes == ["lock", "safe", "safe", "safe"] }
    // The bank does not answer the message, which is therefore in progress when the service is killed.
    let params: [String: Value] = ["pin": .string(Self.secret("message")), "name": .string(Self.plain("message"))]
    replies.append(try await session.step("pay", params))
    try await bank.asked(2)
    for reply in replies { #expect((200..<300).contains(reply.status) && !reply.text.contains("canary"), "\(reply.text)") }
    #expect(replies.map(\.outcome) == ["performed", "pending", "performed", "performed", "performed"])

    func check(_ moment: String, hasSession: Bool = true) throws {
      try storage.dump(service.folder.appending(path: "dump.sql").path)
      #expect(try storage.names(of: Self.ways.map { Self.secret($0) }, in: service) == [], "\(moment)")
      for way in Self.ways where hasSession {
        // The search finds texts that are not secret: on PostgreSQL both in the tables and in the files of the server.
        let found = try storage.names(of: [Self.plain(way)], in: service)
        let isFound = storage.url == nil ? !found.isEmpty : found.contains("dump.sql") && found.count > 1
        #expect(isFound, "\(way), \(moment): \(found)")
      }
    }

    try check("before the kill")
    service.crash()
    try check("after the kill")
    try await service.start()
    // The secret of the message was kept, because the message is sent again.
    try await bank.asked(3)
    let sent = bank.requests.dropFirst().map { String(decoding: $0.body, as: UTF8.self) }
    let body = #"{"name":"\#(Self.plain("message"))","pin":"\#(Self.secret("message"))"}"#
    #expect(sent == [body, body])
    for path in ["", "/stack", "/history", "/history?as=scenario"] { #expect(try await !session.get(path).text.contains("canary")) }
    try check("after the next start")
    #expect(try await service.send("DELETE", "/v1/sessions/\(session.id)", secret: session.secret).status == 204)
    try check("after the end of the session", hasSession: false)
    #expect(service.terminate() == 0)
    try check("after the end of the service", hasSession: false)
  }

  @Test func `the search knows a text in each form`() {
    let text = "canary-2718281828"
    let forms = Storage.forms(of: text)
    #expect(forms[0] == text && forms[1] == "63616e6172792d32373138323831383238")
    for (before, form) in forms.dropFirst(2).enumerated() {
      for after in 0..<3 {
        let bytes = Data(repeating: 0xFF, count: 3 + before) + Data(text.utf8) + Data(repeating: 0xFF, count: after)
        #expect(bytes.base64EncodedString().contains(form), "\(before) bytes before, \(after) after")
      }
    }
  }
}
