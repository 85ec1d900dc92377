import CairnCore
import CairnTesting
import Foundation
import Testing

/// The disk fails below a real service. Acknowledged actions are kept, failed ones are reported, and the service recovers without a restart.
@Suite(.tags(.timing), .ownThreads) struct `Failing disk` {
  /// A session, its last acknowledged revision, and whether one more entry may exist.
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

  /// Posts until a post is accepted. The service detects by itself that the disk works again.
  private func recover(_ followed: inout Followed) async throws {
    try await waitInTask(for: "a post that is taken") { try await post(&followed) == 200 }
  }

  /// Expects the acknowledged revision, before and after a crash, and an undamaged database.
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
  func `each write of a commit fails once, and the next post finds the acknowledged state`(kind: Faults.Kind) async throws {
    let faults = try Faults()
    let service = try await Service(environment: faults.environment)
    var followed = Followed(session: try await service.session("shop", ["accessToken": "t"]), revision: 0)
    followed.revision = try #require(try await followed.session.get().revision)
    var refused = 0
    for after in 0..<6 {
      try faults.begin(kind, on: "-wal", after: after, times: kind == .writeIsShort ? -1 : 1)
      if try await post(&followed) == 503 { refused += 1 }
      // The remaining calls of this round may occur with the next post.
      if try await post(&followed) == 503 { refused += 1 }
      _ = try faults.end()
      try await recover(&followed)
    }
    #expect(refused > 0)
    try await expectKept(followed, service)
  }

  @Test func `on a full disk posts are 503, readiness fails, reads succeed, and posts succeed once there is room`() async throws {
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

  @Test func `a crash while the disk fails loses no acknowledged action`() async throws {
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

  @Test func `a log that cannot be checkpointed delays no request`() async throws {
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
