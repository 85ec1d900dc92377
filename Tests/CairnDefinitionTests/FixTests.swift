import CairnCore
import CairnDefinition
import CairnTesting
import Foundation
import Testing

/// A text in the words of an earlier version of the language, and its translation to the current words.
struct Rewritten: Sendable, CustomTestStringConvertible {
  var old: String
  var new: String
  var testDescription: String { old }

  init(_ old: String, _ new: String) {
    self.old = old
    self.new = new
  }

  /// A handler.
  static func handler(_ old: String, _ new: String) -> Rewritten {
    Rewritten("flows: { main: { stack: home, handle: { go: \(old) } } }", "flows: { main: { stack: home, handle: { go: \(new) } } }")
  }
}

@Suite struct `Rewriting of former words` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Former")

  private static let apps = [
    "bank", "delivery", "flow-controller-modal", "flow-controller-push", "load-studies", "qiita", "rxflow-demo", "shop", "places",
    "places-tabs", "redirect",
  ]

  private static func former(_ app: String) throws -> String {
    try String(contentsOf: folder.appending(path: "\(app).yaml"), encoding: .utf8)
  }

  @Test(arguments: apps) func `an app in the former words keeps its comments, and is rewritten once`(app: String) throws {
    let old = try Self.former(app)
    let fix = try #require(DefinitionFix(old))
    #expect(Self.comments(in: fix.text) == Self.comments(in: old))
    #expect(DefinitionFix(fix.text)?.changes == 0)
  }

  /// The compiled forms were recorded when the reader still understood the former words.
  @Test func `an app keeps its compiled form, but for the steps and screens that had said nothing about clients`() throws {
    let now = try Self.apps.map { app in
      let old = try Self.former(app)
      let fix = try #require(DefinitionFix(old))
      let definition = try DefinitionLoader.load(file: app, text: fix.text).definition
      return "\(app) \(CompiledForms.digest(of: Self.asBefore(definition, old)))"
    }
    let file = Self.folder.appending(path: "digests.txt")
    if ProcessInfo.processInfo.environment["CAIRN_RECORD_DRIVES"] != nil {
      try (now.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(now == (try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)))
  }

  /// The definition with the meaning of its former text: only steps that the text calls internal are internal, and a screen without `emits` may send every
  /// step.
  private static func asBefore(_ definition: Definition, _ text: String) -> Definition {
    var definition = definition
    let internals = Set(text.matches(of: /(?m)^ +([\w.]+): \{[^\n]*internal: true/).map { String($0.1) })
    for name in definition.steps.keys { definition.steps[name]?.isInternal = internals.contains(name) }
    var screen: String?
    var silent: Set<String> = []
    for line in text.components(separatedBy: "\nscreens:\n").last?.components(separatedBy: "\n") ?? [] {
      if let first = line.first, first != " ", first != "#" { break }
      if let name = line.firstMatch(of: /^  (\w+):/)?.1 { screen = String(name) }
      guard let screen else { continue }
      if line.contains("emits:") { silent.remove(screen) } else if line.hasPrefix("  \(screen):") { silent.insert(screen) }
    }
    for name in silent { definition.screens[name]?.emits = nil }
    return definition
  }

  /// The texts of the comments, in order.
  private static func comments(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in line.firstRange(of: /(^| )#.*/).map { line[$0].drop { $0 == " " } } }.map(String.init)
  }

  @Test(arguments: [
    Rewritten("app: a\nroot: { flow: f }\n", "app: a\nlanguage: 1\nroot: { flow: f }\n"),
    Rewritten(#"{"app": "a", "hosts": ["b.example"]}"#, #"{"app": "a", "language": 1, "allowHosts": ["b.example"]}"#),
    // Containers
    Rewritten("flows: { f: { container: stack, root: a } }", "flows: { f: { stack: a } }"),
    Rewritten("flows: { f: { container: stack } }", "flows: { f: { stack: [] } }"),
    Rewritten(
      "flows:\n  f:\n    container: stack # one after the other\n    root: a\n", "flows:\n  f:\n    # one after the other\n    stack: a\n"),
    Rewritten("flows: { f: { container: tabs, tabs: [a, b] } }", "flows: { f: { tabs: [a, b] } }"),
    Rewritten("flows: { f: { container: split } }", "flows: { f: { split: [] } }"),
    Rewritten(
      "flows: { f: { container: screen, root: { screen: a, left: s } } }", "flows: { f: { screen: a, removed: s } }"),
    Rewritten(
      "flows: { f: { container: switch, children: [a, b], root: { flow: b } } }", "flows: { f: { switch: [b, a] } }"),
    Rewritten(
      "flows: { f: { container: switch, children: [a, b], root: { flow: a, start: s } } }",
      "flows: { f: { switch: [{ flow: a, start: s }, b] } }"),
    Rewritten("flows: { f: { container: switch, children: [a, b] } }", "flows: { f: { switch: [none, a, b] } }"),
    // Steps
    .handler("{ forward: s }", "{ send: s }"),
    .handler("{ forward: go }", "{ send: go, to: parent }"),
    .handler("{ forward: { step: go, to: current } }", "{ send: go }"),
    .handler("{ forward: { step: s, with: { a: 1 }, to: f } }", "{ send: s, with: { a: 1 }, to: f }"),
    Rewritten(
      "flows:\n  f:\n    handle:\n      go:\n        - forward:\n            step: s\n            with:\n              a: 1\n",
      "flows:\n  f:\n    handle:\n      go:\n        - send: s\n          with:\n              a: 1\n"),
    Rewritten("rules: [{ when: { fact: a }, step: s, to: f }]", "rules: [{ when: { fact: a }, send: s, to: f }]"),
    Rewritten("links: [{ path: /a, hosts: [b], step: s }]", "links: [{ path: /a, host: [b], send: s }]"),
    Rewritten("links: [{ path: /a, step: { step: s, with: { a: 1 } } }]", "links: [{ path: /a, send: s, with: { a: 1 } }]"),
    Rewritten("links: [{ path: /a, steps: [s, { step: t, to: f }] }]", "links: [{ path: /a, send: [s, { step: t, to: f }] }]"),
    Rewritten("links: [{ path: /a, broadcast: { step: s, with: { a: 1 } } }]", "links: [{ path: /a, send: s, with: { a: 1 }, to: all }]"),
    Rewritten("linkDefaults: { schemes: [a], hold: 1h, held: 3 }", "linkDefaults: { scheme: [a], holdFor: 1h, holdAtMost: 3 }"),
    Rewritten("notifications: { take: [{ step: s }] }", "notifications: { take: [{ send: s }] }"),
    // Operations
    .handler("none", "[]"),
    .handler("[{ when: { fact: a }, do: none }]", "[{ when: { fact: a }, do: [] }]"),
    .handler("[{ unless: { fact: a }, do: pop }]", "[{ when: { not: { fact: a } }, do: pop }]"),
    Rewritten(
      "flows:\n  f:\n    handle:\n      go:\n        - unless:\n            all:\n              - { fact: a }\n          do: pop\n",
      "flows:\n  f:\n    handle:\n      go:\n        - when:\n            not:\n              all:\n                - { fact: a }\n          do: pop\n"
    ),
    .handler("{ clear: [a, b] }", "{ write: { a: null, b: null } }"),
    .handler("{ give: {} }", "finish"),
    .handler("{ give: { id: $id } }", "{ finish: { id: $id } }"),
    .handler("{ show: { flow: f } }", "{ set: f }"),
    .handler("{ show: { flow: f, screen: a } }", "{ show: { flow: f, screen: a } }"),
    .handler("{ tabs: [a] }", "{ set: [a] }"),
    .handler("{ split: { master: [a], detail: b } }", "{ set: { master: [a], detail: b } }"),
    .handler("{ after: { in: 5s, step: s }, on: flow }", "{ timer: { after: 5s, send: s }, of: flow }"),
    .handler(#"{ load: { value: 1 }, "on": flow }"#, "{ load: { value: 1 }, of: flow }"),
    .handler("{ push: a, after: { every: 1s, step: s }, leave: none }", "{ push: a, timer: { every: 1s, send: s }, guard: true }"),
    .handler("{ present: { flow: f, leave: { step: s } }, on: screen }", "{ present: { flow: f, guard: { step: s } }, of: screen }"),
    .handler("[{ when: { fact: a, equals: present }, do: pop }]", "[{ when: { fact: a, in: [present] }, do: pop }]"),
    .handler("[{ when: { fact: a, equals: 1 }, do: pop }]", "[{ when: { fact: a, is: 1 }, do: pop }]"),
    // Types
    Rewritten(
      #"steps: { s: { a: "number?", b: string?, c: string } }"#, "steps: { s: { a: optional number, b: optional string, c: string } }"),
    Rewritten(
      "screens: { a: { params: { b: { type: string, optional: true } } } }", "screens: { a: { params: { b: { type: optional string } } } }"),
    Rewritten("facts: { a: { type: integer?, by: client } }", "facts: { a: { type: optional integer, by: client } }"),
    // Steps
    Rewritten(
      "app: a\nscreens: { a: { emits: [s, t] }, b: { emits: [s] } }\nsteps:\n  s: { n: integer? }\n  t:\n  u: { internal: true }\n  v: { m: string, internal: true }\n"
        + "flows: { f: { container: stack, root: a, handle: { u: pop } } }\n",
      "app: a\nlanguage: 1\nscreens: { a: { emits: { s: { n: optional integer }, t: } }, b: { emits: [s] } }\nsteps:\n  v: { m: string }\n"
        + "flows: { f: { stack: a, handle: { u: pop } } }\n"),
    Rewritten(
      "app: a\ncovered: accept\nprimitives: open\nscreens: { a: , b: { emits: [s] } }\nsteps: { s: { n: integer } }\nflows: { f: { stack: { screen: a, listen: { hidden: true } } } }\n",
      "app: a\nlanguage: 1\ncompat: { covered: accept, emits: any, words: [listen] }\nscreens: { a: , b: { emits: [s] } }\nsteps: { s: { n: integer } }\n"
        + "flows: { f: { stack: { screen: a, listen: { hidden: true } } } }\n"),
    Rewritten(
      "app: a\nscreens: { a: , b: {} }\nsteps: { s: , t: { internal: true } }\nflows: { f: { stack: a, handle: { s: { end: t } } } }\n",
      "app: a\nlanguage: 1\ncompat: { words: [end] }\nscreens: { a: { emits: [s] } , b: { emits: [s] } }\nsteps: { t: }\n"
        + "flows: { f: { stack: a, handle: { s: { end: t } } } }\n"),
    Rewritten(
      "app: a\nscreens: { a: { emits: [s] } }\nsteps:\n  s: # what is meant\n    n: integer\nflows: {}\n",
      "app: a\nlanguage: 1\nscreens: { a: { emits: [s] } }\nsteps:\n  s: # what is meant\n    n: integer\nflows: {}\n"),
    // Names that authors choose stay, and so do values.
    Rewritten(
      "app: a\nsteps: { none: , after: { left: string } }\nflows: { f: { stack: a, handle: { none: { push: left, with: { in: none } } } } }",
      "app: a\nlanguage: 1\nsteps: { after: { left: string } }\nflows: { f: { stack: a, handle: { none: { push: left, with: { in: none } } } } }"
    ),
    Rewritten("flows: { f: &f { container: stack, root: a }, g: *f }", "flows: { f: &f { stack: a }, g: *f }"),
    Rewritten(
      "flows: { f: { container: stack, # the only one\n    root: 'a', meta: \"x # no comment\" } }",
      "flows: { f: { # the only one\n    stack: 'a', meta: \"x # no comment\" } }"),
    Rewritten(
      "claims:\n  - { name: n, always: { then: { fact: a, equals: 1 } } }\n",
      "claims:\n  - { name: n, always: { then: { fact: a, is: 1 } } }\n"),
  ]) func `a former word is written as the new one`(text: Rewritten) {
    #expect(DefinitionFix(text.old)?.text == text.new)
    #expect(DefinitionFix(text.new)?.changes == 0)
  }

  @Test(arguments: [
    // A section that is removed completely.
    "app: a\nscreens: { a: { emits: [go, s] } }\nsteps:\n  # A\n  go: { id: integer } # B\n  # C\n  s: { id: integer } # D\nflows: {}\n",
    // Comments between an old word and its value, and inside a map whose members move to another map.
    "links:\n  - path: /a\n    broadcast: # b\n      step: s # c\n      with: { a: x } # d\n",
    "flows:\n  f:\n    stack: a\n    handle:\n      # before\n      go: { forward: # f\n          s, to: g } # after\n",
    "flows:\n  f:\n    # one\n    container: stack # two\n    # three\n    root: a # four\n    handle:\n      go:\n        - when: { fact: b }\n          # five\n          do:\n            step: # six\n              step: t\n",
  ]) func `no comment is lost, whatever becomes of the line on which it stood`(old: String) throws {
    let fix = try #require(DefinitionFix(old))
    #expect(fix.changes > 0)
    #expect(Self.comments(in: fix.text).sorted() == Self.comments(in: old).sorted(), "\(fix.text)")
    #expect(DefinitionFix(fix.text)?.text == fix.text)
  }

  @Test func `a text that is no YAML is not rewritten`() {
    #expect(DefinitionFix("a: [") == nil)
    #expect(DefinitionFix("") == nil)
  }
}
