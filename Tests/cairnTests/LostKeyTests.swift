import CairnCore
import Foundation
import Testing

@Suite struct `Lost secret key` {
  @Test func `an operator can give up the secrets of a lost key, and no session is lost`() async throws {
    let service = try await Service()
    let session = try await service.session("qiita", ["accessToken": "a-token"])
    let plain = try await service.session("shop")
    _ = try await session.get()
    #expect(service.terminate() == 0)
    let database = service.database.path
    // The command is rejected while an existing key opens the database.
    let needless = try await service.run("key", "forget", "--yes", "--database", database)
    #expect(needless.code == 1 && needless.error.contains("no secret has to be deleted"))
    try FileManager.default.removeItem(atPath: database + ".key")
    let failure = await #expect(throws: Service.Failure.self) { try await service.start() }
    #expect(failure?.description.contains("cairn key forget") ?? false)

    let asked = try await service.run("key", "forget", "--database", database)
    #expect(asked.code == 1 && asked.output.contains("1 of 2 sessions would permanently lose"), "\(asked.output)\(asked.error)")
    #expect(!FileManager.default.fileExists(atPath: database + ".key"))
    let done = try await service.run("key", "forget", "--yes", "--database", database)
    #expect(done.code == 0 && done.output.contains("SECRETS DELETED: 1 of 2 sessions"), "\(done.output)\(done.error)")
    try await service.start()
    #expect(try await session.get().status == 200)
    #expect(try await plain.get().status == 200)
    #expect(try await service.session("qiita", ["accessToken": "another"]).created.status == 201)
    let verified = try await service.verify()
    #expect(verified.code == 0 && verified.output.contains("2 secrets: no damage"), "\(verified.output)\(verified.error)")
  }

  @Test func `the command is rejected while a service runs`() async throws {
    let service = try await Service()
    let refused = try await service.run("key", "forget", "--yes", "--database", service.database.path)
    #expect(refused.code == 1 && refused.error.contains("another process of Cairn"))
  }
}
