import CairnCore
import CairnScenario
import CairnTesting
import Foundation

/// The sessions by which engines are compared.
enum EngineSessions {
  /// All apps in Tests/Acceptance.
  static let acceptanceApps: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: Drive.acceptance.path)) ?? []
    return files.filter { $0.hasSuffix(".yaml") && !$0.hasSuffix(".scenarios.yaml") }.map { String($0.dropLast(5)) }.sorted()
  }()
  static let apps = ["bank", "delivery", "flow-controller-modal", "flow-controller-push", "load-studies", "qiita", "rxflow-demo", "shop"]

  /// Values at the edges of their types. The texts are canonical equivalents, joined emoji, and control characters.
  static let values: [Value] = [
    .integer(.max), .integer(.min), .integer(9_007_199_254_740_993), .integer(-4_294_967_297), 0, .number(0.1), .number(-0.0),
    .number(.leastNonzeroMagnitude), .number(.greatestFiniteMagnitude), .number(Double(bitPattern: 0x000F_FFFF_FFFF_FFFF)), .number(1e21),
    .number(123_456_789_012_345_680), "\u{E9}", "e\u{301}", "\u{212B}", "\u{1F469}\u{200D}\u{1F467}", "\u{0}\t\"\\\u{2028}", .null, true,
    ["x": [1, .number(2.5)]],
  ]

  /// A session of a shipped app, or of an app in Tests/Acceptance, with random steps and gestures.
  static func app(_ name: String, in folder: URL = Drive.apps, seed: Int, count: Int = 60) throws -> EngineRecording {
    let reducer = try Drive(app: name, in: folder).reducer
    var session = try EngineRecording(reducer.definition)
    var chance = Chance(seed: UInt64(seed) &* 7_919 &+ 1)
    for _ in 0..<count {
      switch chance.below(10) {
      case 0: session.advance(WideInt(chance.below(5_000)))
      case 1: session.serve(.token)
      case 2:
        let tab = chance.below(3)
        session.act(chance.pick([.back, .popToRoot, .pop(count: 1, node: nil), .dismiss(node: nil), .select(.tab(tab), node: nil)]))
      default:
        let steps = reducer.accepts(session.state).steps
        if !steps.isEmpty { session.act(step(chance.pick(steps), &chance)) }
      }
    }
    session.confirmAll()
    return session
  }

  /// The scenario files of the shipped apps and of those in Tests/Acceptance, which need no other definition.
  static let scenarioFiles: [URL] = [(Drive.apps, apps), (Drive.acceptance, acceptanceApps)].flatMap { folder, apps in
    apps.map { folder.appending(path: "\($0).scenarios.yaml") }
  }.filter { FileManager.default.fileExists(atPath: $0.path) }

  /// The sessions of the scenarios in a file, each with the name of its scenario. Throws for a scenario that fails.
  static func scenarios(in file: URL) throws -> [(name: String, session: EngineRecording)] {
    let app = file.deletingPathExtension().deletingPathExtension().lastPathComponent
    let definition = try Drive(app: app, in: file.deletingLastPathComponent()).reducer.definition
    let text = try String(contentsOf: file, encoding: .utf8)
    return try ScenarioReader.read(file: file.lastPathComponent, text: text).scenarios.flatMap { scenario in
      var recording = ScenarioRecording(definition)
      if let failure = scenario.play(on: &recording) { throw FailedScenario(name: scenario.name, differences: failure.differences) }
      return recording.sessions.map { (scenario.name, $0) }
    }
  }

  struct FailedScenario: Error {
    let name: String
    let differences: [String]
  }

  private static func step(_ step: Acceptance.AcceptedStep, _ chance: inout Chance) -> Action {
    var params: [String: Value] = [:]
    for (name, type) in step.params.sorted(by: { $0.key < $1.key }) where !type.hasSuffix("?") || chance.isHeads(oneIn: 2) {
      switch type.prefix(while: { $0 != "?" }) {
      case "integer": params[name] = .integer(chance.pick([1, 2, 3, 3_000_000_000, .max, .min]))
      case "number": params[name] = chance.pick([.number(0.1), .number(1e-7), 3, .number(12_345.678)])
      case "boolean": params[name] = .bool(chance.isHeads(oneIn: 2))
      case "string": params[name] = chance.pick(["a", "\u{E9}", "e\u{301}", "\u{1F469}\u{200D}\u{1F467}"])
      default: params[name] = chance.pick(values)
      }
    }
    return .step(Step(step.step, params: params), from: nil)
  }

  /// A session of a random definition without `unmatched`, which an engine does not have. One definition in three hides a fact; one session in four is in the year 9999.
  static func random(seed: Int) throws -> EngineRecording {
    var definition = RandomDefinition.whole(seed: UInt64(seed))
    definition.unmatched = nil
    if seed % 3 == 0 { definition.facts["f1"]?.isShown = false }
    var session = try EngineRecording(definition, time: seed % 4 == 0 ? 253_402_300_000_000 : 1_000)
    var chance = Chance(seed: UInt64(seed) &* 104_729 &+ 5)
    for _ in 0..<80 where session.state.nodes.count < 80 {
      if chance.isHeads(oneIn: 8) {
        session.advance(WideInt(chance.below(4_000)))
      } else {
        let isWhole = chance.isHeads(oneIn: 2)
        session.act(
          RandomAction.client { isWhole ? RandomAction.whole(&chance, for: session.state) : RandomAction.make(&chance, for: session.state) }
        )
      }
    }
    session.confirmAll()
    return session
  }

  /// A session in which each value is used as a param, as content, as a fact, and on each side of every comparison.
  static func edges() throws -> EngineRecording {
    let value = Expression.reference(.param("value"))
    let screen = Contribution(.screen("show"), with: ["value": value], content: .object(["value": value, "sum": .literal(0)]))
    let add = Operation.content([ContentEdit(path: [.literal("sum")], change: .add(value))], of: .screen("show"))
    let any = ["value": ParameterDefinition(.any)]
    func branch(_ test: Guard.Test) -> Handler.Branch { .init(when: .param("value", test), operations: [.popToRoot, .push(screen), add]) }
    let known = Expression.reference(.fact("known"))
    let compare = Handler(branches: [
      branch(.equals(known)), branch(.over(known)), branch(.under(known)), branch(.among(ValueSet(values))), .init(operations: [.none]),
    ])
    var session = try EngineRecording(
      Definition(
        app: "edges", root: Contribution(.flow("main")),
        facts: ["known": FactDefinition(type: ParameterDefinition(.any, isOptional: true))],
        screens: ["home": ScreenDefinition(), "show": ScreenDefinition(params: any)],
        steps: ["write": StepDefinition(params: any), "compare": StepDefinition(params: any)],
        flows: [
          "main": FlowDefinition(
            container: .stack, initialChildren: .root(Contribution(.screen("home"))),
            handle: [
              "write": Handler(branches: [.init(operations: [.write(["known": value]), .push(screen)])]), "compare": compare,
            ])
        ]), time: 253_402_300_000_000)
    for known in values {
      session.act(.step(Step("write", params: ["value": known]), from: nil))
      for value in values { session.act(.step(Step("compare", params: ["value": value]), from: nil)) }
    }
    session.confirmAll()
    return session
  }
}
