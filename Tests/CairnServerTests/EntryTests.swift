import CairnCore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Links and notifications over HTTP` {
  @Test func `the id of a held link is in the response, in its event and in pending, and cancels the link`() throws {
    let session = try Workshop().session("qiita")
    let reply = try session.post("open", #"{"url":"https://qiita.com/items/1"}"#)
    #expect(reply.status == 202 && reply["link"] == "l1")
    guard case .array(let events)? = reply["events"], case .array(let pending)? = try session.get()["pending"] else {
      throw Workshop.NoSession(reply: reply)
    }
    #expect(events.first?["type"] == "linkHeld" && events.first?["link"] == "l1")
    #expect(pending.map { $0["link"] } == ["l1"] && pending.map { $0["kind"] } == ["link"])
    #expect(try session.get().text.contains(#""cancel""#))
    let wrong = try session.act(#"{"type":"cancel","link":"3"}"#)
    #expect(wrong.status == 422 && wrong.places == ["#/link"])
    #expect(try session.act(#"{"type":"cancel","link":"l2"}"#).status == 422)
    let gone = try session.act(#"{"type":"cancel","link":"l1"}"#)
    #expect(gone["outcome"] == "performed" && gone.text.contains(#""reason":"cancelled""#))
    let again = try session.act(#"{"type":"cancel","link":"l1"}"#)
    #expect(again.status == 409 && again.code == "link-gone")
    #expect(try session.get("/history").text.contains(#""type":"cancel","link":"l1""#))
  }

  @Test func `a notification in the foreground or with a pressed button selects its handler`() throws {
    let session = try Workshop().session("lab")
    let payload = #"{"aps":{"category":"go","alert":"x"},"n":"5","gcm.message_id":"m"}"#
    let shown = try session.post("notifications?tap=false", payload)
    #expect(shown["outcome"] == "unchanged" && shown["reason"] == "received")
    let taken = try session.post("notifications?tap=false&state=foreground", payload.replacing(#""m""#, with: #""k""#))
    #expect(taken["outcome"] == "performed" && taken["visible", "params"] == ["n": 5] && taken.text.contains("notificationTaken"))
    #expect(
      try session.post("notifications?tap=false&state=foreground", payload.replacing(#""m""#, with: #""k""#))["reason"] == "duplicate")
    let pressed = try session.post("notifications?action=open&reply=hello", payload)
    #expect(pressed["outcome"] == "performed" && pressed.revision == 3)
    let history = try session.get("/history").text
    #expect(history.contains(#""values":{"n":5}"#) && history.contains(#""action":"open","reply":"hello""#))
    let odd = try session.post("notifications?action=open", #"{"category":"go","n":"x"}"#)
    #expect(odd.status == 422 && odd.places == ["#/n"])
  }
}
