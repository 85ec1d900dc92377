import CairnTesting
import Testing

@testable import CairnCore

/// Runs each action of a user after each kind of entry of another client that the user has not seen.
@Suite struct `Actions of a user who has not seen what others put on top` {
  private static let app = """
    app: lift
    language: 1
    root: app
    screens:
      login: { emits: [loginDone] }
      list: { emits: { jobPicked: { id: string } } }
      job: { params: { id: string }, emits: { noteAsked: , jobClosed: , pickAsked: , noted: { text: string }, formAsked: , goneHome: , alarmRaised: , tabPicked: { tab: integer } } }
      form: { emits: [formSent] }
      note: { emits: { noteSaved: , written: { text: string } } }
      pick: { emits: { picked: { part: string } } }
      inbox: { emits: [] }
      alarm: { emits: [alarmSeen] }
      urgent: { emits: [alarmSeen] }
      mine: { emits: [alarmSeen] }
      lock: { emits: [alarmSeen] }
      done:
      page:
      other:
      message:
    steps:
      partFound: { part: string }
    notifications:
      take:
        - { category: modalOnRoot, how: foreground, send: modalOnRoot, to: root }
        - { category: modalOnFlow, how: foreground, send: modalOnFlow, to: jobs }
        - { category: modalOnScreen, how: foreground, send: modalOnScreen, to: jobs }
        - { category: level, how: foreground, send: level, to: root }
        - { category: queued, how: foreground, send: queued, to: root }
        - { category: locked, how: foreground, send: locked, to: root }
        - { category: pushed, how: foreground, send: pushed, to: jobs }
        - { category: switched, how: foreground, send: switched, to: main }
        - { category: switchedAndPushed, how: foreground, send: switchedAndPushed, to: main }
        - { category: changed, how: foreground, send: changed, to: jobs }
        - { category: replaced, how: foreground, send: replaced, to: jobs }
        - { category: popped, how: foreground, send: popped, to: jobs }
        - { category: loggedOut, how: foreground, send: loggedOut, to: root }
    flows:
      app:
        switch: [main, out]
        handle:
          modalOnRoot: { present: alarm }
          level: { present: urgent, level: 5 }
          queued: { present: urgent, level: 5, queue: true }
          locked: { present: lock, level: 9, sealed: true }
          alarmSeen: dismiss
          loggedOut: { set: out }
          loginDone: { set: main }
          alarmRaised: { present: mine, level: 5 }
      out: { stack: login }
      main:
        tabs: [jobs, inboxes]
        handle:
          switched: { select: 1 }
          switchedAndPushed: [{ send: messageCame, to: inboxes }, { select: 1 }]
          tabPicked: { select: $tab }
      inboxes: { stack: inbox, handle: { messageCame: { push: message } } }
      jobs:
        stack: list
        handle:
          jobPicked: { push: job, with: { id: $id }, content: { text: "" } }
          jobClosed: pop
          noteAsked: { present: note, of: screen, content: { text: "" } }
          noteSaved: dismiss
          noted: { content: { text: $text } }
          written: { content: { text: $text } }
          pickAsked: { push: { flow: picker, then: { step: partFound, with: { part: $result.part } } } }
          partFound: { content: { part: $part } }
          formAsked: { push: form }
          formSent: { push: done }
          goneHome: popToRoot
          modalOnFlow: { present: alarm }
          modalOnScreen: { present: alarm, of: screen }
          pushed: { push: page }
          changed: { content: { office: 1 }, of: job }
          replaced: { replace: other }
          popped: popToRoot
      picker: { stack: pick, gives: { part: string }, handle: { picked: { finish: { part: $part } } } }
    """

  /// The actions of a user, who begins on the page of a job. The newest node of the named screen sends each action.
  enum Doing: String, CaseIterable, CustomTestStringConvertible {
    case push, presentAndDismiss, present, popByStep, give, write, select, selectAndReturn, popToRoot, back, backAndOpen, pushAndBack,
      level, dismiss

    var testDescription: String { rawValue }

