import CairnAPI
import CairnCore
import CairnTesting
import Foundation
import Testing

@testable import CairnClient

/// The client decodes the responses that the service encodes.
@Suite struct `Responses that the client decodes` {
  private let drive: Drive

  init() throws {
    var drive = try Drive(
      """
      app: small
      language: 1
      compat: { emits: any }
      root: { flow: main }
      facts: { beta: { type: boolean, by: client } }
      screens: { home: { emits: [go], meta: { title: Home } }, detail: }
      steps: { go: { n: { type: optional integer } } }
      flows: { main: { stack: home, handle: { go: { push: detail } } } }
      links: [{ scheme: small, path: "/go", send: go }]
      """, creation: Creation(hasToken: true, manualClock: true))
    drive.step("go")
    self.drive = drive
  }

  private func read<Body: Decodable>(_ body: some JSONWritable, as type: Body.Type = Body.self) throws -> Body {
    try JSONDecoder().decode(Body.self, from: Data(try JSONText.bytes(body)))
  }

  private func written() -> SessionBody {
    var body = SessionBody(
      id: "s1", app: "small", definition: "h", label: "l", createdAt: 1_500, updatedAt: 2_000, state: drive.state, reducer: drive.reducer)
    body.expiresAt = 3_000
    return body
  }

  @Test func `a session is decoded`() throws {
    let view: SessionView = try read(written())
    #expect(view.id == "s1" && view.app == "small" && view.definition == "h" && view.label == "l" && view.revision == 2)
    #expect(view.createdAt == Date(timeIntervalSince1970: 1.5) && view.updatedAt == Date(timeIntervalSince1970: 2))
    #expect(view.expiresAt == Date(timeIntervalSince1970: 3) && view.now != nil)
    #expect(view.tree == drive.tree && view.stack == drive.reducer.routes(of: drive.state) && view.visible?.screen == "detail")
    #expect(view.accepts == drive.reducer.accepts(drive.state) && view.login.status == .loggedIn && view.facts == ["accessToken": true])
    #expect(view.secret == nil && view.opened == nil && view.json["label"] == "l")
  }

  @Test func `a created session is decoded with the outcome of its link`() throws {
    var body = written()
    body.secret = "cs_1"
    body.opened = .performed(ActionBody(drive.last, revision: 2, seen: Seen(drive.state, drive.reducer)))
    let performed: SessionView = try read(body)
    guard case .performed(let answer)? = performed.opened else { throw CancellationError() }
    #expect(answer.outcome == .performed && answer.tree == drive.tree && performed.secret == "cs_1")
    body.opened = .refused(Problem(Refusal(.unknownLink, "no")))
    guard case .refused(let problem)? = try read(body, as: SessionView.self).opened else { throw CancellationError() }
    #expect(problem.code == "unknown-link" && problem.detail == "no")
  }

  @Test func `responses to an action, to several actions and to a plan are decoded`() throws {
    let seen = Seen(drive.state, drive.reducer)
    let one: ActionAnswer = try read(ActionBody(drive.last, revision: 2, seen: seen))
    #expect(one.outcome == .performed && one.changes == drive.last.changes && one.events == drive.last.events && one.tree == drive.tree)
    #expect(one.revision == 2 && !one.isPlan && one.visible?.screen == "detail" && one.stack?.count == 2 && one.heldLink == nil)
    let single: ActionAnswer = try read(ActionBody(drive.last, revision: 2))
    #expect(single.tree == nil && single.stack == nil && single.visible == nil)
    let all: ActionsAnswer = try read(ActionsBody(revision: 2, answers: [ActionBody(drive.last, revision: 2)], seen: seen))
    #expect(all.answers.count == 1 && all.tree == drive.tree && all.revision == 2)
    let link = LinkBody(TakenLink(index: 0, values: [:]), of: drive.reducer.definition)
    let plan: ActionAnswer = try read(ActionBody(drive.last, revision: 2, seen: seen, plan: PlanBody(link: link)))
    #expect(plan.isPlan && plan.heldLink == nil && plan.json.at(["link", "path"]) == "/go")
  }

  @Test func `the id of a held link is decoded, and can be cancelled`() throws {
    let held = Transition(outcome: .pending, reason: "guarded", events: [Event(.linkHeld, url: "u", link: LinkID(4))], changes: [])
    let answer: ActionAnswer = try read(ActionBody(held, revision: 3))
    #expect(answer.outcome == .pending && answer.reason == "guarded" && answer.events.first?.link == LinkID(4))
  }

  @Test func `an answer says whether the client leaves the app`() throws {
    let agreed = Transition(outcome: .performed, events: [Event(.questionEnded, reason: "answered"), Event(.exit)], changes: [])
    #expect(try read(ActionBody(agreed, revision: 3), as: ActionAnswer.self).exits)
    let stayed = Transition(outcome: .performed, events: [Event(.questionEnded, reason: "stayed")], changes: [])
    #expect(try !read(ActionBody(stayed, revision: 3), as: ActionAnswer.self).exits)
  }

  @Test func `an entry is equal in the history and in the stream`() throws {
    var entry = try #require(drive.entries.last)
    entry.author = "ops"
    let kept = try #require(try read(HistoryBody(entries: [EntryBody(entry, drive.last)], next: "/n"), as: HistoryPage.self).entries.first)
    let heard: HistoryEntry = try read(ChangeBody(entry, drive.last))
    for told in [kept, heard] {
      #expect(told.revision == 2 && told.by == "ops" && told.outcome == .performed && told.changes == drive.last.changes)
      #expect(told.cause == ["step": "go"] && told.at == Date(timeIntervalSince1970: Double(entry.stamp.time) / 1_000))
    }
    #expect(try read(HistoryBody<EntryBody>(entries: [], next: nil), as: HistoryPage.self).hasMore == false)
    #expect(try read(HistoryBody<EntryBody>(entries: [], next: "/n"), as: HistoryPage.self).hasMore)
  }

