import CairnCore
import CairnServer
import CairnStore
import CairnTesting
import Foundation
import Testing

/// Copies of a session. A link with a secret has opened one of its screens, and another such link is held.
@Suite(.tags(.timing), .ownThreads) struct `Copies of a session with secrets of links` {
  private static let app = """
    app: vault
    language: 1
    root: main
    allowHosts: [bank.example]
    facts: { isSignedIn: { type: boolean, default: false, by: client } }
    screens:
      lock: {}
      safe: { params: { pin: { type: string, secret: true } }, emits: [sent] }
      done: {}
      failed: { params: { reason: string } }
    links:
      - { scheme: vault, path: "/pins/{pin}", send: linked }
      - { scheme: vault, path: "/later/{pin}", send: linked, requires: { fact: isSignedIn } }
    flows:
      main:
        stack: lock
        handle:
          linked: { push: safe, with: { pin: $pin } }
          sent:
            load:
              post: "https://bank.example/sent"
              body: { pin: $screen.pin }
              then: arrived
              else: { step: broke, with: { reason: $error.reason } }
          arrived: { push: done }
          broke: { push: failed, with: { reason: $reason } }
    steps: { linked: { pin: { type: string, secret: true } }, arrived: null, broke: { reason: string } }
    """
  private static let pin = "canary-3141592653"
  private static let later = "canary-1618033988"
  private static let key = Data(repeating: 7, count: 32).base64EncodedString()
  private static let sent = #"{"step":"sent"}"#
  private static let signedIn = #"{"type":"facts","set":{"isSignedIn":true}}"#

  private let workshop: Workshop
  private let session: Driven

  init() throws {
    workshop = try Workshop()
    session = try workshop.session("vault", of: Self.app)
    let opened = try session.post("open", #"{"url":"vault://pins/\#(Self.pin)"}"#)
    try #require(opened.routes == ["lock", "safe"], "\(opened.text)")
    let held = try session.post("open", #"{"url":"vault://later/\#(Self.later)"}"#)
    try #require(held["outcome"] == "pending", "\(held.text)")
  }

  private func expectNoSecret(in replies: [Reply], _ source: SourceLocation = #_sourceLocation) {
    for reply in replies {
      let isClean = !reply.text.contains(Self.pin) && !reply.text.contains(Self.later)
      #expect(isClean && (200..<300).contains(reply.status), "\(reply.text)", sourceLocation: source)
    }
  }

  private func delete(_ session: Driven) throws {
    #expect(try workshop.send("DELETE", "/v1/sessions/\(session.id)", as: session.secret).status == 204)
  }

  /// The body of an outgoing request.
  private func body(_ index: Int, of workshop: Workshop) throws -> Value? {
    guard case .load(let load) = try workshop.outbound.call(index) else { throw NeverCame("a load") }
    return load.body
  }

  private func waitFor(_ routes: [String], of session: Driven) throws {
    try wait(for: "the screens \(routes)") { try session.get().routes == routes }
  }

  @Test func `a fork shows that there are secrets, follows the held link, and sends nothing`() throws {
    let fork = try session.fork("{}")
    #expect(fork.created.text.contains(#""pin":true"#) && fork.created.text.contains(#""url":"vault://later/…""#))
    var replies = [fork.created, try fork.act(Self.sent), try fork.act(Self.signedIn)]
    #expect(replies[2].routes == ["lock", "safe", "safe"])
    replies += try ["", "/stack", "/history"].map { try fork.get($0) }
    #expect(replies[5].text.contains(#""type":"linkResumed","url":"vault://later/…""#))
    #expect(!replies.contains { $0.text.contains("…5") || $0.text.contains("…7") }, "no number of a secret")
    let file = try fork.export(key: Self.key)
    #expect(!file.text.contains("\"box\""), "the fork has no values of secrets")
    expectNoSecret(in: replies + [file])
    #expect(workshop.outbound.count == 0)
    #expect(try fork.act(#"{"type":"answer","loaded":{}}"#, as: Workshop.operatorKey).routes == ["lock", "safe", "safe", "done"])
  }

  @Test func `the end of a fork deletes no secret of the original, and the end of the original changes no fork`() throws {
    let (fork, other) = (try session.fork("{}"), try session.fork(#"{"revision":2}"#))
    let before = try other.get().text
    try delete(fork)
    _ = try session.act(Self.sent)
    #expect(try body(0, of: workshop) == ["pin": .string(Self.pin)])
    try workshop.outbound.end(0, .json([:]))
    try waitFor(["lock", "safe", "done"], of: session)
    _ = try session.act(Self.signedIn)
    _ = try session.act(Self.sent)
    #expect(try body(1, of: workshop) == ["pin": .string(Self.later)])
    try delete(session)
    #expect(try other.get().text == before && before.contains(#""pin":true"#))
    #expect(try other.act(Self.sent).status == 200 && workshop.outbound.count == 2)
  }

  @Test func `an import with the key sends the secrets of the screen and of the held link, also after the end of the original`() throws {
    let file = try session.export(key: Self.key)
    #expect(file.text.contains("vault://later/…") && file.text.contains("\"box\""))
    try delete(session)
    let other = try Workshop()
    let copy = try other.began(other.take(Array(file.text.utf8), key: Self.key))
    #expect(copy.created.text.contains(#""pin":true"#) && copy.created.text.contains(#""url":"vault://later/…""#))
    _ = try copy.act(Self.sent)
    #expect(try body(0, of: other) == ["pin": .string(Self.pin)])
    try other.outbound.end(0, .json([:]))
    try waitFor(["lock", "safe", "done"], of: copy)
    // The link is followed in a copy of the copy.
    let again = try copy.export(key: Self.key)
    let last = try other.began(other.take(Array(again.text.utf8), key: Self.key))
    #expect(try last.act(Self.signedIn).routes == ["lock", "safe", "done", "safe"])
    _ = try last.act(Self.sent)
    #expect(try body(1, of: other) == ["pin": .string(Self.later)])
    let read = try [copy, last].flatMap { copy in try ["", "/stack", "/history", "/history?as=scenario"].map { try copy.get($0) } }
    expectNoSecret(in: [file, again, copy.created, last.created] + read)
    #expect(other.log.all.allSatisfy { !$0.contains(Self.pin) && !$0.contains(Self.later) })
  }

  @Test func `an import without the key follows the held link, and its loads fail with secret-gone`() throws {
    let (bare, sealed) = (try session.export(), try session.export(key: Self.key))
    #expect(!bare.text.contains("\"box\""))
    expectNoSecret(in: [bare, sealed])
    for file in [bare, sealed] {
      let copy = try workshop.began(workshop.take(Array(file.text.utf8)))
      _ = try copy.act(Self.sent)
      try waitFor(["lock", "safe", "failed"], of: copy)
      _ = try copy.act(Self.signedIn)
      _ = try copy.act(Self.sent)
      try waitFor(["lock", "safe", "failed", "safe", "failed"], of: copy)
      #expect(try copy.get()["visible", "params"] == ["reason": "secret-gone"])
    }
    #expect(workshop.outbound.count == 0)
  }
}