    var actions: [(screen: String, action: (NodeID, Drive) -> Action)] {
      func step(_ screen: String, _ name: String, _ params: [String: Value] = [:]) -> (String, (NodeID, Drive) -> Action) {
        (screen, { node, _ in .step(Step(name, params: params), from: node) })
      }
      func gesture(_ screen: String, _ gesture: @escaping (Drive) -> Gesture) -> (String, (NodeID, Drive) -> Action) {
        (screen, { node, drive in .gesture(gesture(drive), from: node) })
      }
      let tabs: (Int) -> (Drive) -> Gesture = { index in { .select(.tab(index), node: $0.id("main")) } }
      return switch self {
      case .push: [step("job", "formAsked"), step("form", "formSent")]
      case .presentAndDismiss: [step("job", "noteAsked"), step("note", "written", ["text": "a"]), step("note", "noteSaved")]
      case .present: [step("job", "noteAsked")]
      case .popByStep: [step("job", "jobClosed")]
      case .give: [step("job", "pickAsked"), step("pick", "picked", ["part": "p7"])]
      case .write: [step("job", "noted", ["text": "hello"])]
      case .select: [gesture("job", tabs(1))]
      case .selectAndReturn: [gesture("job", tabs(1)), gesture("inbox", tabs(0)), step("job", "formAsked")]
      case .popToRoot: [step("job", "goneHome"), step("list", "jobPicked", ["id": "2"])]
      case .back: [gesture("job") { _ in .back }]
      case .backAndOpen: [gesture("job") { _ in .back }, step("list", "jobPicked", ["id": "2"])]
      case .pushAndBack: [step("job", "formAsked"), gesture("form") { _ in .back }, gesture("job") { _ in .back }]
      case .level: [step("job", "alarmRaised"), step("mine", "alarmSeen")]
      case .dismiss: [step("job", "noteAsked"), gesture("note") { _ in .dismiss(node: nil) }]
      }
    }
  }

  private func start() throws -> Drive {
    var drive = try Drive(Self.app)
    drive.step("jobPicked", ["id": "1"])
    return drive
  }

  private func come(_ category: String, _ drive: inout Drive) {
    drive.run(.notification(url: nil, category: category, tap: false, appState: .foreground))
  }

  /// Runs the user's actions. The user has not seen the covers that `book` contains. Returns the outcomes.
  private func act(_ doing: Doing, _ drive: inout Drive, _ book: inout CoverBook) -> [String] {
    doing.actions.map { screen, action in
      let before = drive.state
      drive.run(action(drive.id(screen), drive), covers: book.covers(since: 0))
      book.note(from: before, to: drive.state, isOwn: true)
      return drive.outcome
    }
  }

  /// The outcomes and the tree if another client acts first and the user has not seen the result.
  private func late(_ doing: Doing, after category: String) throws -> (outcomes: [String], tree: String, drive: Drive) {
    var drive = try start()
    var book = CoverBook()
    let before = drive.state
    come(category, &drive)
    book.note(from: before, to: drive.state, isOwn: false)
    let outcomes = act(doing, &drive, &book)
    #expect(drive.broken == [])
    return (outcomes, drive.sketch, drive)
  }

  /// The outcomes and the tree if the user acts before the other client.
  private func early(_ doing: Doing, before category: String) throws -> (outcomes: [String], tree: String) {
    var drive = try start()
    var book = CoverBook()
    let outcomes = act(doing, &drive, &book)
    come(category, &drive)
    return (outcomes, drive.sketch)
  }

  @Test(
    arguments: ["modalOnRoot", "modalOnFlow", "modalOnScreen", "level", "queued", "pushed", "switched", "switchedAndPushed", "changed"],
    Doing.allCases)
  func `no action is refused, and the tree is that of a user who acted first`(category: String, doing: Doing) throws {
    let (late, early) = (try late(doing, after: category), try early(doing, before: category))
    switch (category, doing) {
    // The user selects the tab that the other client has already selected, so the action changes nothing.
    case ("switched", .select), ("switchedAndPushed", .select):
      #expect(late.outcomes == ["unchanged (no-change)"] && late.tree == early.tree)
    case ("switched", .selectAndReturn), ("switchedAndPushed", .selectAndReturn):
      #expect(late.outcomes == ["unchanged (no-change)", "performed", "performed"])
      #expect(late.tree.hasPrefix("app{main<*jobs[list, job(id: 1)~{text:}, form], inboxes["))
    // The changed page was removed together with its content.
    case ("changed", .popToRoot), ("changed", .backAndOpen):
      #expect(late.outcomes == early.outcomes && late.tree == early.tree.replacing("~{office:1,text:}", with: "~{text:}"))
    default: #expect(late.outcomes == early.outcomes && late.tree == early.tree)
    }
  }

