import CairnCore
import CairnTesting
import Testing

/// An app in three versions, and a session that began with the first version. The second version is published too, with a migration to it.
struct Kiosk {
  let workshop: Workshop
  /// The hashes of the first two versions.
  let old, new: String
  let session: Driven

  /// Creates the session. `more` contains further members of its creation, each with a leading comma. Without `migration`, no migration document is put.
  init(_ workshop: Workshop? = nil, session more: String = "", migration: String? = Kiosk.migration) throws {
    let workshop = try workshop ?? Workshop()
    old = try workshop.put(definition: Self.first)
    session = try workshop.session("kiosk", more)
    new = try workshop.put(definition: Self.second)
    self.workshop = workshop
    if let migration { #expect(try workshop.put(migration: migration, from: old, to: new).status == 200) }
  }

  /// Puts the third version, and the migration from the second one to it. Returns its hash.
  func putThird() throws -> String {
    let third = try workshop.put(definition: Self.third)
    #expect(try workshop.put(migration: Self.secondMigration, from: new, to: third).status == 200)
    return third
  }

  /// The hash of no definition.
  static let unknown = String(repeating: "0", count: 64)

  static let first = """
    app: kiosk
    language: 1
    compat: { emits: any }
    root: { flow: main, start: begin }
    facts:
      visits: { type: integer, default: 0, by: client }
      nick: { type: string, by: client }
    screens:
      home: { emits: [termsAreRequired, adIsClicked, adFillsScreen, sleep] }
      terms: { params: { page: integer } }
      ads:
    steps:
      begin:
      termsAreRequired: { page: integer }
      adIsClicked:
      adFillsScreen:
      sleep:
      wake:
    flows:
      main:
        stack: []
        handle:
          begin: { set: [home] }
          termsAreRequired: { push: terms, with: { page: $page } }
          adIsClicked: { push: ads }
          adFillsScreen: { set: [ads] }
          sleep: { timer: { after: 10s, send: wake, name: alarm } }
          wake: { push: terms, with: { page: 100 } }
    """

  /// The screen, its step and its param have other names, the ads were removed, and only operators set the number of visits.
  static let second = """
    app: kiosk
    language: 1
    compat: { emits: any }
    root: { flow: main, start: begin }
    facts:
      seen: { type: integer, default: 0 }
      alias: { type: string, by: client }
    screens:
      home: { emits: [conditionsAreRequired, sleep] }
      conditions: { params: { number: integer } }
    steps:
      begin:
      conditionsAreRequired: { number: integer }
      sleep:
      wake:
    flows:
      main:
        stack: []
        handle:
          begin: { set: [home] }
          conditionsAreRequired: { push: conditions, with: { number: $number } }
          sleep: { timer: { after: 10s, send: wake, name: alarm } }
          wake: { push: conditions, with: { number: 100 } }
    """

  static let third = second.replacing("conditionsAreRequired", with: "policyIsRequired").replacing("conditions", with: "policy")

  static let migration = """
    screens:
      terms: { to: conditions, params: { number: $page } }
      ads: { popTo: home }
    steps:
      termsAreRequired: { to: conditionsAreRequired, params: { number: $page } }
      adIsClicked: remove
      adFillsScreen: remove
    facts:
      visits: { to: seen }
      nick: { to: alias }
    """

  static let secondMigration = """
    screens:
      conditions: { to: policy }
    steps:
      conditionsAreRequired: { to: policyIsRequired }
    """
}

extension Workshop {
  /// Puts a definition of an app, and returns its hash.
  func put(definition text: String, of app: String = "kiosk") throws -> String {
    let reply = try send("PUT", "/v1/apps/\(app)", text, as: Workshop.operatorKey, type: "application/yaml")
    return try #require(reply["definition"]?.word, "\(reply.text)")
  }

  func put(
    migration text: String, from: String, to: String, as key: String? = Workshop.operatorKey, type: String? = "application/yaml",
    headers: [(String, String)] = []
  ) throws -> Reply {
    try send("PUT", "/v1/apps/kiosk/migrations/\(from)/\(to)", text, as: key, type: type, headers: headers)
  }
}

extension Driven {
  /// Moves the session to a definition.
  func move(to hash: String, _ query: String = "", as key: String = Workshop.operatorKey, headers: [(String, String)] = []) throws -> Reply
  {
    try post("migrate\(query)", #"{"to":"\#(hash)"}"#, as: key, headers: headers)
  }

  /// Returns the session to a revision. `more` contains further members of the body, each with a leading comma.
  func undo(to revision: Int, _ more: String = "", as key: String = Workshop.operatorKey, headers: [(String, String)] = []) throws -> Reply
  {
    try post("undo", #"{"revision":\#(revision)\#(more)}"#, as: key, headers: headers)
  }

  /// Posts the step of the first version that pushes a page of the terms.
  @discardableResult func readTerms(_ page: Int) throws -> Reply {
    try act(#"{"step":"termsAreRequired","params":{"page":\#(page)}}"#)
  }

  /// The session's body, and the history from the first entry on. A refused request leaves both unchanged.
  func whole() throws -> [String] { try [get().text, get("/history").text] }
}

extension Reply {
  /// The screens on the stack, each with its number, such as `terms 2`.
  var pages: [String] {
    guard case .array(let stack)? = self["stack"] else { return [] }
    return stack.map { route in
      let name = route["screen"]?.word ?? ""
      if case .object(let params)? = route["params"], case .integer(let number)? = params.values.first { return "\(name) \(number)" }
      return name
    }
  }

  /// The details of the errors, each with its place.
  var faults: [String] {
    guard case .array(let errors)? = self["errors"] else { return [] }
    return errors.map { error in
      guard case .integer(let line)? = error["line"], case .integer(let column)? = error["column"] else { return "nowhere" }
      return "\(line):\(column): \(error["detail"]?.word ?? "")"
    }
  }
}
