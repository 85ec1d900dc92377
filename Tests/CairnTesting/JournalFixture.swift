package import CairnCore
import CairnDefinition
import CairnJournal
import Foundation

/// A recorded journal with the definition of its session, its entries, and the resulting state.
///
/// The files never change. Only the parser below reads their format, and it rejects unknown members. The definitions in the files have the words of an earlier
/// version of the language.
package struct JournalFixture {
  package let definition: String
  package let entries: [Entry]
  package let state: State

  /// The names of the recorded journals, sorted.
  package static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".json") }.sorted()

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../CairnCoreTests/Journals")
    .standardized

  /// Reads a file of the folder.
  package init(_ name: String) throws {
    let bytes = try Array(Data(contentsOf: Self.folder.appending(path: name)))
    var journal = try FixtureMembers(JSONDocument.read(bytes, depthLimit: 64) { $0.value })
    let written = try journal.string("definition")
    definition = DefinitionFix(written)?.text ?? written
    entries = try journal.elements("entries").map { try Entry(fixture: $0) }
    state = try State(fixture: journal.value("state"))
    try journal.end()
  }

  /// A member is missing, unknown or of another type.
  package struct Misfit: Error, CustomStringConvertible { package let description: String }
}

/// The members of an object. Each of them must be read.
private struct FixtureMembers {
  private var rest: [String: Value]

  init(_ value: Value) throws {
    guard case .object(let members) = value else { throw JournalFixture.Misfit(description: "not an object: \(value)") }
    rest = members
  }

  mutating func optional(_ name: String) -> Value? { rest.removeValue(forKey: name) }

  mutating func value(_ name: String) throws -> Value {
    guard let value = optional(name) else { throw JournalFixture.Misfit(description: "\(name) is missing") }
    return value
  }

  mutating func string(_ name: String) throws -> String { try Self.string(value(name)) }

  mutating func integer(_ name: String) throws -> Int { try Self.integer(value(name)) }

  mutating func bool(_ name: String) throws -> Bool { try Self.bool(value(name)) }

  mutating func node(_ name: String) throws -> NodeID { try Self.node(value(name)) }

  mutating func elements(_ name: String) throws -> [Value] { try Self.elements(value(name)) }

  mutating func members(_ name: String) throws -> [String: Value] { try FixtureMembers(value(name)).rest }

  func end() throws {
    guard rest.isEmpty else { throw JournalFixture.Misfit(description: "unknown members: \(rest.keys.sorted())") }
  }

  static func string(_ value: Value) throws -> String {
    guard case .string(let text) = value else { throw JournalFixture.Misfit(description: "not a string: \(value)") }
    return text
  }

  static func integer(_ value: Value) throws -> Int {
    guard case .integer(let number) = value else { throw JournalFixture.Misfit(description: "not an integer: \(value)") }
    return number
  }

  static func bool(_ value: Value) throws -> Bool {
    guard case .bool(let flag) = value else { throw JournalFixture.Misfit(description: "not a boolean: \(value)") }
    return flag
  }

  static func node(_ value: Value) throws -> NodeID {
    guard let id = NodeID(try string(value)) else { throw JournalFixture.Misfit(description: "not a node: \(value)") }
    return id
  }

  static func elements(_ value: Value) throws -> [Value] {
    guard case .array(let elements) = value else { throw JournalFixture.Misfit(description: "not an array: \(value)") }
    return elements
  }

  /// Parses a case of an enum from its raw value.
  static func word<Word: RawRepresentable<String>>(_ value: Value) throws -> Word {
    guard let word = Word(rawValue: try string(value)) else { throw JournalFixture.Misfit(description: "an unknown word: \(value)") }
    return word
  }
}

extension Entry {
  fileprivate init(fixture: Value) throws {
    var members = try FixtureMembers(fixture)
    var stamp = try FixtureMembers(members.value("stamp"))
    self.init(
      revision: try members.integer("revision"), stamp: Stamp(time: try stamp.integer("time"), nonce: try stamp.string("nonce")),
      cause: try Cause(fixture: members.value("cause")))
    try stamp.end()
    try members.end()
  }
}

