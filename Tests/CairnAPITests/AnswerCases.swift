import CairnAPI
import CairnCore
import CairnDefinition
import CairnTesting
import Foundation

/// Responses of every kind, each with a name. They are made from recorded journals and from values that are hard to encode.
enum AnswerCases {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  /// The recorded responses by name.
  static func recorded() throws -> [String: Value] {
    let file = tests.appending(path: "CairnAPITests/Answers.json")
    guard case .object(let recorded) = try FoundationJSON.value(Data(contentsOf: file)) else { return [:] }
    return recorded
  }

  /// Replaces the recorded responses, which is right only for an intended change.
  static func record(_ made: [(name: String, bytes: [UInt8])]) throws {
    let lines = made.sorted { $0.name < $1.name }.map { name, bytes in
      "\"\(name)\":\(String(decoding: bytes.dropLast(), as: UTF8.self))"
    }
    let file = tests.appending(path: "CairnAPITests/Answers.json")
    try "{\n\(lines.joined(separator: ",\n"))\n}\n".write(to: file, atomically: true, encoding: .utf8)
  }

  /// The current responses by name.
  static func made() throws -> [(name: String, bytes: [UInt8])] {
    try ["flow-controller-modal", "flow-controller-push", "load-studies", "qiita", "rxflow-demo", "shop"].flatMap(answers) + plain()
  }

  /// The responses of a session that replays a journal.
  private static func answers(_ app: String) throws -> [(name: String, bytes: [UInt8])] {
    let journal = try JournalFixture("\(app).json")
    let definition = try DefinitionLoader.load(canonical: journal.definition).definition
    let reducer = Reducer(definition)
    var state = State()
    var answers = [("\(app) itself", try JSONText.bytes(AppBody(definition, hash: "a-hash")))]
    answers.append(("\(app) before it starts", try session(state, reducer)))
    for entry in journal.entries {
      let transition: Transition
      switch entry.cause {
      case .creation(let creation): (state, transition) = try reducer.create(creation, stamp: entry.stamp)
      case .action(let action): transition = try reducer.reduce(&state, action, stamp: entry.stamp)
      case .replacement: throw CancellationError()
      }
      let name = "\(app) at \(entry.revision)"
      let isMinimal = entry.revision % 2 == 0
      let body = ActionBody(transition, revision: state.revision, seen: Seen(state, reducer, isMinimal: isMinimal))
      answers.append(("\(name), the answer", try JSONText.bytes(body)))
      answers.append(("\(name), the history", try JSONText.bytes(HistoryBody(entries: [EntryBody(entry, transition)], next: nil))))
      if entry.revision % 3 == 0 { answers.append(("\(name), the session", try session(state, reducer))) }
    }
    return answers
  }

  private static func session(_ state: State, _ reducer: Reducer) throws -> [UInt8] {
    try JSONText.bytes(
      SessionBody(
        id: "s1", app: reducer.definition.app, definition: "a-hash", label: state.revision > 0 ? "l\"abel" : nil, createdAt: 0,
        updatedAt: 1_700_000_000_001, state: state, reducer: reducer))
  }

  private static func plain() throws -> [(name: String, bytes: [UInt8])] {
    let values: Value = [
      "": .null, "a": [true, false, [], [:]], "b": [.integer(.min), 0, .integer(.max)],
      "c": [
        .number(0.1), .number(-1.5e-9), .number(1e300), .number(.leastNonzeroMagnitude), .number(9_223_372_036_854_775_808),
        .number(1.0 / 3),
      ],
      "d": "\u{0}\u{1}\u{8}\u{9}\u{A}\u{B}\u{C}\u{D}\u{1F}\u{7F}\"\\/<&>\u{2028}é\u{1F600}", "é\"\u{A}": ["x": ["y": "z"]],
    ]
    var problem = Problem(.invalid, "wrong", errors: [.init("a", pointer: "#/x"), .init("b", parameter: "y")])
    problem.instance = "urn:cairn:request:1"
    problem.index = 3
    problem.revision = 4
    problem.traceId = "t"
    let route = Action.Route("s", params: ["a": .null])
    let actions: [Action] = [
      .step(Step("s"), from: nil), .step(Step("s", params: ["a": 1]), from: NodeID(3)), .pop(count: 1, node: nil),
      .pop(count: 3, node: nil),
      .pop(count: 1, node: NodeID(1)), .popTo(.screen("s")), .popTo(.node(NodeID(4))), .popToRoot, .dismiss(node: nil),
      .dismiss(node: NodeID(1)), .select(.tab(0), node: nil), .select(.flow("f"), node: NodeID(1)), .push(route), .push(Action.Route("p")),
      .present(route, style: .alert, node: NodeID(1), replace: true), .present(route, style: .sheet, node: nil, replace: false),
      .set([route, route]), .remove(node: NodeID(1)), .login(hasCode: true, state: "s", error: nil, byOperator: false),
      .login(hasCode: false, state: nil, error: "e", byOperator: true), .logout, .token, .facts(["a": .null, "b": [1]]), .facts([:]),
      .open(url: "u"), .notification(url: nil, category: nil, tap: false, appState: .killed),
      .notification(url: "u", category: "c", tap: true, appState: .foreground), .advance(to: 5), .effect(id: 1, .due(tick: 2)),
      .effect(id: 1, .loaded(.null)), .effect(id: 1, .loaded(["a": 1])), .effect(id: 1, .failed("r")), .effect(id: 1, .exchanged),
    ]
    let node = Tree(id: NodeID(5), kind: .oneOf, name: "n")
    let changes: [Change] = [
      .push(in: NodeID(1), node: node), .pop(in: NodeID(1), to: NodeID(2)), .set(in: NodeID(1), children: [node, node]),
      .set(in: NodeID(1), children: []), .replace(at: NodeID(1), node: node), .remove(node: NodeID(1)), .present(on: NodeID(1), node: node),
      .dismiss(node: NodeID(1)), .select(in: NodeID(1), index: 2),
    ]
    let transition = Transition(
      outcome: .unchanged, reason: "no-change",
      events: [Event(.loadFailed, flow: "f", node: NodeID(2), step: Step("s", params: ["a": 1]), reason: "r", url: "u", category: "c")],
      changes: changes)
    let creation = Creation(hasToken: true, facts: ["f": 1], environment: ["NAME": "a-value"], manualClock: true)
    let causes = [Entry.Cause.creation(creation), .creation(Creation())] + actions.map(Entry.Cause.action)
    let entries = causes.enumerated().map { index, cause in
      EntryBody(Entry(revision: index, stamp: Stamp(time: index * 1_000, nonce: "n"), cause: cause), transition)
    }
    return [
      ("values", try JSONText.bytes(values)), ("problem", try JSONText.bytes(problem)),
      ("problem without more", try JSONText.bytes(Problem(.storage, "s"))),
      ("readiness", try JSONText.bytes(ReadinessBody([.init("journal"), .init("store", fault: "going down")]))),
      ("apps", try JSONText.bytes(AppsBody(apps: [.init(app: "a", definition: "d")]))),
      ("history", try JSONText.bytes(HistoryBody(entries: entries, next: "/next"))),
    ]
  }
}
