import CairnClient
import CairnCore
import CairnDefinition
import CairnTesting
import CairnDerived
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Types of an app` {
  @Test func `a step of the generated type is posted`() async throws {
    let service = try LocalService()
    let session = try await service.client().start(app: "shop", SessionStart(accessToken: "t"))
    #expect(try await session.step(.productIsPicked(productId: 7)).outcome == .performed)
    #expect(try await session.step(.productIsPicked(productId: 8)).visible?.params == ["productId": 8])
    await #expect(throws: ClientError.self) { try await session.step(.termsAreClosed) }
  }

  @Test func `the file of this target is the one that is generated`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ShopTypes.swift")
    let text = try String(contentsOf: Drive.apps.appending(path: "shop.yaml"), encoding: .utf8)
    let loaded = try DefinitionLoader.load(file: "shop", text: text)
    let made = AppTypes(loaded.definition, hash: loaded.hash).text(in: .swift)
    if ProcessInfo.processInfo.environment["CAIRN_WRITE_GOLDEN"] != nil { try made.write(to: file, atomically: true, encoding: .utf8) }
    #expect(made == (try String(contentsOf: file, encoding: .utf8)), "CAIRN_WRITE_GOLDEN=1 writes it anew; look at the difference")
  }
}