extension Entry.Cause {
  /// Parses an action as the store does, with numbers of nodes and without a member for a secret.
  fileprivate init(fixture: Value) throws {
    guard case .object(var cause) = fixture else { throw JournalFixture.Misfit(description: "not a cause: \(fixture)") }
    if let creation = cause["creation"] {
      self = .creation(try Creation(fixture: creation))
      return
    }
    if case .object(var action)? = cause["action"] {
      for name in ["node", "from"] {
        if let node = action[name] { action[name] = .integer(try FixtureMembers.node(node).number) }
      }
      if action.removeValue(forKey: "accessToken") != nil, action["type"] != "token" {
        throw JournalFixture.Misfit(description: "accessToken in \(action)")
      }
      cause["action"] = .object(action)
    }
    var writer = JSONWriter()
    Value.object(cause).write(to: &writer)
    self = try CauseFormat.read(try writer.bytes(), version: CauseFormat.version).cause
  }
}

extension Creation {
  fileprivate init(fixture: Value) throws {
    var members = try FixtureMembers(fixture)
    self.init(
      hasToken: try members.bool("hasToken"), facts: try members.members("facts"),
      environment: try members.members("environment").mapValues(FixtureMembers.string), manualClock: try members.bool("manualClock"))
    try members.end()
  }
}

extension State {
  fileprivate init(fixture: Value) throws {
    var members = try FixtureMembers(fixture)
    self.init(
      revision: try members.integer("revision"), root: try members.node("root"),
      environment: try members.members("environment").mapValues(FixtureMembers.string),
      manualTime: try members.optional("manualTime").map(FixtureMembers.integer))
    nextNode = try members.integer("nextNode")
    let all = try members.members("nodes").values.map { try Node(fixture: $0) }.sorted { $0.id < $1.id }
    for node in all { NodeFilling.put(node, into: &nodes) }
    // Children are linked once all nodes exist.
    for node in all { nodes[node.id] = node }
    facts = try members.members("facts")
    effects = try members.elements("effects").map { try Effect(fixture: $0) }
    nextEffect = try members.integer("nextEffect")
    var login = try FixtureMembers(members.value("login"))
    self.login = Login(status: try FixtureMembers.word(login.value("status")))
    tokenWrites = try members.integer("tokenWrites")
    guard try members.elements("listeners").isEmpty else { throw JournalFixture.Misfit(description: "listeners are not read") }
    try login.end()
    try members.end()
  }
}

extension Node {
  fileprivate init(fixture: Value) throws {
    var members = try FixtureMembers(fixture)
    self.init(
      id: try members.node("id"), kind: try FixtureMembers.word(members.value("kind")), name: try members.string("name"),
      flow: try members.optional("flow").map(FixtureMembers.string), owner: try members.optional("owner").map(FixtureMembers.node),
      parent: try members.optional("parent").map(FixtureMembers.node))
    children = try members.elements("children").map(FixtureMembers.node)
    selected = try members.optional("selected").map(FixtureMembers.integer)
    presented = try members.optional("presented").map(FixtureMembers.node)
    style = try members.optional("style").map { try FixtureMembers.word($0) }
    params = try members.members("params")
    isEnded = try members.bool("ended")
    var listen = try FixtureMembers(members.value("listen"))
    self.listen = Listen(hidden: try listen.bool("hidden"), dismissed: try listen.bool("dismissed"))
    try listen.end()
    if let value = members.optional("content") {
      var content = try FixtureMembers(value)
      self.content = Content(
        status: try FixtureMembers.word(content.value("status")), value: content.optional("value"),
        error: try content.optional("error").map(FixtureMembers.string))
      try content.end()
    }
    try members.end()
  }
}

extension Effect {
  /// The recorded states contain only timers.
  fileprivate init(fixture: Value) throws {
    var members = try FixtureMembers(fixture)
    var work = try FixtureMembers(members.value("work"))
    var timer = try FixtureMembers(work.value("timer"))
    var step = try FixtureMembers(timer.value("step"))
    self.init(
      id: try members.integer("id"), owner: try members.optional("owner").map(FixtureMembers.node), start: try members.integer("start"),
      work: .timer(
        name: try timer.optional("name").map(FixtureMembers.string),
        step: Step(try step.string("step"), params: try step.members("params")), delay: try timer.integer("delay"),
        period: try timer.optional("period").map(FixtureMembers.integer), ticks: try timer.integer("ticks")),
      whileVisible: try members.bool("whileVisible"))
    try step.end()
    try timer.end()
    try work.end()
    try members.end()
  }
}
