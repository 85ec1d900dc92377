import CairnCore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Body of a notification` {
  private static let chat = #"{"aps":{"category":"chat"}}"#

  @Test func `the body may have the payload beside the button and the reply, of several lines and in any script`() throws {
    let session = try MessagesApp.session()
    #expect(try session.post("notifications", #"{"payload":\#(Self.chat),"reply":"a\nb"}"#).visible == "page a\nb")
    let long = String(repeating: "語", count: 10_000)
    #expect(try session.post("notifications", #"{"payload":\#(Self.chat),"reply":"\#(long)"}"#).visible == "page \(long)")
    #expect(
      try session.post("notifications", #"{"payload":{"message":{"data":{"category":"chat"}}},"action":"later"}"#).visible == "page later")
    #expect(try session.post("notifications", #"{"payload":{"url":"shop://items/7"}}"#).visible == "item 7")
    #expect(try session.post("notifications", #"{"payload":{"url":"shop://items/8"},"action":""}"#).visible == "item 8")
  }

  @Test func `a payload may itself have a member payload`() throws {
    let session = try MessagesApp.session()
    for body in [
      #"{"aps":{},"payload":{"x":1},"url":"shop://items/7"}"#, #"{"payload":"text","url":"shop://items/7"}"#,
      #"{"message":{"data":{"payload":"{}","url":"shop://items/7"}},"payload":{}}"#,
    ] {
      #expect(try session.post("notifications", body).visible == "item 7", "\(body)")
    }
  }

  @Test(arguments: [
    (#"{"payload":{},"repply":"x"}"#, ["#/repply"], "did you mean `reply`?"),
    (#"{"payload":{},"reply":1}"#, ["#/reply"], "must be a string"),
    (#"{"payload":{"aps":1},"reply":"x"}"#, ["#/payload/aps"], "must be an object"),
    (#"{"payload":{"id":1.5},"reply":"x"}"#, ["#/payload/id"], "whole number"),
    (#"{"payload":{},"reply":"\#(String(repeating: "x", count: 10_001))"}"#, ["#/reply"], "at most 10000 characters"),
    (#"{"payload":{},"action":"\#(String(repeating: "x", count: 256))"}"#, ["#/action"], "at most 255 characters"),
  ]) func `a wrong body names the wrong part`(body: String, places: [String], said: String) throws {
    let reply = try MessagesApp.session().post("notifications", body)
    #expect(reply.status == 422 && reply.places == places && reply.text.contains(said), "\(reply.text)")
  }

  @Test func `a reply must not be in the query and in the body`() throws {
    let reply = try MessagesApp.session().post("notifications?reply=a&action=b", #"{"payload":{},"reply":"a","action":"b"}"#)
    #expect(reply.status == 422 && reply.places == ["#/action", "#/reply"])
  }

  @Test func `only the reply may have several lines in the query`() throws {
    let session = try MessagesApp.session()
    #expect(try session.post("notifications?reply=a%09b%0D%0Ac", Self.chat).visible == "page a\tb\r\nc")
    let refused = try session.post("notifications?action=a%0Ab", Self.chat)
    #expect(refused.status == 422 && refused.places == ["?action"])
    #expect(try session.post("notifications?reply=%00", Self.chat).status == 400)
  }

  /// Parts of a payload that nothing reads, or that have no value.
  @Test(arguments: [
    #"{"aps":{},"link":{"type":"order"},"url":"shop://items/7"}"#,
    #"{"aps":{"category":"order"},"order":{"id":7},"link":{"type":"order"}}"#,
    #"{"aps":{"category":""},"url":"shop://items/7"}"#, #"{"aps":{"category":3},"url":"shop://items/7"}"#,
    #"{"aps":{},"url":"","data":{"url":"shop://items/7"}}"#, #"{"aps":{},"url":" ","link":"shop://items/7"}"#,
    #"{"aps":{},"id":"","url":"shop://items/7"}"#, #"{"aps":{"alert":{"body":"cut \ud83d"}},"url":"shop://items/7"}"#,
    #"{"aps":{"alert":"\ude00 cut"},"url":"shop://items/7"}"#, #"{"aps":{},"x\ud83d":"\ud83d\u0041","url":"shop://items/7"}"#,
  ]) func `a part that nothing reads does not stop the tap, whether the app runs or starts`(payload: String) throws {
    let session = try MessagesApp.session()
    #expect(try session.post("notifications", payload).visible == "item 7")
    #expect(try session.workshop.session("messages", #","notification":\#(payload)"#).created.visible == "item 7")
  }

  @Test func `a cut emoji in a value that the app keeps becomes the replacement character, at every door`() throws {
    let session = try MessagesApp.session()
    let cut = #""cut \ud83d""#
    #expect(try session.post("notifications", #"{"aps":{"category":"name"},"order":{"name":\#(cut)}}"#).visible == "page cut \u{FFFD}")
    #expect(try session.post("notifications", #"{"payload":\#(Self.chat),"reply":\#(cut)}"#).visible == "page cut \u{FFFD}")
    #expect(try session.act(#"{"step":"said","params":{"text":\#(cut)}}"#).visible == "page cut \u{FFFD}")
    #expect(try session.post("open", #"{"url":"shop://said?text=cut%20\ud83d"}"#).visible == "page cut \u{FFFD}")
    #expect(try session.workshop.session("messages", #","open":"shop://said?text=cut \ud83d""#).created.visible == "page cut \u{FFFD}")
  }

  @Test func `a link or category that the definition names is refused if it is no text, and only then`() throws {
    let text = MessagesApp.text.replacing("  id: [apns-id, /id]", with: "  link: [/link, /url]\n  category: /kind\n  id: /id")
    let session = try MessagesApp.session(text: text)
    #expect(try session.post("notifications", #"{"link":{},"url":"shop://items/7","kind":null}"#).visible == "item 7")
    let refused = try session.post("notifications", #"{"link":{},"url":"","kind":[]}"#)
    #expect(refused.status == 422 && refused.places == ["#/link", "#/kind"])
    let inside = try session.post("notifications", #"{"payload":{"link":{},"kind":"x"}}"#)
    #expect(inside.status == 422 && inside.places == ["#/payload/link"])
    let start = try session.workshop.send("POST", "/v1/sessions", #"{"app":"messages","notification":{"link":7}}"#)
    #expect(start.status == 422 && start.places == ["#/notification/link"])
  }

  @Test(arguments: [
    ("0x10", "422"), ("inf", "422"), ("nan", "422"), (".5", "422"), (" 5", "422"), ("5", "sum 5"), ("-1.5e1", "sum -15"),
    ("0.5", "sum 0.5"),
  ]) func `a text is a number if JSON would read it as one`(text: String, screen: String) throws {
    let reply = try MessagesApp.session().post("notifications", #"{"aps":{"category":"total"},"order":{"total":"\#(text)"}}"#)
    #expect(reply.visible.hasPrefix(screen), "\(reply.text)")
  }

  @Test func `a number becomes a text with all its digits, or is refused`() throws {
    let session = try MessagesApp.session()
    for category in ["name", "named"] {
      func post(_ number: String) throws -> Reply {
        try session.post("notifications", #"{"aps":{"category":"\#(category)"},"order":{"name":\#(number)}}"#)
      }
      #expect(try post("1234567890123456789").visible == "page 1234567890123456789")
      #expect(try post("0.25").visible == "page 0.25")
      for number in ["12345678901234567890", "-12345678901234567890", "1e300"] { #expect(try post(number).status == 422, "\(number)") }
    }
  }
}
