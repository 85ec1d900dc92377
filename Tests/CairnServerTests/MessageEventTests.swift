import CairnCore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Each event of a notification is processed once` {
  private static func chat(_ use: String, id: Int = 1) -> String { #"{"payload":{"aps":{"category":"chat"},"id":\#(id)}\#(use)}"# }

  /// The ways in which the user reacts to one notification, and the resulting screens.
  private static let uses = [
    (#","reply":"one""#, "page one"), (#","reply":"two""#, "page two"), (#","action":"answer","reply":"one""#, "page one"),
    (#","action":"later""#, "page later"), (#","action":"answer""#, "page answer"),
  ]

  @Test func `each reply and each button of one notification is processed, and repeats are not`() throws {
    let session = try MessagesApp.session()
    for (count, (use, screen)) in Self.uses.enumerated() {
      let first = try session.post("notifications", Self.chat(use))
      #expect(first.visible == screen && first.revision == 2 + count)
      let again = try session.post("notifications", Self.chat(use))
      #expect(again["reason"] == "duplicate" && again.revision == 2 + count)
    }
    #expect(try session.post("notifications", Self.chat(Self.uses[0].0, id: 2)).revision == 7)
  }

  @Test func `replies that arrive at the same moment are all processed`() async throws {
    let session = try MessagesApp.session()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { try #expect(session.post("notifications", Self.chat(#","reply":"\#(number / 2)""#)).status == 200) }
      }
      try await group.waitForAll()
    }
    #expect(try session.get().revision == 11)
  }

  @Test func `a tap after a button opens the link, and a button after a tap is processed`() throws {
    let session = try MessagesApp.session()
    func body(_ use: String, _ id: Int) -> String { #"{"payload":{"aps":{"category":"chat"},"url":"shop://items/7","id":\#(id)}\#(use)}"# }
    #expect(try session.post("notifications", body(#","action":"later""#, 1)).visible == "page later")
    #expect(try session.post("notifications", body("", 1)).visible == "item 7")
    #expect(try session.post("notifications", body("", 2)).visible == "item 7")
    #expect(try session.post("notifications", body(#","action":"later""#, 2)).visible == "page later")
  }

  @Test func `a reply in the query and the same reply in the body are one event`() throws {
    let session = try MessagesApp.session()
    #expect(try session.post("notifications?reply=a%0Ab", #"{"aps":{"category":"chat"},"id":1}"#).visible == "page a\nb")
    #expect(try session.post("notifications", Self.chat(#","reply":"a\nb""#))["reason"] == "duplicate")
  }

  @Test func `an event that nothing takes is not remembered`() throws {
    let session = try MessagesApp.session()
    for _ in 1...2 {
      #expect(try session.post("notifications", Self.chat(#","action":"unknown""#))["reason"] == "not-taken")
      #expect(try session.post("notifications", Self.chat(""))["reason"] == "no-link")
    }
    #expect(try session.post("notifications", #"{"aps":{},"url":"shop://items/7","id":1}"#).visible == "item 7")
  }

  @Test func `a cold start counts as a tap, and one that nothing took is not remembered`() throws {
    let idle = try MessagesApp.session(#","notification":{"aps":{"category":"chat"},"id":1}"#)
    #expect(idle.created["opened", "reason"] == "no-link")
    #expect(try idle.post("notifications", Self.chat(""))["reason"] == "no-link")
    #expect(try idle.post("notifications", Self.chat(#","reply":"one""#)).visible == "page one")
    let tapped = try idle.workshop.session("messages", #","notification":{"aps":{},"url":"shop://items/7","id":1}"#)
    #expect(try tapped.post("notifications", #"{"aps":{},"url":"shop://items/7","id":1}"#)["reason"] == "duplicate")
  }

  @Test func `the reply that started the app is remembered, and another reply is processed`() throws {
    let session = try MessagesApp.session(#","notification":\#(Self.chat(#","reply":"one""#))"#)
    #expect(session.created.visible == "page one")
    #expect(try session.post("notifications", Self.chat(#","reply":"one""#))["reason"] == "duplicate")
    #expect(try session.post("notifications", Self.chat(#","reply":"two""#)).visible == "page two")
  }
}
