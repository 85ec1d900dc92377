import CairnCore
import CairnServer
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Posts that were made for an old definition` {
  /// A session that has moved to the second version.
  private func moved(_ more: String = "") throws -> Kiosk {
    let kiosk = try Kiosk(session: more)
    try kiosk.session.readTerms(1)
    #expect(try kiosk.session.move(to: kiosk.new).revision == 3)
    return kiosk
  }

  private func terms(_ page: Int, _ hash: String) -> String {
    #"{"step":"termsAreRequired","params":{"page":\#(page)},"definition":"\#(hash)"}"#
  }

  @Test func `a post with the hash of the session's own definition is performed as it is`() throws {
    let kiosk = try Kiosk()
    let reply = try kiosk.session.act(terms(2, kiosk.old))
    #expect(reply.status == 200 && reply.pages == ["home", "terms 2"])
    _ = try kiosk.session.move(to: kiosk.new)
    let now = try kiosk.session.act(#"{"step":"conditionsAreRequired","params":{"number":3},"definition":"\#(kiosk.new)"}"#)
    #expect(now.status == 200 && now.pages == ["home", "conditions 2", "conditions 3"])
  }

  @Test func `an old step is performed under its new name, which the history shows`() throws {
    let kiosk = try moved()
    let reply = try kiosk.session.act(terms(2, kiosk.old))
    #expect(reply.status == 200 && reply.revision == 4 && reply.pages == ["home", "conditions 1", "conditions 2"])
    #expect(
      try kiosk.session.entries(after: 3).map { $0["cause"] } == [
        ["step": "conditionsAreRequired", "params": ["number": 2]]
      ])
    // Without the hash the old name is unknown.
    #expect(try kiosk.session.readTerms(2).status == 422)
  }

  @Test func `old names are translated through a chain`() throws {
    let kiosk = try moved()
    _ = try kiosk.session.move(to: try kiosk.putThird())
    #expect(try kiosk.session.act(terms(2, kiosk.old)).pages == ["home", "policy 1", "policy 2"])
    let later = #"{"step":"conditionsAreRequired","params":{"number":3},"definition":"\#(kiosk.new)"}"#
    #expect(try kiosk.session.act(later).pages == ["home", "policy 1", "policy 2", "policy 3"])
  }

  @Test func `all actions of an array are translated, also if only one names the definition`() throws {
    let kiosk = try moved()
    let pop = #"{"type":"popTo","screen":"terms"}"#
    let reply = try kiosk.session.act("[\(terms(2, kiosk.old)),\(terms(3, kiosk.old)),\(pop),{\"type\":\"pop\"}]")
    #expect(reply.status == 200 && reply.pages == ["home", "conditions 1", "conditions 2"])
    let routes = #"[{"type":"set","stack":[{"screen":"home"},{"screen":"terms","params":{"page":9}}],"definition":"\#(kiosk.old)"}]"#
    #expect(try kiosk.session.act(routes, as: Workshop.operatorKey).pages == ["home", "conditions 9"])
  }

  @Test func `a plan translates too, and changes nothing`() throws {
    let kiosk = try moved()
    let before = try kiosk.session.whole()
    let reply = try kiosk.session.post("actions?plan", terms(2, kiosk.old))
    #expect(reply.status == 200 && reply["plan"] == true && reply.pages == ["home", "conditions 1", "conditions 2"])
    #expect(try kiosk.session.whole() == before)
  }

  @Test func `a repeat with its key gets the response of the translated post`() throws {
    let kiosk = try moved()
    let key = [("Idempotency-Key", "a-key-of-an-old-client")]
    let first = try kiosk.session.act(terms(2, kiosk.old), headers: key)
    _ = try kiosk.session.move(to: try kiosk.putThird())
    let again = try kiosk.session.act(terms(2, kiosk.old), headers: key)
    #expect(first.status == 200 && first.pages == ["home", "conditions 1", "conditions 2"])
    #expect(again.status == 200 && again.text == first.text && again.headers["idempotency-replayed"] == "true")
    #expect(try kiosk.session.get().revision == 5)
  }

  @Test func `a repeat gets its first response, also if the session's definition now leaves these facts to operators`() throws {
    let kiosk = try Kiosk()
    let (key, facts) = ([("Idempotency-Key", "a-key-of-a-new-client")], #"{"type":"facts","set":{"seen":7},"definition":"\#(kiosk.new)"}"#)
    let first = try kiosk.session.act(facts, headers: key)
    _ = try kiosk.session.move(to: kiosk.new)
    let again = try kiosk.session.act(facts, headers: key)
    #expect(first.status == 409 && first.code == "definition-changed")
    #expect(again.text == first.text && again.headers["idempotency-replayed"] == "true")
    #expect(try kiosk.session.act(facts).code == "operator-only")
  }

  /// Posts that have no equivalent in the second version, with `OLD` for the old hash, and the reasons.
  private static let lost = [
    (#"{"step":"adIsClicked","definition":"OLD"}"#, "the step adIsClicked was removed"),
    (#"[{"type":"pop","definition":"OLD"},{"step":"adIsClicked"}]"#, "the step adIsClicked was removed"),
    (#"{"type":"popTo","screen":"ads","definition":"OLD"}"#, "the screen ads was removed"),
    (#"{"type":"push","screen":"ads","definition":"OLD"}"#, "the screen ads was removed"),
    (#"{"type":"facts","set":{"visits":7},"definition":"OLD"}"#, "setting the fact seen requires an operator's key"),
  ]

  @Test(arguments: 0..<5, ["actions", "actions?plan"]) func `a post without an equivalent is refused, and nothing happens`(
    number: Int, path: String
  ) throws {
    let kiosk = try moved()
    let (body, reason) = Self.lost[number]
    let before = try kiosk.session.whole()
    let reply = try kiosk.session.post(path, body.replacing("OLD", with: kiosk.old))
    #expect(reply.status == 409 && reply.code == "definition-changed")
    #expect(reply["definition"] == .string(kiosk.new))
    #expect(try reply["accepts"] == kiosk.session.get()["accepts"])
    #expect(reply["detail"] == .string("the session now has the definition \(kiosk.new.prefix(12)), and \(reason)"))
    #expect(try kiosk.session.whole() == before)
  }

  @Test func `a refusal with a key is repeated`() throws {
    let kiosk = try moved()
    let key = [("Idempotency-Key", "a-key-of-an-old-client")]
    let body = #"{"step":"adIsClicked","definition":"\#(kiosk.old)"}"#
    let (first, again) = (try kiosk.session.act(body, headers: key), try kiosk.session.act(body, headers: key))
    #expect(first.status == 409 && first.code == "definition-changed" && first["accepts"] != nil && first["definition"] != nil)
    #expect(again.text == first.text && again.headers["idempotency-replayed"] == "true")
    #expect(try kiosk.session.get().revision == 3)
  }

  @Test func `a definition from which no migration leads is refused`() throws {
    let kiosk = try Kiosk()
    for hash in [Kiosk.unknown, kiosk.new] {
      let reply = try kiosk.session.act(terms(2, hash))
      #expect(reply.status == 409 && reply.code == "definition-changed" && reply["definition"] == .string(kiosk.old))
      #expect(
        reply["detail"]
          == .string(
            "the session now has the definition \(kiosk.old.prefix(12)), and no migration leads from "
              + "the definition for which the request was made to the current one"
          ))
    }
    #expect(try kiosk.session.get().revision == 1)
  }

  @Test func `a malformed hash and two different ones are mistakes of the body`() throws {
    let kiosk = try moved()
    for hash in ["", "x", kiosk.old.uppercased(), String(kiosk.old.dropLast())] {
      let reply = try kiosk.session.act(terms(2, hash))
      #expect(reply.status == 422 && reply.code == "invalid" && reply.places == ["#/definition"], "\(hash)")
    }
    #expect(try kiosk.session.act(#"{"type":"pop","definition":7}"#).places == ["#/definition"])
    let both = try kiosk.session.act("[\(terms(2, kiosk.old)),\(terms(2, kiosk.new))]")
    #expect(both.status == 422 && both.code == "invalid" && both.places == ["#/1/definition"])
    #expect(try kiosk.session.get().revision == 3)
  }

  @Test func `a client sets its facts under their old names, but not those of operators`() throws {
    let kiosk = try moved(#","facts":{"visits":5}"#)
    #expect(try kiosk.session.get()["facts"] == ["accessToken": false, "seen": 5])
    let set = try kiosk.session.act(#"{"type":"facts","set":{"nick":"Bo"},"definition":"\#(kiosk.old)"}"#)
    #expect(try set.status == 200 && kiosk.session.get()["facts"] == ["accessToken": false, "alias": "Bo", "seen": 5])
    let both = #"{"type":"facts","set":{"nick":"Al","visits":7},"definition":"\#(kiosk.old)"}"#
    #expect(try kiosk.session.act(both).code == "definition-changed")
    #expect(try kiosk.session.act(#"{"type":"facts","set":{"seen":7}}"#).code == "operator-only")
    #expect(try kiosk.session.act(#"{"type":"facts","set":{"seen":7},"definition":"\#(kiosk.new)"}"#).code == "operator-only")
    #expect(try kiosk.session.act(#"{"type":"facts","set":{"seen":7},"definition":"\#(kiosk.old)"}"#).code == "definition-changed")
    #expect(try kiosk.session.get()["facts"] == ["accessToken": false, "alias": "Bo", "seen": 5])
    let operators = try kiosk.session.act(both, as: Workshop.operatorKey)
    #expect(try operators.status == 200 && kiosk.session.get()["facts"] == ["accessToken": false, "alias": "Al", "seen": 7])
  }
}
