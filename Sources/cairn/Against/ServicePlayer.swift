import CairnAPI
import CairnCore
import CairnScenario
import Foundation

/// Plays a scenario over HTTP on a session of a running service. The session's clock and requests are manual, so that a scenario has the
/// same result here and in process.
struct ServicePlayer: Player {
  private let client: ServiceClient
  let definition: Definition
  /// A run of the same scenario in process. It determines the actions to post when the scenario contains an HTTP response.
  private var twin: ScenarioRun
  private var path = ""
  /// The newest node of each name, including nodes that have been removed.
  private var names: [String: NodeID] = [:]
  /// The tree of the last response; `nil` before the first response.
  private var tree: Tree?
  /// Maps each random OAuth state of the service's session to the name that the run in process gives it. A name contains the number of the
  /// action that created the state.
  private var states: [String: String] = [:]
  private var count = 0
  /// The revision that the client shows while it has no network.
  private var seen = 0

  /// Creates a player. `definition` must equal the definition that the service serves.
  init(_ client: ServiceClient, _ definition: Definition) {
    self.client = client
    self.definition = definition
    twin = ScenarioRun(definition)
  }

  mutating func start(_ given: Scenario.Given) throws -> Played {
    _ = try twin.start(given)
    var body: [String: Value] = [
      "app": .string(definition.app), "clock": given.time.map { .string(Timestamp.text($0)) } ?? "manual", "requests": "manual",
      "label": "cairn test",
      "environment": .object(given.environment.mapValues(Value.string)), "facts": .object(given.facts),
    ]
    if let token = given.accessToken { body["accessToken"] = .string(token) }
    switch given.arrival {
    case .open(let url)?: body["open"] = .string(url)
    case .notification(let payload, _, _, _, _)?: body["notification"] = payload
    default: break
    }
    let created = try client.send("POST", "/v1/sessions", .object(body))
    guard created.status == 201, case .string(let id)? = created.body["id"] else { throw Played.Refusal(created) }
    path = "/v1/sessions/\(id)"
    if given.arrival != nil { count += 1 }
    try remember(created.body)
    // The first history entry contains the outcome of the creation.
    let history = try client.send("GET", "\(path)/history?limit=1")
    var first = Played(history.body["entries"]?.elements.first ?? .null)
    first.changes = []
    guard let opened = created.body["opened"] else { return first }
    if opened["code"] != nil { return Played(Played.Refusal(ServiceClient.Answer(status: 409, body: opened))) }
    var played = Played(opened)
    played.events = first.events + played.events
    return played
  }

  mutating func play(_ occurrence: Scenario.Occurrence) throws -> Played {
    var queue = twin.queue
    if twin.isHolding { queue?.appendContact() }
    let twins = try twin.play(occurrence)
    if case .offline = occurrence {
      if let report = twin.queue?.report {
        count += 1
        _ = try client.send("POST", "\(path)/actions", report)
      }
      if case .integer(let revision)? = try client.send("GET", path).body["revision"] { seen = Int(revision) }
      return twins
    }
    guard case .response = occurrence else {
      var played = if case .online = occurrence, let queue { try deliver(queue) } else { try post(occurrence) }
      // In process, a timer that is due adds an advance by 0. This advance is posted as well, so that the timer also runs in the service's
      // session.
      for part in twin.performed.dropFirst() where played.refusal == nil { played.addConsequences(try post(part)) }
      return played
    }
    // The session in process refused the occurrence, so nothing is posted to the service.
    if twins.refusal != nil { return twins }
    var played = Played(outcome: "unchanged")
    for part in twin.performed {
      let next = try post(part)
      if case .advance(0) = part { played.addConsequences(next) } else { played.add(next) }
      if played.refusal != nil { return played }
    }
    // If the response in process was ignored, no action was posted to the service, so the outcome is copied.
    if twins.outcome == "unchanged" { (played.outcome, played.reason) = (twins.outcome, twins.reason) }
    return played
  }

  /// Posts the actions that were queued while the client had no network, as numbered actions.
  private mutating func deliver(_ queue: OfflineQueue) throws -> Played {
    var played = Played(outcome: "unchanged")
    played.refusals = []
    for body in queue.bodies(seen: seen) {
      let actions = body["actions"]?.elements ?? []
      count += actions.count
      let answer = try client.send("POST", "\(path)/actions", body)
      guard answer.status < 300 else { return Played(Played.Refusal(answer)) }
      try remember(answer.body)
      for (action, item) in zip(actions, answer.body["answers"]?.elements ?? []) {
        if let problem = item["error"] {
          played.add(Played.Refusal(ServiceClient.Answer(status: answer.status, body: problem)), of: action)
        } else {
          played.add(Played(item))
        }
      }
    }
    return played
  }

  private mutating func post(_ occurrence: Scenario.Occurrence) throws -> Played {
    let state = tree.flatMap(\.openState)
    if case .actions(let actions) = occurrence { count += actions.count } else { count += 1 }
    let answer =
      switch occurrence {
      case .action(let action): try client.send("POST", "\(path)/actions", action.naming(names, state: state))
      case .actions(let actions): try client.send("POST", "\(path)/actions", Value.array(actions).naming(names, state: state))
      case .open(let url):
        try client.send("POST", "\(path)/open", ["url": .string(url.replacing("{state}", with: state ?? "{state}"))])
      case .notification(let payload, let tap, let appState, let action, let reply):
        try client.send("POST", "\(path)/notifications?tap=\(tap)&state=\(appState.rawValue)", Self.body(payload, action, reply))
      case .advance(let milliseconds): try client.send("POST", "\(path)/actions", ["type": "advance", "by": .string("\(milliseconds)ms")])
      case .answer(let answer): try client.send("POST", "\(path)/actions", answer.action)
      case .undo(let revision): try client.send("POST", "\(path)/undo", ["revision": .integer(revision)])
      case .migrate, .response, .offline, .online:
        throw Played.Refusal(code: "invalid", detail: "answer is not an action of the API; use loaded, failed or exchangeFailed")
      }
    guard answer.status < 300 else { return Played(Played.Refusal(answer)) }
    try remember(answer.body)
    guard case .array(let answers)? = answer.body["answers"] else { return Played(answer.body) }
    return answers.map(Played.init).reduce(into: Played(outcome: "unchanged")) { $0.add($1) }
  }

