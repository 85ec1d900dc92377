import CairnCore
import CairnTesting
import Foundation
import Testing

/// The disk fails under the real service: what was answered is kept, what fails is answered honestly, and it goes on without a restart.
@Suite(.tags(.timing), .ownThreads) struct `A disk that fails` {
  /// A session, what was last acknowledged of it, and whether more may be there.
  private struct Followed {
    var session: Driven
    var revision: Int
    var mayBeMore = false
  }

  private func post(_ followed: inout Followed) async throws -> Int {
    let reply = try await followed.session.step("productIsPicked", ["productId": .integer(followed.revision)])
    switch reply.status {
    case 200:
      #expect(reply.revision == followed.revision + 1)
      followed.revision += 1
      followed.mayBeMore = false
    case 503:
      #expect(reply.code == "storage" || reply.code == "unavailable", "\(reply.text)")
      #expect(reply.headers["retry-after"] != nil)
      followed.mayBeMore = true
    default: Issue.record("\(reply.status) \(reply.text)")
    }
    return reply.status
  }

  /// Posts until one is taken: the service looks for itself whether the disk works again.
  private func recover(_ followed: inout Followed) async throws {
    try await waitInTask(for: "a post that is taken") { try await post(&followed) == 200 }
  }

  /// It is as it was acknowledged, now and after a crash; and nothing in the database is damaged.
  private func expectKept(_ followed: Followed, _ service: Service) async throws {
    #expect(try await followed.session.get().revision == followed.revision)
    service.crash()
    try await service.start()
    let after = try #require(try await followed.session.get().revision)
    #expect(after == followed.revision || (followed.mayBeMore && after == followed.revision + 1))
    let verified = try await service.verify()
    #expect(verified.code == 0, "\(verified.output)\(verified.error)")
  }

  @Test(arguments: Faults.Kind.allCases)
  func `each write of a commit fails once, and the next post finds everything as it was`(kind: Faults.Kind) async throws {
    let faults = try Faults()
    let service = try await Service(environment: faults.environment)
    var followed = Followed(session: try await service.session("shop", ["accessToken": "t"]), revision: 0)
    followed.revision = try #require(try await followed.session.get().revision)
    var refused = 0
    for after in 0..<6 {
      try faults.begin(kind, on: "-wal", after: after, times: kind == .writeIsShort ? -1 : 1)
      if try await post(&followed) == 503 { refused += 1 }
      // The rest of the calls of this round may come with the next post.
      if try await post(&followed) == 503 { refused += 1 }
      _ = try faults.end()
      try await recover(&followed)
    }
    #expect(refused > 0)
    try await expectKept(followed, service)
  }

  @Test func `a disk that stays full refuses with 503, is not ready, still reads, and goes on when there is room`() async throws {
    let faults = try Faults()
    let service = try await Service(environment: faults.environment)
    var followed = Followed(session: try await service.session("shop", ["accessToken": "t"]), revision: 0)
    followed.revision = try #require(try await followed.session.get().revision)
    try faults.begin(.diskIsFull, on: "-wal")
    for _ in 0..<5 { #expect(try await post(&followed) == 503) }
    #expect(try await followed.session.get().revision == followed.revision)
    #expect(try await service.send("GET", "/readyz").status == 503)
    #expect(try await service.send("GET", "/livez").status == 200)
    #expect(try faults.end() > 0)
    try await recover(&followed)
    #expect(try await service.send("GET", "/readyz").status == 200)
    try await expectKept(followed, service)
  }

  @Test func `a crash while the disk fails loses nothing that was answered`() async throws {
    let faults = try Faults()
    let service = try await Service(environment: faults.environment)
    var followed = Followed(session: try await service.session("shop", ["accessToken": "t"]), revision: 0)
    followed.revision = try #require(try await followed.session.get().revision)
    for _ in 0..<10 { _ = try await post(&followed) }
    try faults.begin(.syncFails, on: "-wal")
    #expect(try await post(&followed) == 503)
    service.crash()
    _ = try faults.end()
    try await service.start()
    let after = try #require(try await followed.session.get().revision)
    #expect(after == followed.revision || after == followed.revision + 1)
    #expect(try await service.verify().code == 0)
  }

  @Test func `the log that cannot be moved into the database holds nothing up`() async throws {
    let faults = try Faults()
    let service = try await Service(environment: faults.environment)
    var followed = Followed(session: try await service.session("shop", ["accessToken": "t"]), revision: 0)
    followed.revision = try #require(try await followed.session.get().revision)
    try faults.begin(.writeFails, on: "cairn.sqlite")
    for _ in 0..<20 { #expect(try await post(&followed) == 200) }
    _ = try faults.end()
    try await expectKept(followed, service)
  }
}
