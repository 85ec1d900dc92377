import CairnCore
import CairnDefinition
import CairnScenario
import Foundation
import Testing

@Suite struct ReaderTests {
  private func mistakes(_ text: String) -> [String] {
    do throws(InvalidDefinition) {
      _ = try ScenarioReader.read(file: "x", text: text)
      return []
    } catch {
      return error.diagnostics.map { "\($0.line):\($0.column): \($0.message)" }
    }
  }

  private func mistakes(when: String = "back", then: String = "{ visible: home }") -> [String] {
    mistakes("app: a.yaml\nscenarios:\n  - name: n\n    when: \(when)\n    then: \(then)\n")
  }

  private static let anAction = "must be a step's name, a word such as `back`, or an action such as `{ step: notePicked }`"
  private static let known =
    "`step`, `type`, `open`, `notification`, `advance`, `answer`, `loaded`, `failed`, `exchangeFailed`, `undo`, "
    + ActionRow.inShort.map { "`\($0.word)`" }.joined(separator: ", ")

  @Test func `a file without a mistake is read`() {
    #expect(mistakes() == [])
  }

  @Test(arguments: [
    ("[back, 3]", "4:18: \(Self.anAction), not integer"),
    ("{ advance: soon }", "4:22: must be a number with `ms`, `s`, `m`, `h` or `d`, like `5s`"),
    ("{ answer: { status: 99 } }", "4:31: must be an HTTP status from 200 to 599"),
    ("{ answer: { after: 3s, code: 1 } }", "4:40: `code` is unknown; use one of `status`, `body`, `after`"),
    ("{ appState: away }", "4:23: must be one of `foreground`, `inactive`, `background`"),
    ("{ open: 3 }", "4:19: must be a string, not integer"),
    ("{ notification: {}, state: closed }", "4:38: must be one of `foreground`, `background`, `killed`"),
    ("{ notification: {}, tap: maybe }", "4:36: must be true or false, not string"),
    ("{ advance: 5s, open: x }", "4:32: `open` is unknown; use one of `advance`"),
    ("[[]]", "4:12: a list of actions must have at least one action"), ("[[back, 3]]", "4:19: \(Self.anAction), not integer"),
    ("[[back, { advance: 5s }]]", "4:12: this list may contain only actions"),
    ("{ tap: home }", "4:11: `tap` is not an action; use one of \(Self.known)"),
    ("{ advence: 5s }", "4:11: `advence` is not an action; did you mean `advance`?"),
    ("{ notification: {}, satte: killed }", "4:38: `satte` is unknown; did you mean `state`?"),
    ("{ loaded: 1, effect: x }", "4:32: must be a whole number, not string"),
    ("{ notification: {}, tapped: true }", "4:39: `tapped` is unknown; use one of `notification`, `tap`, `state`, `action`, `reply`"),
  ]) func `occurrences are distinguished from text of a similar form`(when: String, said: String) {
    #expect(mistakes(when: when) == [said])
  }

  @Test(arguments: [
    ("{ loads: one }", "5:20: must be a whole number, not string"), ("{ facts: [a] }", "5:20: must be a map, not list"),
    ("{ stack: home }", "5:20: must be a list, not string"), ("{ tree: [home] }", "5:19: must be a string, not list"),
    ("{ steps: [3] }", "5:21: must be a string, not integer"), ("home", "5:11: must be a map, not string"),
  ]) func `an expectation that can never fail is a mistake`(then: String, said: String) {
    #expect(mistakes(then: then).contains(said))
  }

