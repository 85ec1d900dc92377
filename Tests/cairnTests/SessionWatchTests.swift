import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Watching a session` {
  private func environment(_ service: Service) -> [String: String] {
    ["CAIRN_URL": "http://127.0.0.1:\(service.port)", "LC_ALL": "C.UTF-8", "TERM": "xterm", "NO_COLOR": "", "COLUMNS": "150"]
  }

  private func watch(_ session: Driven, _ more: String..., onTerminal: Bool) throws -> Beside {
    try Beside(
      ["session", "watch", "--session", session.id, "--secret", session.secret] + more, in: session.service.folder,
      environment: environment(session.service), onTerminal: onTerminal)
  }

  @Test func `on a terminal the tree is redrawn, q quits, and the terminal is restored`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "t"])
    let watch = try watch(session, onTerminal: true)
    try await watch.says("live")
    #expect(watch.said.hasPrefix("\u{1B}[?1049h\u{1B}[?25l"))
    _ = try await session.step("productIsPicked", ["productId": 7])
    try await watch.says("\u{1B}[32m+ \u{1B}[0m\u{1B}[1mproduct")
    try await watch.says("push product(productId: 7) on main")
    try watch.press("q")
    #expect(try await watch.code() == 0)
    let last = try #require(watch.said.components(separatedBy: "\u{1B}[?25h\u{1B}[?1049l").last)
    #expect(watch.said.contains("\u{1B}[?25h\u{1B}[?1049l") && last.contains("revision 2") && !last.contains("\u{1B}[H"))
  }

  @Test func `Ctrl-C and the end of the session restore the terminal`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "t"])
    let (one, two) = (try watch(session, onTerminal: true), try watch(session, onTerminal: true))
    try await one.says("live")
    try await two.says("live")
    try one.press("\u{3}")
    #expect(try await one.code() == 0 && one.said.contains("\u{1B}[?1049l"))
    _ = try await service.send("DELETE", "/v1/sessions/\(session.id)", secret: session.secret)
    #expect(try await two.code() == 0)
    #expect(two.said.contains("\u{1B}[?1049l") && two.said.contains("ended: deleted"))
  }

  @Test func `to a pipe one line is written per change`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "t"])
    let lines = try watch(session, onTerminal: false)
    let events = try watch(session, "--json", onTerminal: false)
    try await lines.says("main[home]\n")
    try await events.says("connected")
    _ = try await session.step("productIsPicked", ["productId": 7])
    try await lines.says(
      "productIsPicked(productId: 7)  performed: push product(productId: 7) on main  main[home, product(productId: 7)]\n")
    try await events.says(#""event":"change""#)
    _ = try await service.send("DELETE", "/v1/sessions/\(session.id)", secret: session.secret)
    #expect(try await lines.code() == 0)
    #expect(try await events.code() == 0)
    #expect(lines.said.hasSuffix("ended: deleted\n") && !lines.said.contains("\u{1B}"))
    let told = try events.said.split(separator: "\n").map { try JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
    #expect(told.map { $0["event"] } == ["connected", "change", "end"])
    #expect(told[1].at(["data", "revision"]) == 2 && told[1]["id"] == 2)
  }

  @Test func `a signal ends the command`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "t"])
    let lines = try watch(session, onTerminal: false)
    try await lines.says("main[home]\n")
    lines.signal(SIGTERM)
    #expect(try await lines.code() == 0)
  }
}
