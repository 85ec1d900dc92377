import CairnServer
import CairnTesting
import Foundation
import Testing

@testable import cairn

@Suite(.tags(.timing), .ownThreads) struct `Operator keys` {
  private let folder: URL
  private var file: String { folder.appending(path: "keys").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func read(single: String? = nil, list: String? = nil, file text: String? = nil) throws -> [OperatorKey] {
    if let text { try text.write(toFile: file, atomically: true, encoding: .utf8) }
    return try OperatorKeySources(
      single: single.map { ($0, "CAIRN_OPERATOR_KEY") }, list: list.map { ($0, "CAIRN_OPERATOR_KEYS") }, file: text == nil ? nil : file
    ).read()
  }

  private func fault(single: String? = nil, list: String? = nil, file text: String? = nil) -> String {
    do {
      return "read: \(try read(single: single, list: list, file: text).map(\.name))"
    } catch {
      return (error as? SettingFault)?.text.replacing(folder.path + "/", with: "") ?? "\(error)"
    }
  }

  @Test func `keys of several operators are read from a setting and a file`() throws {
    let keys = try read(
      single: "0123456789abcdef", list: "alice: aaaaaaaaaaaaaaaa, ci-bot:bbbbbbbbbbbbbbbb",
      file: "# those of the night shift\n\nbob:  c:c=cccccccccccccc\r\n  eve@example.org: ddddddddddddddddd\n")
    #expect(keys.map(\.name) == ["operator", "alice", "ci-bot", "bob", "eve@example.org"])
    #expect(keys.map(\.key)[1...3] == ["aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "c:c=cccccccccccccc"])
    #expect(try read().isEmpty)
  }

  @Test func `an error is reported with its position, and without the key`() {
    #expect(
      fault(single: "0123456789abcde")
        == "CAIRN_OPERATOR_KEY: the key of operator is too short: it has 15 characters and must have at least 16; create a key with: openssl rand -base64 24"
    )
    #expect(fault(list: "alice: aaaaaaaaaaaaaaaa, bob: short").hasPrefix("CAIRN_OPERATOR_KEYS, entry 2: the key of bob is too short"))
    #expect(
      fault(file: "alice: aaaaaaaaaaaaaaaa\n\nalice: bbbbbbbbbbbbbbbb")
        == "keys:3: the operator alice is listed twice; remove one of the two keys")
    #expect(
      fault(single: "aaaaaaaaaaaaaaaa", file: "bob: aaaaaaaaaaaaaaaa")
        == "keys:1: bob has the same key as operator; give each operator a different key")
    #expect(fault(file: "aaaaaaaaaaaaaaaa") == "keys:1: an operator key must have the form NAME: KEY")
    #expect(fault(file: "a b: aaaaaaaaaaaaaaaa").hasPrefix("keys:1: an operator's name must have"))
    #expect(fault(file: "a: aaaaaaaa aaaaaaaa") == "keys:1: the key of a must consist of visible ASCII characters without spaces")
    #expect(fault(single: "äaaaaaaaaaaaaaaaaaa").hasPrefix("CAIRN_OPERATOR_KEY: the key of operator must consist of visible ASCII"))
    let missing = OperatorKeySources(single: nil, list: nil, file: folder.appending(path: "none").path)
    #expect(throws: SettingFault.self) { try missing.read() }
  }

  @Test func `SIGHUP reads the file again, an invalid file changes nothing, and other signals are ignored`() async throws {
    try "alice: key-of-alice-0001\n".write(toFile: file, atomically: true, encoding: .utf8)
    let service = try await cairnTests.Service(arguments: ["--operator-keys-file", file])
    func list(_ key: String) async throws -> Int { try await service.send("GET", "/v1/sessions", secret: key).status }
    func said(_ text: String) async throws { try await service.logged(text) }
    #expect(try await list("key-of-alice-0001") == 200)
    #expect(try await list("key-of-bob-000001") == 401)
    try "bob: key-of-bob-000001\n".write(toFile: file, atomically: true, encoding: .utf8)
    service.signal(SIGHUP)
    try await said(#"message="operator keys read" names="operator, bob""#)
    #expect(try await list("key-of-alice-0001") == 401)
    #expect(try await list("key-of-bob-000001") == 200)
    #expect(try await list(Service.operatorKey) == 200)
    try "bob: short\n".write(toFile: file, atomically: true, encoding: .utf8)
    service.signal(SIGHUP)
    try await said("the key of bob is too short")
    for signal in [SIGUSR1, SIGUSR2, SIGPIPE, SIGWINCH] { service.signal(signal) }
    #expect(try await list("key-of-bob-000001") == 200)
    #expect(service.terminate() == 0)
    #expect(!(try String(contentsOf: service.log, encoding: .utf8)).contains("key-of-"))
  }
}
