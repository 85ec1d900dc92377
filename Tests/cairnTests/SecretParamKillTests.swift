import CairnCore
import CairnHTTP
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Secret params of a killed service` {
  private static let pin = "canary-2718281828"

  private static func app(_ port: Int) -> String {
    """
    app: vault
    language: 1
    compat: { emits: any }
    root: { flow: main }
    allowHosts: ["127.0.0.1:\(port)"]
    screens: { lock: , safe: { params: { pin: { type: string, secret: true } } }, open: }
    steps: { enter: { pin: { type: string, secret: true } }, send: null, right: }
    flows:
      main:
        stack: lock
        handle:
          enter: { push: safe, with: { pin: $pin } }
          send:
            load: { post: "http://127.0.0.1:\(port)/pin", body: { pin: $screen.pin }, headers: { X-Pin: $screen.pin }, timeout: 10m, then: right }
          right: { replace: open }
    """
  }

  @Test func `a load that a kill interrupted is sent again with its secret, which no file and no response contains`() async throws {
    let bank = try Provider([Provider.json("{}")], held: true)
    let port = try #require(bank.url.split(separator: ":").last.flatMap { Int($0) })
    let service = try await Service(apps: ["vault.yaml": Self.app(port)])
    let session = try await service.session("vault")
    let entered = try await session.step("enter", ["pin": .string(Self.pin)])
    #expect(entered.sketch == "main[lock, safe(pin: true)]")
    _ = try await session.step("send")
    try await bank.asked(1)
    service.crash()
    #expect(try names(in: service) == [])
    try await service.start()
    try await bank.asked(2)
    for request in bank.requests {
      #expect(String(decoding: request.body, as: UTF8.self) == #"{"pin":"\#(Self.pin)"}"# && request.headers["x-pin"] == Self.pin)
    }
    bank.release()
    _ = try await session.until { $0.sketch == "main[lock, open]" }
    for path in ["", "/stack", "/history", "/history?as=scenario"] { #expect(try await !session.get(path).text.contains(Self.pin)) }
    #expect(service.terminate() == 0)
    #expect(try names(in: service) == [])
  }

  /// The names of the files of the service that contain the secret.
  private func names(in service: Service) throws -> [String] {
    let files = try FileManager.default.contentsOfDirectory(at: service.folder, includingPropertiesForKeys: [.isRegularFileKey])
    return try files.filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true }
      .filter { try Data(contentsOf: $0).range(of: Data(Self.pin.utf8)) != nil }.map(\.lastPathComponent)
  }
}