  @Test func `an app, its versions and the response to a put are decoded`() throws {
    let app: AppDescription = try read(AppBody(drive.reducer.definition, hash: "h"))
    #expect(app.app == "small" && app.definition == "h" && app.steps.first?.params == ["n": "integer?"])
    #expect(app.screens.map(\.screen) == ["detail", "home"] && app.screens.last?.meta == ["title": "Home"])
    #expect(app.screens.last?.emits == ["go"] && app.screens.first?.emits == nil)
    #expect(app.flows.first?.handles == ["go"] && app.flows.first?.container == "stack")
    #expect(app.facts.first { $0.fact == "beta" }?.by == "client" && app.links.first?.steps == ["go"])
    let version: AppVersion = try read(VersionsBody.Version(definition: "h", current: true, since: 1_000, by: nil, sessions: 4))
    #expect(version.isCurrent && version.sessions == 4 && version.since == Date(timeIntervalSince1970: 1) && version.by == nil)
    let put: PutAnswer = try read(PublishedBody(app: "a", definition: "h", changed: false, warnings: [.init("w", line: 2)]))
    #expect(!put.isChanged && put.warnings == [["message": "w", "line": 2]])
  }

  @Test func `a page of sessions is decoded`() throws {
    let page: SessionPage = try read(SessionsBody(sessions: [SessionItem(written())], damaged: ["s2"], next: "/n"))
    let item = try #require(page.sessions.first)
    #expect(item.id == "s1" && item.label == "l" && item.visible?.screen == "detail" && item.createdAt == Date(timeIntervalSince1970: 1.5))
    #expect(page.damaged == ["s2"] && page.next == "/n")
    let last: SessionPage = try read(SessionsBody<SessionItem>(sessions: [], next: nil))
    #expect(last.sessions.isEmpty && last.damaged == [] && last.next == nil)
  }

  @Test func `every kind of pending item is decoded`() throws {
    var state = State()
    state.pendingLinks = [PendingLink(id: LinkID(2), url: "u", until: 1_000)]
    state.effects = [
      Effect(id: 1, owner: NodeID(3), start: 0, work: .timer(name: "t", step: CairnCore.Step("tick"), delay: 5, period: nil, ticks: 0)),
      Effect(
        id: 2, owner: NodeID(4), start: 0,
        work: .request(url: "u", bearer: false, delay: 0, then: nil, otherwise: nil, terms: CallTerms(method: .put, timeout: 2_000))),
      Effect(id: 3, owner: nil, start: 0, work: .exchange()),
    ]
    let items: [PendingItem] = try read(PendingBody.all(of: state))
    #expect(items.map(\.kind) == ["link", "timer", "load", "token"])
    #expect(items[0].link == LinkID(2) && items[0].url == "u" && items[0].until == Date(timeIntervalSince1970: 1))
    #expect(
      items[1].node == NodeID(3) && items[1].step == "tick" && items[1].name == "t" && items[1].due == Date(timeIntervalSince1970: 0.005))
    #expect(items[2].method == "PUT" && items[2].until == Date(timeIntervalSince1970: 2))
  }

  @Test func `unknown members and events of a newer service are ignored`() throws {
    let text =
      #"{"outcome":"performed","revision":2,"changes":[],"visible":null,"newer":[1],"#
      + #""events":[{"type":"sungAlong"},{"type":"didNavigate","new":1}]}"#
    let answer = try JSONDecoder().decode(ActionAnswer.self, from: Data(text.utf8))
    #expect(answer.events.map(\.type) == [.didNavigate] && answer.json["newer"] == [1])
    let without = try JSONDecoder().decode(
      ActionAnswer.self, from: Data(#"{"outcome":"unchanged","reason":"at-root","revision":2,"changes":[]}"#.utf8))
    #expect(without.events == [] && without.reason == "at-root")
  }

  @Test(arguments: [
    #"{"outcome":"sung","revision":2,"changes":[]}"#, #"{"outcome":"performed","changes":[]}"#, #"{"outcome":"performed","revision":2}"#,
    #"{"outcome":"performed","revision":2,"changes":[{"op":"fly"}]}"#, #"{"outcome":"performed","revision":"2","changes":[]}"#, "[]",
  ]) func `a response without a required member is rejected`(text: String) {
    #expect(throws: (any Error).self) { try JSONDecoder().decode(ActionAnswer.self, from: Data(text.utf8)) }
  }

  @Test(arguments: [#"{"kind":"timer","due":"soon"}"#, #"{"kind":"timer","node":"3"}"#, #"{"kind":"link","link":"n3"}"#, #"{"due":null}"#])
  func `an invalid time or id is rejected`(text: String) {
    #expect(throws: (any Error).self) { try JSONDecoder().decode(PendingItem.self, from: Data(text.utf8)) }
  }

  @Test func `a JSON value is unchanged by decoding and encoding`() throws {
    let value: Value = ["a": [.null, true, 0, 1, .integer(.min), .integer(.max), .number(0.5), "é\u{0}", [], [:]], "": "b"]
    #expect(try read(value, as: Value.self) == value)
    #expect(try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)) == value)
  }
}