  func look() throws -> Look {
    let session = try client.send("GET", path).body
    var facts: [String: Value] = if case .object(let facts)? = session["facts"] { facts } else { [:] }
    // In process, the fact is either `true` or missing.
    if facts[FactDefinition.accessToken] == false { facts[FactDefinition.accessToken] = nil }
    let pending = session["pending"]?.elements ?? []
    return Look(
      tree: called(try session["tree"].map(Self.tree)?.sketch ?? ""),
      stack: session["stack"]?.elements.compactMap { $0["screen"]?.text } ?? [],
      visible: session.at(["visible", "screen"])?.text, facts: facts, login: session.at(["login", "status"])?.text ?? "",
      accepts: session.at(["accepts", "steps"])?.elements.compactMap { $0["step"]?.text } ?? [],
      guarded: session.at(["accepts", "guarded"])?.elements.compactMap(\.text) ?? [],
      question: pending.first { $0["kind"] == "question" }?["name"]?.text,
      pendingLinks: pending.filter { $0["kind"] == "link" }.compactMap { $0["url"]?.text },
      waiting: pending.filter { $0["kind"] == "modal" || $0["kind"] == "overlay" }.compactMap { $0["name"]?.text },
      loads: pending.count { $0["kind"] == "load" && $0["waits"] != true },
      messages: pending.filter { $0["kind"] == "message" }.compactMap { $0["key"]?.text })
  }

  /// Deletes the session from the service.
  func end() { if !path.isEmpty { _ = try? client.send("DELETE", path) } }

  /// A notification's payload, with the button and the reply.
  private static func body(_ payload: Value, _ action: String?, _ reply: String?) -> Value {
    guard case .object = payload else { return payload }
    var members = ["payload": payload]
    members["action"] = action.map(Value.string)
    members["reply"] = reply.map(Value.string)
    return .object(members)
  }

  private mutating func remember(_ body: Value) throws {
    guard let value = body["tree"] else { return }
    let tree = try Self.tree(value)
    for node in tree.nodes.sorted(by: { $0.id < $1.id }) { names[node.name] = node.id }
    self.tree = tree
    if let state = tree.openState, states[state] == nil { states[state] = "state\(count)" }
  }

  /// Replaces the OAuth states in a text with their names in process, and removes code challenges, which only the service can create.
  private func called(_ text: String) -> String {
    states.reduce(text) { $0.replacing($1.key, with: $1.value) }
      .replacing(/&code_challenge=[A-Za-z0-9_-]{43}&code_challenge_method=S256/, with: "")
  }

  private static func tree(_ value: Value) throws -> Tree { try JSONDecoder().decode(Tree.self, from: JSONEncoder().encode(value)) }
}

extension Tree {
  /// The node and all nodes below it, including nodes on levels.
  fileprivate var nodes: [Tree] {
    [self] + below.flatMap(\.nodes)
  }

  /// The OAuth state of the newest open login page, from the page's authorize URL; `nil` if no login page is open.
  fileprivate var openState: String? {
    nodes.sorted { $0.id > $1.id }.lazy.compactMap { node in
      let texts = (node.params ?? [:]).values.flatMap(\.texts) + (node.content?.value?.texts ?? [])
      return texts.lazy.compactMap { URLComponents(string: $0)?.queryItems?.first { $0.name == "state" }?.value }.first
    }.first
  }
}

extension Value {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  var elements: [Value] { if case .array(let elements) = self { elements } else { [] } }

  /// All strings in the value.
  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.texts)
    case .object(let members): members.values.flatMap(\.texts)
    default: []
    }
  }
}

extension RequestAnswer {
  /// The action in the form in which it is posted.
  fileprivate var action: Value {
    var action: [String: Value] = ["type": "answer"]
    if let effect { action["effect"] = .integer(effect) }
    switch end {
    case .loaded(let value): action["loaded"] = value
    case .failed(let reason): action["failed"] = .string(reason)
    case .exchanged(let token): action["exchanged"] = .string(token)
    case .exchangeFailed(let reason): action["exchangeFailed"] = .string(reason)
    }
    return .object(action)
  }
}

extension Played {
  /// Reads the response to an action, or an entry of the history.
  fileprivate init(_ answer: Value) {
    self.init(
      outcome: answer["outcome"]?.text ?? "", reason: answer["reason"]?.text,
      events: (answer["events"]?.elements ?? []).map {
        Event(type: $0["type"]?.text ?? "", flow: $0["flow"]?.text, step: $0["step"]?.text, reason: $0["reason"]?.text)
      },
      changes: (answer["changes"]?.elements ?? []).compactMap { $0["op"]?.text })
  }
}

extension Played.Refusal {
  fileprivate init(_ problem: ServiceClient.Answer) {
    let errors = (problem.body["errors"]?.elements ?? []).map { error in
      [error["pointer"]?.text.map { String($0.drop { $0 == "#" }) }, error["detail"]?.text].compactMap(\.self).joined(separator: ": ")
    }
    let detail = ([problem.body["detail"]?.text ?? "status \(problem.status)"] + errors).joined(separator: "; ")
    self.init(code: problem.body["code"]?.text ?? "status-\(problem.status)", detail: detail)
  }
}
