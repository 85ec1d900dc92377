import CairnCore
import CairnServer
import CairnStore
import CairnTesting
import Testing

/// Numbers in a session's file are validated when they are read. A file with a number out of bounds is refused as a whole.
@Suite(.tags(.timing), .ownThreads) struct `Numbers in an imported file` {
  private static let most = "9223372036854775807"
  private static let least = "-9223372036854775808"

  /// A session with a timer, a held token and two screens. Only its newest state is left.
  private func file(_ workshop: Workshop, isManual: Bool) throws -> ForgedFile {
    let session = try workshop.session("lab", isManual ? #","clock":"manual""# : "")
    _ = try session.act(#"{"step":"go","params":{"n":2}}"#)
    _ = try session.act(#"{"type":"back"}"#)
    _ = try session.act(#"{"step":"tick"}"#)
    _ = try session.act(#"{"step":"go","params":{"n":3}}"#)
    _ = try session.post("forget", "{}", as: Workshop.operatorKey)
    return ForgedFile(try session.export().text)
  }

  private func count(_ workshop: Workshop) throws -> Int {
    let reply = try workshop.send("GET", "/v1/sessions?limit=100", as: Workshop.operatorKey)
    guard reply.status == 200, case .array(let sessions)? = reply["sessions"] else { throw Workshop.NoSession(reply: reply) }
    return sessions.count
  }

  private static func cases(_ file: ForgedFile) -> [(what: String, file: ForgedFile)] {
    var cases: [(what: String, file: ForgedFile)] = []
    for number in [most, least, "-1"] {
      cases += [
        ("createdAt \(number)", file.head("createdAt", number)), ("first \(number)", file.head("first", number)),
        ("the time of the first state \(number)", file.beginning("at", number)),
        ("the revision of the first state \(number)", file.beginning("beginning", number)),
        ("revision \(number)", file.state("r", number)), ("next node \(number)", file.state("N", number)),
        ("next effect \(number)", file.state("E", number)), ("next link \(number)", file.state("k", number)),
        ("token writes \(number)", file.state("t", number)), ("rejected token \(number)", file.state("u", number)),
        ("manual time \(number)", file.state("m", number)), ("time in the background \(number)", file.state("a", number)),
        ("root \(number)", file.state("o", number)), ("number of a client's action \(number)", file.state("i", #"{"c":\#(number)}"#)),
        ("start of an effect \(number)", file.state(replacing: #""start":[0-9]+"#, with: #""start":\#(number)"#)),
        ("delay \(number)", file.state(replacing: #""delay":[0-9]+"#, with: #""delay":\#(number)"#)),
        ("ticks \(number)", file.state(replacing: #""ticks":[0-9]+"#, with: #""ticks":\#(number)"#)),
        ("period \(number)", file.state(replacing: #""ticks":"#, with: #""period":\#(number),"ticks":"#)),
        ("a node's id \(number)", file.state(replacing: #"\{"i":1,"#, with: #"{"i":\#(number),"#)),
        ("a node's parent \(number)", file.state(replacing: #""p":1"#, with: #""p":\#(number)"#)),
      ]
    }
    return cases + [
      ("a next node that exists", file.state("N", "1")), ("a next node of 33 bits", file.state("N", "8589934592")),
      ("a next effect without room for many", file.state("E", "9007199254740991")),
      ("token writes without room for many", file.state("t", "9007199254740991")),
      ("a next effect that runs", file.state("E", "1")),
      ("a period of nothing", file.state(replacing: #""ticks":"#, with: #""period":0,"ticks":"#)),
      ("a node of 33 bits", file.state(replacing: #""p":1"#, with: #""p":8589934593"#)),
      ("the year 10000", file.head("createdAt", "253402300800000")),
    ]
  }

  @Test(arguments: [true, false])
  func `a number that is out of bounds is refused wherever it stands, nothing is kept, and the service goes on`(isManual: Bool) throws {
    let workshop = try Workshop()
    let file = try file(workshop, isManual: isManual)
    let before = try count(workshop)
    for (what, forged) in Self.cases(file) where isManual || !what.hasPrefix("manual time") {
      #expect(forged.bytes != file.bytes, "\(what) changes nothing of the file")
      let reply = try workshop.take(forged.bytes)
      #expect(reply.status == 422 && reply.code == "invalid-session-file", "\(what): \(reply.status) \(reply.text)")
    }
    #expect(try count(workshop) == before)
    let copy = try workshop.began(workshop.take(file.bytes))
    #expect(try copy.get().status == 200 && copy.act(#"{"step":"go","params":{"n":5}}"#).status == 200)
  }

  @Test func `the highest numbers that are taken leave room for every action`() throws {
    let workshop = try Workshop()
    let file = try file(workshop, isManual: true)
    let most = "4503599627370495"
    for (what, forged) in [
      ("next effect", file.state("E", most)), ("next link", file.state("k", most)), ("token writes", file.state("t", most)),
      ("next node", file.state("N", "2147483647")), ("manual time", file.state("m", "253402300799999")),
      ("ticks", file.state(replacing: #""ticks":[0-9]+"#, with: #""ticks":\#(most)"#)),
    ] {
      let copy = try workshop.began(workshop.take(forged.bytes))
      for action in [
        #"{"step":"tick"}"#, #"{"step":"go","params":{"n":1}}"#, #"{"type":"token","accessToken":"x"}"#, #"{"type":"advance","by":"3h"}"#,
      ] {
        let reply = try copy.act(action, as: Workshop.operatorKey)
        #expect(reply.status < 500, "\(what): \(action): \(reply.text)")
      }
      for view in ["", "/replica", "/history", "/history?as=scenario"] { #expect(try copy.get(view).status < 500, "\(what): \(view)") }
    }
    #expect(try count(workshop) == 7)
  }

  @Test func `a jump of the ids costs no memory for actions that name nodes by the action that made them`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab", #","clock":"manual""#)
    let client = String(repeating: "c", count: 22)
    _ = try session.act(#"{"client":"\#(client)","first":1,"actions":[{"step":"go","params":{"n":1}}]}"#)
    let file = ForgedFile(try session.export().text).state(replacing: #""N":[0-9]+"#, with: #""N":2000000000"#)
    // The entry leads to another state than the file contains.
    #expect(try workshop.take(file.bytes).code == "invalid-session-file")
  }
}
