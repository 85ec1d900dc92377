import CairnCore
import CairnDefinition
import CairnExplore
import Testing

@Suite struct SightTests {
  /// Explores an app whose main flow has this definition.
  private func explore(_ flow: String, screens: String = "home: , list: , detail: { params: { id: integer } }", depth: Int = 3) throws
    -> Exploration
  {
    let text = """
      app: relevance
      language: 1
      compat: { emits: any, words: [listen] }
      root: { flow: main }
      facts: { mode: { type: string, default: plain } }
      screens: { home: , list: , detail: { params: { id: integer } } }
      steps: { go: , pick: { id: integer }, due: }
      flows:
        main: \(flow)
      """
    var limits = Limits()
    limits.depth = depth
    return try Exploration.of(DefinitionLoader.load(file: "relevance", text: text, limits: .none).definition, limits: limits)
  }

  @Test func `params that no condition reads do not distinguish states`() throws {
    let found = try explore("{ stack: home, handle: { pick: { push: detail, with: { id: $id } } } }")
    // The screen home with zero to three details. The third detail lies beyond the limit.
    #expect(found.states == 4)
  }

  @Test func `params in conditions are distinguished by equality and not by value`() throws {
    let found = try explore(
      """
      { stack: home, handle: {
          pick: [{ when: { visible: detail, with: { id: $id } }, do: [] }, { do: { push: detail, with: { id: $id } } }] } }
      """)
    // The ids 701 and 702 are interchangeable. A detail with the visible id is not pushed again, so from the third detail on the two ids alternate.
    #expect(found.states == 4)
    #expect(found.findings.map(\.text).contains("main pick, branch 1 never runs") == false)
  }

  @Test func `the order of timers distinguishes states, and the remaining time does not`() throws {
    let found = try explore(
      """
      { stack: { screen: home, timer: [{ every: 1s, send: due }, { after: 30m, send: go }], listen: { hidden: true } },
        handle: { due: [], go: { push: list } } }
      """)
    // The state after the slow timer is reached although the other timer ticks repeatedly.
    #expect(found.findings.map(\.text) == ["the screen detail is never shown"])
    // The states have one to four nodes, each time with both timers and with only the repeating one.
    #expect(found.states == 8)
  }
}
