package import CairnCore
import CairnDefinition
import CairnRuntime
package import Foundation

/// Drives a reducer directly, and checks invariants of the engine after every transition. For example, applying the changes gives the new
/// tree, ids are not reused, every effect has a node, and replayed entries give the same state.
package struct Drive {
  package let reducer: Reducer
  package private(set) var state: State
  package private(set) var last: Transition
  package private(set) var refusal: Refusal?
  package private(set) var entries: [Entry]
  /// The violated invariants. A test expects none.
  package private(set) var broken: [String] = []
  /// The time of the machine's clock in milliseconds since 1970. It advances by 1 with each action.
  package private(set) var time = 1_000
  private var issued: Set<NodeID> = []

  /// A session of a definition written in YAML.
  package init(_ yaml: String, creation: Creation = Creation()) throws {
    try self.init(DefinitionLoader.load(file: "test.yaml", text: yaml).definition, creation: creation)
  }

  /// A session of a shipped app, or of one in another folder.
  package init(app: String, in folder: URL = Drive.apps, creation: Creation = Creation()) throws {
    let file = folder.appending(path: "\(app).yaml")
    try self.init(
      DefinitionLoader.load(file: file.lastPathComponent, text: String(contentsOf: file, encoding: .utf8)).definition, creation: creation)
  }

  package init(_ definition: Definition, creation: Creation) throws {
    reducer = Reducer(definition, zones: ZoneFiles.content)
    let stamp = Stamp(time: time, nonce: "start")
    (state, last) = try reducer.create(creation, stamp: stamp)
    entries = [Entry(revision: 1, stamp: stamp.recording(state, since: nil), cause: .creation(creation))]
    issued = Set(state.nodes.keys)
  }

  /// The folder of the shipped apps.
  package static let apps = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/apps").standardized

  /// The folder of the apps whose scenarios are acceptance cases.
  package static let acceptance = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Acceptance").standardized

  package var tree: Tree { reducer.tree(of: state) }
  package var sketch: String { tree.sketch }
  /// `performed`, `unchanged (reason)`, `pending`, or the code of the rejection.
  package var outcome: String {
    if let refusal { return refusal.code.rawValue }
    return last.outcome.rawValue + (last.reason.map { " (\($0))" } ?? "")
  }
  /// The names of the screens on the visible route.
  package var routes: [String] { reducer.routes(of: state).map(\.screen) }
  /// The events `willNavigate` as `flow step`.
  package var steps: [String] { last.events.filter { $0.type == .willNavigate }.map { "\($0.flow ?? "") \($0.step ?? "")" } }
  package var drops: [String] { last.events.filter { $0.type == .dropped }.map { "\($0.step ?? "") \($0.reason ?? "")" } }

  /// The id of the newest node with this name; 0 if there is none.
  package func id(_ name: String) -> NodeID {
    state.nodes.values.filter { $0.name == name }.map(\.id).max() ?? NodeID(0)
  }

  package mutating func step(_ name: String, _ params: [String: Value] = [:], from: NodeID? = nil) {
    run(.step(Step(name, params: params), from: from))
  }

  package mutating func post(_ command: Command) {
    do {
      run(try reducer.seal(command, for: state).action)
    } catch {
      refusal = error
    }
  }

  /// Advances the machine's clock.
  package mutating func wait(_ milliseconds: Int) { time += milliseconds }

  /// Runs an action. `covers` contains the nodes that the user had not seen, `clientTime` the time at which the user acted, and `sender` the
  /// client that numbered the action.
  package mutating func run(_ action: Action, covers: [Cover] = [], clientTime: ClientTime? = nil, sender: Sender? = nil) {
    time += 1
    let stamp = Stamp(time: state.manualTime ?? time, nonce: "nonce\(time)", sender: sender, covers: covers, clientTime: clientTime)
    let before = state
    do {
      let transition = try reducer.reduce(&state, action, stamp: stamp)
      refusal = nil
      last = transition
      if transition.outcome != .unchanged {
        entries.append(Entry(revision: state.revision, stamp: stamp.recording(state, since: before), cause: .action(action)))
      }
      check(from: before, transition)
    } catch {
      refusal = error
      last = Transition(outcome: .unchanged)
      if state != before { broken.append("a refusal left a trace") }
    }
  }

  /// Advances the manual clock.
  package mutating func advance(_ milliseconds: Int) {
    let before = state
    time += 1
    do {
      let (new, transition) = try reducer.advance(&state, by: milliseconds, nonce: "nonce\(time)")
      refusal = nil
      last = transition
      entries += new
      check(from: before, transition)
    } catch {
      refusal = error
    }
  }

  private mutating func check(from before: State, _ transition: Transition) {
    var played = reducer.tree(of: before)
    if !played.play(transition.changes) || played != tree {
      broken.append("changes \(transition.changes) on \(reducer.tree(of: before).sketch) give \(played.sketch), not \(tree.sketch)")
    }
    checkNeed(of: transition.changes, from: before)
    broken += state.faults
    let new = Set(state.nodes.keys).subtracting(before.nodes.keys)
    if !new.isDisjoint(with: issued) { broken.append("an id was used again") }
    issued.formUnion(new)
    if transition.outcome == .unchanged, state != before { broken.append("unchanged changed the state") }
    if transition.outcome != .unchanged, state.revision <= before.revision { broken.append("no new revision") }
  }

  /// Checks that no change can be omitted (of at most eight changes), and that a client that knows only the wire format gets the same tree.
  private mutating func checkNeed(of changes: [Change], from before: State) {
    let old = reducer.tree(of: before)
    for index in changes.indices where changes.count <= 8 {
      var played = old
      var others = changes
      others.remove(at: index)
      if played.play(others), played == tree { broken.append("the change \(changes[index]) is not needed") }
    }
    do {
      var client = try WireClient(old)
      for change in changes { try client.play(change) }
      if try client.tree != WireClient.read(tree) { broken.append("a client comes to another tree than \(tree.sketch)") }
    } catch {
      broken.append("a client cannot play the changes: \(error)")
    }
  }

  /// Returns the transition that an action would cause, or its refusal, without performing the action.
  package func preview(_ action: Action) -> Result<Transition, Refusal> { preview(action, at: time) }

  private func preview(_ action: Action, at time: Int) -> Result<Transition, Refusal> {
    var copy = state
    let stamp = Stamp(time: state.manualTime ?? time, nonce: "probe")
    return Result { () throws(Refusal) in try reducer.reduce(&copy, action, stamp: stamp) }
  }

  /// The steps and gestures in `accepts` that the engine rejects for a reason in the tree, and the gestures whose entry in `guarded` is
  /// wrong. A rejection of the guard's own step, or of steps that send each other, is a fault of the definition and not listed.
  package var falsePromises: [String] {
    let accepted = reducer.accepts(state)
    let structural: Set<Refusal.Code> = [.invalid, .notInContract, .hidden, .dismissed, .internalStep]
    var broken: [String] = []
    for step in accepted.steps {
      if case .failure(let refusal) = preview(.step(Step(step.step), from: nil)), structural.contains(refusal.code) {
        broken.append("\(step.step): \(refusal.code.rawValue)")
      }
    }
    for name in accepted.primitives {
      guard let action = Drive.gestures[name] else { continue }
      let isAsked = accepted.guarded.contains(name)
      let questions = Set(state.nodes.values.compactMap { $0.leave?.ask?.step })
      // Without a manual clock, `accepts` judges conditions on the time as if every moment had passed.
      switch preview(action, at: State.latestTime) {
      case .success(let transition):
        // A handler of the question may run `proceed` at once; the action is then performed.
        let isAnswered = isAsked && transition.events.contains { $0.type == .willNavigate && $0.step.map(questions.contains) == true }
        if isAsked != (transition.reason == "guarded" || isAnswered) { broken.append("\(name): \(transition.reason ?? "not asked")") }
      case .failure(let refusal): if !isAsked, refusal.code != .stepLoop { broken.append("\(name): \(refusal.code.rawValue)") }
      }
    }
    return broken
  }

  /// The gestures that need no argument.
  private static let gestures: [String: Action] = [
    "pop": .pop(count: 1, node: nil), "popToRoot": .popToRoot, "dismiss": .dismiss(node: nil), "back": .back, "logout": .logout,
  ]

  /// The state after replaying all entries.
  package func replayed() throws -> State {
    var state = try Drive.first(entries, reducer)
    for entry in entries.dropFirst() {
      if case .action(let action) = entry.cause { _ = try reducer.reduce(&state, action, stamp: entry.stamp) }
    }
    return state
  }

  private static func first(_ entries: [Entry], _ reducer: Reducer) throws -> State {
    guard let entry = entries.first, case .creation(let creation) = entry.cause else { return State() }
    return try reducer.create(creation, stamp: entry.stamp).state
  }
}
