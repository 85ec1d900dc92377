import CairnCore
import CairnDefinition
import CairnExplore
import Testing

@Suite struct SightTests {
  /// Tries out an app whose main flow is this.
  private func explore(_ flow: String, screens: String = "home: , list: , detail: { params: { id: integer } }", depth: Int = 3) throws
    -> Exploration
  {
    let text = """
      app: sight
      root: { flow: main }
      facts: { mode: { type: string, default: plain } }
      screens: { home: , list: , detail: { params: { id: integer } } }
      steps: { go: , pick: { id: integer }, due: { internal: true } }
      flows:
        main: \(flow)
      """
    var limits = Limits()
    limits.depth = depth
    return try Exploration.of(DefinitionLoader.load(file: "sight", text: text, limits: .none).definition, limits: limits)
  }

  @Test func `params that nothing reads make no states`() throws {
    let found = try explore("{ container: stack, root: home, handle: { pick: { push: detail, with: { id: $id } } } }")
    // home, and with one, two, three details: the last lies beyond the limit.
    #expect(found.states == 4)
  }

  @Test func `params that a condition reads are distinguished by which are equal, not by their values`() throws {
    let found = try explore(
      """
      { container: stack, root: home, handle: {
          pick: [{ when: { visible: detail, with: { id: $id } }, do: none }, { do: { push: detail, with: { id: $id } } }] } }
      """)
    // 701 and 702 change places; one is never over itself, so from the third on both stand there in turn.
    #expect(found.states == 4)
    #expect(found.findings.map(\.text).contains("main pick, branch 1 never runs") == false)
  }

  @Test func `of timers the order counts and not how long there is to wait`() throws {
    let found = try explore(
      """
      { container: stack, root: { screen: home, after: [{ every: 1s, step: due }, { in: 30m, step: go }], listen: { hidden: true } },
        handle: { due: none, go: { push: list } } }
      """)
    // States behind a ticking timer are reached all the same.
    #expect(found.findings.map(\.text) == ["the screen detail is never shown"])
    // One to four nodes, with both timers and with the one that is left.
    #expect(found.states == 8)
  }
}
