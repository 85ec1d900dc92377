import CairnClient
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Publishing definitions from Swift` {
  @Test func `a new version applies to new sessions, and errors are reported with their lines`() async throws {
    let service = try await Service()
    let client = CairnClient(url: try #require(URL(string: "http://127.0.0.1:\(service.port)")), key: Service.operatorKey)
    let old = try await client.start(app: "shop")
    let text = try String(contentsOf: Service.root.appending(path: "config/apps/shop.yaml"), encoding: .utf8)
    #expect(try await !client.put(text, as: "shop").isChanged)
    let put = try await client.put(text + "description: another\n", as: "shop")
    #expect(put.isChanged)
    let new = try await client.start(app: "shop")
    #expect(try await old.session().definition == old.created?.definition && new.created?.definition == put.definition)
    let versions = try await client.versions(of: "shop")
    #expect(versions.map(\.isCurrent) == [false, true] && versions.map(\.sessions) == [1, 1] && versions.allSatisfy { $0.since != nil })
    do {
      try await client.put("app: shop\nroot: { flow: nowhere }\nlanguage: 1\n", as: "shop")
      Issue.record("it was taken")
    } catch {
      #expect(error.problem?.code == "invalid-definition" && error.problem?.errors.first?.line == 2, "\(error.text)")
    }
  }
}
