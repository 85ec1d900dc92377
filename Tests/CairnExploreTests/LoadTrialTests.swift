import CairnDefinition
import CairnExplore
import Testing

/// Results of loads in an exploration.
@Suite struct `Results of loads` {
  private func explore(_ text: String, claims: String? = nil) throws -> [String] {
    let definition = try DefinitionLoader.load(file: "demo.yaml", text: text).definition
    var limits = Limits()
    limits.depth = 3
    let told = try claims.map { text throws in
      try DefinitionLoader.claims(Document.read(file: "c", text: text), about: definition, file: "c")
    }
    let found = try Exploration.of(definition, claims: told ?? [], limits: limits)
    #expect(found.end == nil)
    return found.findings.map { "\($0.kind.rawValue): \($0.text)" } + found.unknown
  }

  @Test func `a map with a param as key is tried with rows`() throws {
    let app = """
      app: rows
      language: 1
      compat: { emits: any }
      root: { flow: main }
      allowHosts: [api.example]
      screens: { list: {}, item: { params: { id: integer, title: string }, emits: [back] }, none: { emits: [back] } }
      steps: { pick: { id: integer }, back: }
      flows:
        main:
          stack: { screen: list, load: { get: "https://api.example/rows" } }
          handle:
            pick:
              - { when: { content: rows.$id, is: present }, do: { push: item, with: { id: $id, title: $content.rows.$id.title } } }
              - { do: { push: none } }
            back: pop
      """
    #expect(try explore(app) == [])
  }

  @Test func `rows of different ids are distinct`() throws {
    // An item that is picked a second time already exists and is not stored. So every branch is reachable.
    let app = """
      app: rows
      language: 1
      compat: { emits: any }
      root: { flow: main }
      allowHosts: [api.example]
      screens: { list: {}, item: { params: { id: integer }, emits: [see] }, same: { emits: [back] }, other: { emits: [back] } }
      steps: { pick: { id: integer }, see: { id: integer }, back: }
      flows:
        main:
          stack: { screen: list, load: { get: "https://api.example/rows" } }
          handle:
            pick: { push: item, with: { id: $id } }
            see:
              - { when: { content: rows.$id, of: list, is: present }, do: { push: same } }
              - { when: { screen: item, with: { id: $id } }, do: { push: other } }
            back: pop
      """
    #expect(try explore(app) == [])
  }

  @Test func `content that fills a required param is supplied`() throws {
    let app = """
      app: named
      language: 1
      compat: { emits: any }
      root: { flow: main }
      allowHosts: [api.example]
      screens: { home: {}, page: { params: { name: string }, emits: [] } }
      steps: { go: }
      flows:
        main:
          stack: { screen: home, load: { get: "https://api.example/me" } }
          handle: { go: { push: page, with: { name: $content.name } } }
      """
    // A response without a name is tried too. No action leads out of the state after that response.
    #expect(try explore(app) == ["dead: no action on home makes progress"])
  }

  @Test func `a claim that was evaluated in no state is reported`() throws {
    let app = """
      app: claimed
      language: 1
      compat: { emits: any }
      root: { flow: main }
      facts: { isOn: { type: boolean, default: false } }
      screens: { home: {}, page: {} }
      steps: { go: , switch: }
      flows: { main: { stack: home, handle: { go: { push: page }, switch: { write: { isOn: true } } } } }
      """
    let claims = """
      - { name: judged, always: { when: { visible: page }, then: { flow: main } } }
      - { name: idle, always: { when: { all: [{ visible: page }, { visible: home }] }, then: { fact: isOn } } }
      - { name: way, reachable: { from: { visible: page }, to: { visible: home } } }
      - { name: no way, reachable: { from: { all: [{ visible: page }, { visible: home }] }, to: { visible: home } } }
      """
    let told = try explore(app, claims: claims).filter { $0.contains("tests nothing") }
    #expect(
      told.map { $0.replacing("within the limits of the exploration, ", with: "").replacing("claim: ", with: "") } == [
        "the claim tests nothing, because its when is never true: idle", "the claim tests nothing, because its from is never true: no way",
      ])
  }

  @Test func `a load that restarts itself and the growth by it are found`() throws {
    func app(_ handler: String) -> String {
      """
      app: again
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: {}, page: { emits: [] } }
      steps: { go: , loaded: }
      flows:
        main:
          stack: home
          handle:
            go: { load: { value: 1, then: loaded }, of: flow }
            loaded: \(handler)
      """
    }
    let again = "{ load: { value: 1, then: loaded }, of: flow }"
    #expect(try explore(app(again)).contains("restart: main loaded keeps restarting its load without any input"))
    let growing = try explore(app("[{ push: page }, \(again)]"))
    #expect(growing.contains("restart: main loaded keeps restarting its load without any input"))
    #expect(growing.contains("growth: main loaded keeps adding nodes without any input"))
    let ending = try explore(app("[{ when: { not: { screen: page } }, do: [{ push: page }, \(again)] }, { do: [] }]"))
    #expect(!ending.contains { $0.hasPrefix("restart") })
  }
}
