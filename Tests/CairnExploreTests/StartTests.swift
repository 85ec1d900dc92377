import CairnCore
import CairnExplore
import Testing

/// The starts of sessions, and the values that are tried in them.
@Suite struct `Starts of an exploration` {
  private func app(_ facts: String, root: String, screens: String = "home: , page: ") -> String {
    """
    app: trial
    language: 1
    compat: { emits: any }
    root: { flow: main }
    facts: { \(facts) }
    screens: { \(screens) }
    steps: { go: }
    flows:
      main:
        stack: home
        handle: { go: \(root) }
    """
  }

  @Test func `a fact that conditions read and nothing writes is tried with each value`() throws {
    let text = app(
      "mode: { type: string, in: [a, b, c], default: a }",
      root: "[{ when: { fact: mode, is: b }, do: { push: page } }, { when: { fact: mode, is: c }, do: { set: [page] } }, { do: [] }]")
    let trial = try Trial(text)
    #expect(!trial.told.contains { $0.contains("never") }, "\(trial.told)")
  }

  @Test func `a given value stays unchanged`() throws {
    let text = app("mode: { type: string, default: a }", root: "[{ when: { fact: mode, is: b }, do: { push: page } }, { do: [] }]")
    #expect(try !Trial(text).told.contains("unreached: the screen page is never shown"))
    let trial = try Trial(text, given: Start(facts: ["mode": "a"]))
    #expect(
      trial.told.contains("unreached: the screen page is never shown") && trial.told.contains("unreached: main go, branch 1 never runs"))
  }

  @Test func `a token that a condition reads is tried present and absent`() throws {
    let text = app(
      "beta: { type: boolean, default: false }", root: "[{ when: { fact: accessToken, is: present }, do: { push: page } }, { do: [] }]")
    let trial = try Trial(text)
    #expect(!trial.told.contains { $0.contains("never runs") || $0.contains("never shown") }, "\(trial.told)")
    let way = try Trial(text, claims: "- { name: none, always: { then: { not: { visible: page } } } }").way(
      to: "claim: the claim is not always true: none")
    #expect(way.contains("  given: { accessToken: t }\n"))
  }

  @Test func `a fact that clients set is changed at any time`() throws {
    let text = app(
      "isWide: { type: boolean, default: false, by: client }", root: "[{ when: { fact: isWide }, do: { push: page } }, { do: [] }]")
    let trial = try Trial(text, given: Start(facts: ["isWide": false]))
    #expect(!trial.told.contains { $0.contains("never runs") }, "\(trial.told)")
    let cover = try Trial(text, given: Start(facts: ["isWide": false]), covers: true)
    #expect(cover.found.cover.joined().contains("facts: { isWide: true }"))
  }

  @Test func `both sides of a comparison of params are tried`() throws {
    let text = """
      app: trial
      language: 1
      root: { flow: main }
      screens: { home: { emits: { go: { n: integer } } }, low: { emits: [go] }, high: { emits: [go] } }
      flows:
        main:
          stack: home
          handle: { go: [{ when: { param: n, over: 100 }, do: { push: high } }, \
      { when: { param: n, under: 5 }, do: { push: low } }, { do: [] }] }
      """
    let trial = try Trial(text)
    #expect(!trial.told.contains { $0.contains("never") }, "\(trial.told)")
    let mended = try Trial(text.replacing("under: 5", with: "over: 200"))
    #expect(mended.told.contains("unreached: main go, branch 2 never runs"), "\(mended.told)")
  }

  @Test func `a value is tried if a param passes it on under another name`() throws {
    let text = """
      app: trial
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: , detail: { params: { kind: string }, emits: [look] }, sale: { emits: [] } }
      steps: { pick: { type: string }, look: }
      flows:
        main:
          stack: home
          handle:
            pick: { push: detail, with: { kind: $type } }
            look: [{ when: { visible: detail, with: { kind: special } }, do: { push: sale } }, { do: [] }]
      """
    #expect(try !Trial(text).told.contains { $0.contains("never") })
  }

  @Test func `a request is tried with each result and with a failure`() throws {
    let text = """
      app: trial
      language: 1
      root: { flow: main }
      allowHosts: [api.example]
      screens: { home: { emits: [go] }, full: { emits: [] }, empty: { emits: [] }, broken: { emits: [] } }
      steps: { go: , loaded: { count: integer }, failed: }
      flows:
        main:
          stack: home
          handle:
            go: { load: { get: "https://api.example/n", then: { step: loaded, with: { count: $result.count } }, else: failed }, of: flow }
            loaded: [{ when: { param: count, is: 0 }, do: { push: empty } }, { do: { push: full } }]
            failed: { push: broken }
      """
    let trial = try Trial(text, covers: true)
    #expect(!trial.told.contains { $0.contains("never") }, "\(trial.told)")
    #expect(try trial.play(trial.found.cover) == trial.found.cover.count && trial.found.cover.joined().contains("failed: "))
  }

  @Test func `the user does nothing while the app is in the background`() throws {
    let text = """
      app: trial
      language: 1
      root: { flow: main }
      screens: { home: { emits: [go] }, page: { emits: [] } }
      steps: { go: }
      flows:
        main:
          stack: home
          handle: { go: [{ when: { fact: appState, is: background }, do: { push: page } }, { do: [] }] }
      """
    #expect(try Trial(text).told.contains("unreached: main go, branch 1 never runs"))
  }

  @Test func `a link is tried with each kind of value, and with an invalid one`() throws {
    let text = """
      app: trial
      language: 1
      root: { flow: main }
      screens: { home: { emits: [] }, item: { params: { id: integer }, emits: [] }, other: { emits: [] } }
      steps: { pick: { id: integer }, rest: }
      links:
        - { scheme: trial, path: "/items/{id}", send: pick }
        - { scheme: trial, path: "/{path...}", send: rest }
      flows: { main: { stack: home, handle: { pick: { push: item, with: { id: $id } }, rest: { push: other } } } }
      """
    #expect(try !Trial(text).told.contains { $0.contains("never") })
  }
}
