import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Backups of a running service` {
  /// Posts to a session until the flag is set.
  private func load(_ session: Driven, _ flag: Flag) async throws {
    while await !flag.isUp {
      #expect(try await session.step("productIsPicked", ["productId": 1]).status == 200)
      await flag.count()
    }
  }

  @Test func `a backup under load is complete, readable only by its owner, and can be restored`() async throws {
    let service = try await Service()
    let still = try await service.session("shop", ["accessToken": "t"])
    _ = try await still.step("productIsPicked", ["productId": 1])
    let busy = try await service.session("shop", ["accessToken": "t"])
    let flag = Flag()
    async let load: Void = load(busy, flag)
    try await waitInTask(for: "three posts") { await flag.posts >= 3 }
    let file = service.folder.appending(path: "copy.db").path
    let made = try await service.run("backup", file, "--database", service.database.path)
    try await waitInTask(for: "a post while the backup was made, or after it") { await flag.posts > 3 }
    await flag.raise()
    try await load
    #expect(made.code == 0, "\(made.error)")
    #expect(made.output.contains(" sessions, newest entry "))
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    let names = try FileManager.default.contentsOfDirectory(atPath: service.folder.path)
    #expect(names.filter { $0.hasPrefix("copy.db") } == ["copy.db"])

    // Neither the backup nor a file beside it contains the key.
    #expect(try await service.run("verify", file).code == 2)
    let verified = try await service.run("verify", file, "--without-secrets")
    #expect(verified.code == 0, "\(verified.output)\(verified.error)")

    let newest = try await busy.get().revision
    let refused = try await service.run("restore", file, "--database", service.database.path, "--force")
    #expect(refused.code == 1 && refused.error.contains("another process of Cairn"))
    #expect(service.terminate() == 0)
    let exists = try await service.run("restore", file, "--database", service.database.path)
    #expect(exists.code == 1 && exists.error.contains("--force"))
    let restored = try await service.run("restore", file, "--database", service.database.path, "--force")
    #expect(restored.code == 0, "\(restored.error)")
    try await service.start()
    #expect(try await still.get().routes == ["home", "product"])
    let then = try #require(try await busy.get().revision)
    #expect(then <= newest ?? 0)
    #expect(try await busy.step("productIsPicked", ["productId": 1]).revision == then + 1)
    #expect(try await service.verify().code == 0)
    // The replaced database is undamaged too.
    #expect(try await service.run("verify", service.database.path + ".replaced", "--without-secrets").code == 0)
  }

  @Test func `a backup can be restored where no database exists, and is complete with the key`() async throws {
    let service = try await Service()
    let session = try await service.session("qiita", ["accessToken": "a-token"])
    let file = service.folder.appending(path: "copy.db").path
    #expect(try await service.run("backup", file, "--database", service.database.path).code == 0)
    let again = try await service.run("backup", file, "--database", service.database.path)
    #expect(again.code == 1 && again.error.contains("already exists"))
    #expect(try await service.run("backup", file, "--database", service.database.path, "--force").code == 0)
    #expect(service.terminate() == 0)
    for suffix in ["", "-wal", "-shm", ".mark"] { try? FileManager.default.removeItem(atPath: service.database.path + suffix) }
    await #expect(throws: Service.Failure.self) { try await service.start() }
    #expect(try String(contentsOf: service.log, encoding: .utf8).contains("start once with --accept-loss"))
    #expect(try await service.run("restore", file, "--database", service.database.path).code == 0)
    try await service.start()
    #expect(try await session.get().status == 200)
    #expect(try await service.verify().output.contains("1 secret: no damage"))
  }

  @Test func `a backup with a definition that a put would refuse, or with a damaged session, is restored only if that is accepted`()
    async throws
  {
    let service = try await Service(environment: ["CAIRN_SHORTEST_TIMER": "1ms"], apps: ["fast.yaml": Service.fast])
    let session = try await service.session("shop")
    _ = try await session.step("productIsPicked", ["productId": 1])
    let file = service.folder.appending(path: "copy.db").path
    #expect(try await service.run("backup", file, "--database", service.database.path).code == 0)
    #expect(service.terminate() == 0)
    let restored = service.folder.appending(path: "restored.sqlite").path
    let limited = try await service.run("restore", file, "--database", restored)
    #expect(
      limited.code == 1 && limited.error.contains("at least 100ms") && limited.error.contains("--accept-findings"), "\(limited.error)")
    #expect(!FileManager.default.fileExists(atPath: restored))
    let wide = try await service.run("restore", file, "--database", restored, environment: ["CAIRN_SHORTEST_TIMER": "1ms"])
    #expect(wide.code == 0, "\(wide.error)")
    #expect(try await service.run("restore", file, "--database", restored, "--force", "--accept-findings").code == 0)

    var bytes = try Data(contentsOf: URL(filePath: file))
    while let range = bytes.range(of: Data("productIsPicked".utf8)) { bytes.replaceSubrange(range, with: Data("productIsPickeX".utf8)) }
    try bytes.write(to: URL(filePath: file))
    let arguments = ["restore", file, "--database", restored, "--force"]
    let damaged = try await service.run(arguments, environment: ["CAIRN_SHORTEST_TIMER": "1ms"])
    #expect(damaged.code == 1 && damaged.error.contains("session \(session.id)"), "\(damaged.error)")
    let accepted = try await service.run(arguments + ["--accept-findings"])
    #expect(accepted.code == 0 && accepted.error.contains("session \(session.id)"), "\(accepted.error)")
  }

  @Test func `a file that is no database cannot be backed up or restored`() async throws {
    let service = try await Service()
    let text = service.folder.appending(path: "text.db")
    try String(repeating: "this is not a database ", count: 400).write(to: text, atomically: true, encoding: .utf8)
    let copy = service.folder.appending(path: "copy.db").path
    #expect(try await service.run("backup", copy, "--database", text.path).code == 1)
    #expect(try await service.run("backup", copy, "--database", "nowhere.db").code == 1)
    #expect(try await service.run("backup", service.database.path, "--database", service.database.path, "--force").code == 1)
    #expect(try await service.run("restore", text.path, "--database", copy).code == 1)
    #expect(try await service.run("restore", "nowhere.db", "--database", copy).code == 1)
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(try await service.run("verify", text.path, "--without-secrets").code == 2)
    #expect(try await service.session("shop").created.status == 201)
  }

  @Test func `a rotated key encrypts from the next start on, and the old key can be removed`() async throws {
    let service = try await Service()
    let session = try await service.session("qiita", ["accessToken": "a-token"])
    let database = service.database.path
    let first = try await service.run("key", "list", "--database", database).output
    #expect(try await service.run("key", "rotate", "--database", database).code == 0)
    #expect(try await service.run("key", "list", "--database", database).output.hasSuffix("\n" + first))
    // No secret is encrypted with the new key yet.
    #expect(try await service.run("key", "prune", "--database", database).code == 1)
    #expect(service.terminate() == 0)
    try await service.start()
    #expect(try await session.get().status == 200)
    try await waitInTask(for: "the last secret under the old key to be sealed anew") {
      try await service.run("key", "prune", "--database", database).code == 0
    }
    #expect(try await service.run("key", "list", "--database", database).output.split(separator: "\n").count == 1)
    #expect(service.terminate() == 0)
    try await service.start()
    #expect(try await service.verify().output.contains("1 secret: no damage"))
    #expect(try await session.get().status == 200)
  }
}

private actor Flag {
  private(set) var isUp = false
  private(set) var posts = 0

  func count() { posts += 1 }

  func raise() { isUp = true }
}
