import CairnCore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `A notification with an id is processed once` {
  private static func payload(_ id: String) -> String { #"{"aps":{},"url":"lab:///go/4","gcm.message_id":\#(id)}"# }

  @Test func `a repeated notification changes nothing, and the reason is returned`() throws {
    let session = try Workshop().session("lab")
    let first = try session.post("notifications", Self.payload(#""m-1""#))
    #expect(first["outcome"] == "performed" && first.revision == 2)
    let again = try session.post("notifications", Self.payload(#""m-1""#))
    #expect(again.status == 200 && again["outcome"] == "unchanged" && again["reason"] == "duplicate" && again.revision == 2)
    #expect(again["changes"] == [] && again["tree"] == first["tree"] && again.taggedRevision == 2)
    #expect(try session.post("notifications", Self.payload(#""m-2""#)).revision == 3)
    #expect(try session.post("notifications", Self.payload("7")).revision == 4)
    #expect(try session.post("notifications", Self.payload("7"))["reason"] == "duplicate")
  }

  @Test func `the id may be in a header, and the first place with an id counts`() throws {
    let session = try Workshop().session("lab")
    _ = try session.post("notifications", Self.payload("1"), headers: [("APNS-ID", "a")])
    #expect(try session.post("notifications", Self.payload("2"), headers: [("apns-id", "a")])["reason"] == "duplicate")
    #expect(try session.post("notifications", Self.payload("1")).revision == 3)
  }

  @Test func `a notification without an id is processed each time`() throws {
    let session = try Workshop().session("lab")
    for (index, body) in [#"{"url":"lab:///go/4"}"#, Self.payload("null"), Self.payload(#""""#)].enumerated() {
      #expect(try session.post("notifications", body).revision == 2 + 2 * index)
      #expect(try session.post("notifications", body).revision == 3 + 2 * index)
    }
  }

  @Test func `delivery and tap of a notification are separate messages, and each session processes its own`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let shown = try session.post("notifications?tap=false", Self.payload("1"))
    #expect(shown["reason"] != "duplicate" && shown.revision == 1)
    #expect(try session.post("notifications?tap=false", Self.payload("1"))["reason"] == "duplicate")
    #expect(try session.post("notifications", Self.payload("1")).revision == 2)
    #expect(try workshop.session("lab").post("notifications", Self.payload("1")).revision == 2)
  }

  @Test func `the notification that created the session is known`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab", #","notification":\#(Self.payload("1"))"#)
    #expect(session.created.revision == 2)
    #expect(try session.post("notifications", Self.payload("1"))["reason"] == "duplicate")
  }

  @Test func `a rejected notification may be sent again`() throws {
    let session = try Workshop().session("lab")
    #expect(try session.post("notifications", #"{"url":"lab:///nowhere","gcm.message_id":"1"}"#).status == 422)
    #expect(try session.post("notifications", Self.payload(#""1""#)).revision == 2)
  }

  @Test func `an invalid id is reported with its position`() throws {
    let session = try Workshop().session("lab")
    for id in ["{}", "1.5", "true", #""\#(String(repeating: "x", count: 256))""#] {
      let reply = try session.post("notifications", Self.payload(id))
      #expect(reply.status == 422 && reply.places == ["#/gcm.message_id"])
    }
    #expect(try session.post("notifications", "{}", headers: [("apns-id", "a"), ("apns-id", "b")]).status == 400)
    #expect(try session.post("notifications", "{}", headers: [("apns-id", String(repeating: "x", count: 256))]).status == 400)
    #expect(try session.get().revision == 1)
  }
}