  @Test(arguments: Doing.allCases) func `nothing under a sealed modal is reached`(doing: Doing) throws {
    let late = try late(doing, after: "locked")
    #expect(late.outcomes.allSatisfy { ["hidden", "invalid", "dismissed"].contains($0) })
    #expect(late.drive.routes.last == "lock")
  }

  @Test func `an action on a page that others have removed is refused`() throws {
    for category in ["replaced", "popped", "loggedOut"] {
      #expect(try late(.push, after: category).outcomes.first == "dismissed", "\(category)")
      #expect(try late(.back, after: category).outcomes == ["dismissed"], "\(category)")
    }
  }

  @Test(arguments: [["modalOnFlow", "level", "modalOnRoot"], ["modalOnRoot", "modalOnFlow"]])
  func `modals come back in the order in which they came, in front of the user's own`(categories: [String]) throws {
    var drive = try start()
    var book = CoverBook()
    var others: [NodeID] = []
    for category in categories {
      let before = drive.state
      come(category, &drive)
      others.append(NodeID(drive.state.nextNode - 1))
      book.note(from: before, to: drive.state, isOwn: false)
    }
    #expect(act(.present, &drive, &book) == ["performed"])
    let note = drive.id("note")
    // A modal on a higher level is in front of the others, and modals without a level are behind all levels.
    for node in others.reversed().sorted(by: { drive.state[$0]?.level ?? 0 > drive.state[$1]?.level ?? 0 }) {
      #expect(drive.state.frontLayer == node)
      drive.run(.gesture(.dismiss(node: nil), from: nil))
    }
    #expect(drive.state.frontLayer == note && drive.broken == [])
  }

  @Test(arguments: ["pushed", "modalOnScreen", "modalOnRoot", "level"], [Doing.push, .present])
  func `what another client has done late stays under what came before it`(category: String, doing: Doing) throws {
    var drive = try start()
    var (first, second) = (CoverBook(), CoverBook())
    let before = drive.state
    come(category, &drive)
    first.note(from: before, to: drive.state, isOwn: false)
    second.note(from: before, to: drive.state, isOwn: false)
    let others = drive.state
    #expect(act(doing, &drive, &first).allSatisfy { $0 == "performed" })
    second.note(from: others, to: drive.state, isOwn: false)
    let front = drive.routes.last
    // The second client has seen neither the others' entry nor the actions of the first client.
    let lifted = drive.state
    drive.run(.step(Step("noted", params: ["text": "two"]), from: drive.id("job")), covers: second.covers(since: 0))
    #expect(drive.outcome == "performed", "\(category), \(doing)")
    #expect(drive.routes.last == front && drive.broken == [])
    #expect(Set(drive.state.nodes.records.map(\.nodeID)) == Set(lifted.nodes.records.map(\.nodeID)))
  }

  @Test func `a page that replaces another page of others is lifted off, unless the user has seen the other page`() throws {
    var drive = try start()
    var book = CoverBook()
    var revisions: [Int] = []
    for category in ["pushed", "replaced"] {
      let before = drive.state
      come(category, &drive)
      book.note(from: before, to: drive.state, isOwn: false)
      revisions.append(drive.state.revision)
    }
    #expect(drive.sketch.contains("*jobs[list, job(id: 1)~{text:}, other]"))
    #expect(book.covers(since: revisions[0]) == [])
    #expect(act(.push, &drive, &book) == ["performed", "performed"])
    #expect(drive.sketch.contains("*jobs[list, job(id: 1)~{text:}, form, done, other]") && drive.broken == [])
  }

  @Test func `the last tab that the user has tapped is selected, even if the taps name only the tabs`() throws {
    var drive = try start()
    var book = CoverBook()
    let before = drive.state
    come("switched", &drive)
    book.note(from: before, to: drive.state, isOwn: false)
    for tab in [1, 0] {
      let before = drive.state
      drive.run(.gesture(.select(.tab(tab), node: nil), from: drive.id("main")), covers: book.covers(since: 0))
      book.note(from: before, to: drive.state, isOwn: true)
    }
    #expect(drive.sketch.hasPrefix("app{main<*jobs[") && drive.broken == [])
  }

  @Test func `a modal that comes back keeps its place in the stored state`() throws {
    let drive = try late(.present, after: "modalOnScreen").drive
    var read = StateFormat.empty
    read.nodes = drive.reducer.emptyTable
    read = try StateFormat.state(StateFormat.snapshot(drive.state), version: StateFormat.version, over: read)
    #expect(read == drive.state)
    #expect(drive.reducer.routes(of: read).map(\.screen) == drive.routes)
  }
}
