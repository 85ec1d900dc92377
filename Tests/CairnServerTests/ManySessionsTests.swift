import CairnAPI
import CairnCore
import CairnServer
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Requests about many sessions` {
  let workshop: Workshop
  let key = Workshop.operatorKey

  init() throws { workshop = try Workshop(sessionTTL: 86_400_000) }

  private func ids(_ reply: Reply) -> [String] {
    guard case .array(let items)? = reply["sessions"] else { return [] }
    return items.compactMap { if case .string(let id)? = $0["id"] { id } else { nil } }
  }

  @Test func `sessions are listed by definition and age, as a time, a date or an interval`() throws {
    let shop = try workshop.session("shop")
    let lab = try workshop.session("lab")
    guard case .string(let definition)? = lab.created["definition"] else { throw Workshop.NoSession(reply: lab.created) }
    #expect(try ids(workshop.send("GET", "/v1/sessions?definition=\(definition)", as: key)) == [lab.id])
    for query in ["created_after=1h", "created_after=2020-02-29", "created_before=9999-12-31T23:59:59.999Z"] {
      #expect(try ids(workshop.send("GET", "/v1/sessions?\(query)", as: key)) == [shop.id, lab.id])
    }
    for query in ["created_before=1h", "created_before=2020-02-29T00:00:00Z", "created_after=9999-01-01"] {
      #expect(try ids(workshop.send("GET", "/v1/sessions?\(query)", as: key)).isEmpty)
    }
    for time in ["yesterday", "2020-02-30", "2020-02-29T24:00:00Z", "2020-02-29T00:00:00", "-1d", "2020-2-9", ""] {
      let reply = try workshop.send("GET", "/v1/sessions?created_before=\(time)", as: key)
      #expect(reply.status == 422 && reply.code == "invalid", "\(time)")
    }
  }

  @Test func `only an operator can delete sessions by a filter, and the filter is required`() throws {
    let shops = try (0..<3).map { _ in try workshop.session("shop", #","label":"qa run""#) }
    let lab = try workshop.session("lab")
    let refused = try workshop.send("DELETE", "/v1/sessions?label=qa+run", as: lab.secret)
    #expect(refused.status == 403 && refused.code == "operator-only")
    #expect(try workshop.send("DELETE", "/v1/sessions?label=qa+run").status == 401)
    let all = try workshop.send("DELETE", "/v1/sessions", as: key)
    #expect(all.status == 422 && all.code == "invalid")
    #expect(try workshop.send("DELETE", "/v1/sessions?lable=x&label=qa", as: key).status == 422)
    let first = try workshop.send("DELETE", "/v1/sessions?label=qa+run&limit=2", as: key)
    #expect(first.status == 200 && first["ended"] == 2)
    guard case .string(let next)? = first["next"] else { throw Workshop.NoSession(reply: first) }
    #expect(try workshop.send("DELETE", next, as: key).json == ["ended": 1])
    #expect(try shops.allSatisfy { try $0.get().status == 401 })
    #expect(try lab.get().status == 200)
    #expect(workshop.log.all.contains { $0.contains("audit") && $0.contains("end-sessions") && $0.contains("label=qa%20run") })
  }

  @Test(arguments: [
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "99999999999999999999999999999999", "1e999", "0x7f",
    "99999999999999d", "\(String(repeating: "9", count: 400))d", "9999-12-31T23:59:59.9999999999Z", "00001970-01-01", "0000-00-00", "nan",
    "inf",
  ]) func `a number of any size in a query is handled without a fault`(text: String) throws {
    let lab = try workshop.session("lab")
    for name in ["limit", "created_before", "created_after"] {
      let reply = try workshop.send("GET", "/v1/sessions?\(name)=\(text)", as: key)
      #expect(reply.status == 422 || reply.status == 200, "\(name)=\(text)")
    }
    for path in ["?revision=\(text)", "/history?after=\(text)", "/history?limit=\(text)", "/history?after=\(text)&limit=1000"] {
      let reply = try workshop.send("GET", "/v1/sessions/\(lab.id)\(path)", as: lab.secret)
      #expect([200, 404, 422].contains(reply.status), "\(path)")
    }
  }

  @Test func `responses contain the time at which a session expires`() throws {
    let lab = try workshop.session("lab")
    guard case .string(let updated)? = lab.created["updatedAt"], let time = Timestamp(updated) else {
      throw Workshop.NoSession(reply: lab.created)
    }
    let end = Value.string(Timestamp.text(time.milliseconds + 86_400_000))
    #expect(lab.created["expiresAt"] == end)
    #expect(try lab.get()["expiresAt"] == end)
    let list = try workshop.send("GET", "/v1/sessions", as: key)
    guard case .array(let items)? = list["sessions"] else { throw Workshop.NoSession(reply: list) }
    #expect(items.compactMap { $0["expiresAt"] } == [end])
  }

  @Test(arguments: [
    ("1970-01-01", 0), ("2000-03-01", 951_868_800_000), ("2024-02-29T23:59:59.999Z", 1_709_251_199_999),
    ("2024-12-31T23:59:59Z", 1_735_689_599_000), ("9999-12-31T23:59:59.9Z", 253_402_300_799_900),
  ])
  func `times are parsed and printed in the same form`(_ text: String, _ milliseconds: Int) {
    #expect(Timestamp(text)?.milliseconds == milliseconds)
    #expect(Timestamp(Timestamp.text(milliseconds))?.milliseconds == milliseconds)
  }
}
