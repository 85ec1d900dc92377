import CairnClient
import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Page about the client` {
  @Test func `the example of the page is compiled and runs`() async throws {
    let running = try LocalService()
    let service = try #require(running.url)

    let client = CairnClient(url: service)
    let session = try await client.start(app: "shop", SessionStart(accessToken: "a-token"))

    let answer = try await session.step("productIsPicked", ["productId": 7])
    print(answer.outcome, answer.visible?.screen ?? "nothing")  // performed product

    do {
      try await session.step("productIsPicked", ["productId": "seven"])
    } catch {
      // A refusal changes nothing, and its message says what would be valid.
      print(error.problem?.code ?? error.text)  // invalid
    }

    for try await live in session.trees {
      print(live.revision, live.tree.sketch)  // 2 main[home, product(productId: 7)]
      break
    }
    try await session.end()

    #expect(answer.outcome == .performed && answer.visible?.screen == "product")
  }

  @Test func `this file contains the code of the page`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    let page = try String(contentsOf: root.appending(path: "docs/swift-client.md"), encoding: .utf8)
    let example = try #require(page.components(separatedBy: "<!-- example -->\n```swift\n").last?.components(separatedBy: "```\n").first)
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let written = example.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    \($0)" }
    #expect(written.count > 15 && source.contains(written.joined(separator: "\n")))
  }
}