  @Test func `missing parts are reported`() {
    #expect(
      mistakes("given: { facts: 3, environment: [] }") == [
        "1:17: must be a map, not integer", "1:33: must be a map, not list",
        "1:1: `app` is missing; it must be the path of the definition, relative to this file",
        "1:1: `scenarios` is missing; it must be a list of scenarios",
      ])
    #expect(
      mistakes("app: a\nscenarios: [{ name: n }, { then: {} }, { name: n, steps: [{ then: {} }], when: back }]") == [
        "2:13: `then` is missing; a scenario without expectations cannot fail",
        "2:26: `name` is missing; it must be a sentence that describes the scenario",
        "2:40: a scenario must have either `steps`, or `when` and `then`",
      ])
  }

  @Test func `the app state can change to the background and back`() throws {
    let definition = try DefinitionLoader.load(
      file: "a.yaml",
      text: """
        app: a
        language: 1
        compat: { emits: any }
        root: { flow: main }
        screens: { home: , lock: }
        steps: { lockIsDue: }
        rules: [{ when: { fact: away, over: 2m }, send: lockIsDue }]
        flows: { main: { stack: home, handle: { lockIsDue: { present: lock } } } }
        """
    ).definition
    let text = """
      app: a.yaml
      scenarios:
        - name: three minutes away
          steps:
            - { when: [{ appState: background }, { advance: 3m }], then: { visible: home, facts: { appState: background, away: 0 } } }
            - { when: { appState: foreground }, then: { visible: lock, facts: { appState: foreground, away: 180000 } } }
      """
    for scenario in try ScenarioReader.read(file: "x", text: text).scenarios {
      #expect(ScenarioRun.run(scenario, on: definition)?.differences == nil)
    }
  }

  @Test func `a rejection of an action other than the last one fails the scenario`() throws {
    let definition = try DefinitionLoader.load(
      file: "a.yaml", text: "app: a\nlanguage: 1\nroot: { flow: main }\nscreens: { home: }\nflows: { main: { stack: home } }"
    ).definition
    func failures(_ scenario: String) throws -> [String] {
      try ScenarioReader.read(file: "x", text: "app: a.yaml\nscenarios:\n  - \(scenario)").scenarios.flatMap {
        ScenarioRun.run($0, on: definition)?.differences ?? []
      }
    }
    #expect(try failures("{ name: n, when: [back, { open: \"a://x\" }], then: { refused: unknown-link } }") == [])
    #expect(
      try failures("{ name: n, when: [{ open: \"a://x\" }, back], then: { visible: home } }") == [
        "refused: unknown-link, a has no link for this URL; /url: the app has no links"
      ])
    #expect(
      try failures("{ name: n, given: { open: \"a://x\" }, when: back, then: { visible: home } }") == [
        "refused: unknown-link, a has no link for this URL; /url: the app has no links"
      ])
    #expect(
      try failures("{ name: n, steps: [{ when: { open: \"a://x\" } }, { when: back, then: { visible: home } }] }") == [
        "refused: unknown-link, a has no link for this URL; /url: the app has no links"
      ])
    #expect(
      try failures(
        "{ name: n, steps: [{ when: { open: \"a://x\" }, then: { refused: unknown-link } }, { when: back, then: { refused: nothing } }] }")
        == [])
  }

  @Test func `a refusal names what would have been right, and no Swift`() throws {
    let definition = try DefinitionLoader.load(
      file: "a.yaml",
      text: """
        app: a
        language: 1
        compat: { emits: any }
        root: { flow: main }
        screens: { home: }
        steps: { noteIsPicked: { id: integer } }
        flows: { main: { stack: home } }
        """
    ).definition
    func failure(_ when: String) throws -> [String]? {
      let text = "app: a.yaml\nscenarios: [{ name: n, when: \(when), then: { visible: home } }]"
      return try ScenarioReader.read(file: "x", text: text).scenarios.first.flatMap { ScenarioRun.run($0, on: definition) }?.differences
    }
    #expect(
      try failure("noteIsPiked") == [
        "refused: invalid, a has no step noteIsPiked; /step: must be one of noteIsPicked; did you mean noteIsPicked?"
      ])
    #expect(
      try failure("{ step: noteIsPicked }") == [
        "refused: invalid, the params are invalid for the step noteIsPicked; /params/id: is missing; it must be of type integer"
      ])
    #expect(
      try failure("{ type: pop, count: many }")
        == ["refused: invalid, this is not an action: /count: must be an integer of at least 1, not \"many\""])
    #expect(
      try failure("{ notification: 5 }") == [
        "refused: invalid, a notification must be an object such as {\"aps\": {…}, \"url\": …}, not integer"
      ])
  }

  @Test func `a failure is reported at its own position, and not at that of an anchor`() throws {
    let definition = try DefinitionLoader.load(
      file: "a.yaml", text: "app: a\nlanguage: 1\nroot: { flow: main }\nscreens: { home: }\nflows: { main: { stack: home } }"
    ).definition
    let text = """
      app: a.yaml
      scenarios:
        - name: one
          then: &wrong { visible: nowhere }
        - name: two
          when: back
          then: *wrong
        - name: three
          steps:
            - { when: back, then: { visible: home } }
            - &step { when: back, then: { visible: nowhere } }
        - &case { name: four, steps: [*step] }
        - *case
      """
    let scenarios = try ScenarioReader.read(file: "x", text: text).scenarios
    #expect(scenarios.compactMap { ScenarioRun.run($0, on: definition)?.line } == [4, 7, 11, 12, 12])
  }

  @Test func `an array is applied completely or not at all`() throws {
    let definition = try DefinitionLoader.load(
      file: "a.yaml",
      text: """
        app: a
        language: 1
        compat: { emits: any }
        root: { flow: main }
        screens: { home: , list: }
        steps: { go: }
        flows: { main: { stack: home, handle: { go: { push: list } } } }
        """
    ).definition
    let text = """
      app: a.yaml
      scenarios:
        - { name: all, when: [[go, go, back]], then: { tree: "main[home, list]", changes: [push, push, pop], outcome: performed } }
        - { name: none, when: [go, [back, lost]], then: { tree: "main[home, list]", refused: invalid } }
      """
    #expect(try ScenarioReader.read(file: "x", text: text).scenarios.compactMap { ScenarioRun.run($0, on: definition)?.differences } == [])
  }

  @Test func `a session that cannot be created is reported at its scenario`() throws {
    let definition = try DefinitionLoader.load(
      file: "a.yaml", text: "app: a\nlanguage: 1\nroot: { flow: main }\nscreens: { home: }\nflows: { main: { stack: home } }"
    ).definition
    let file = try ScenarioReader.read(file: "x", text: "app: a.yaml\nscenarios:\n  - { name: n, given: { facts: { none: 1 } }, then: {} }")
    #expect(file.scenarios.compactMap { ScenarioRun.run($0, on: definition)?.line } == [3])
  }
}

/// The scenarios of the shipped apps.
@Suite struct ShippedScenarioTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/apps").standardized
  private static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []).filter { $0.hasSuffix(".scenarios.yaml") }.sorted()

  private static func text(_ name: String) throws -> String { try String(contentsOf: folder.appending(path: name), encoding: .utf8) }

  @Test(arguments: names) func `every scenario of a shipped app passes`(name: String) throws {
    let file = try ScenarioReader.read(file: name, text: try ShippedScenarioTests.text(name))
    let definition = try DefinitionLoader.load(file: file.app, text: try ShippedScenarioTests.text(file.app)).definition
    #expect(!file.scenarios.isEmpty)
    for scenario in file.scenarios {
      #expect(ScenarioRun.run(scenario, on: definition)?.differences == nil, "\(name):\(scenario.line): \(scenario.name)")
    }
  }
}
