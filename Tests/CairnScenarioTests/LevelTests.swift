import CairnDefinition
import CairnScenario
import Testing

@Suite struct `Scenarios with modals on levels` {
  private static let app = """
    app: raised
    language: 1
    compat: { emits: any }
    root: { flow: main }
    screens: { home: {}, call: { params: { id: integer } }, lock: { emits: [pinIsRight] } }
    steps: { callCame: { id: integer }, callIsOver: {}, lockIsDue: {}, pinIsRight: {} }
    flows:
      main:
        stack: home
        handle:
          callCame: { present: { screen: call, with: { id: $id } }, level: 5, queue: true }
          callIsOver: dismiss
          lockIsDue: { present: lock, level: 9, style: fullScreen }
          pinIsRight: dismiss
    """

  private static let file = """
    app: raised.yaml
    scenarios:
      - name: the tree shows them behind all that is below the root, and waiting names those that wait
        steps:
          - { when: { step: callCame, params: { id: 1 } }, then: { tree: "main[home] ^5 call(id: 1)", waiting: [] } }
          - { when: { step: callCame, params: { id: 2 } }, then: { tree: "main[home] ^5 call(id: 1)", waiting: [call] } }
          - { when: lockIsDue, then: { tree: "main[home] ^5 call(id: 1) ^9 lock", stack: [home, call, lock], accepts: [pinIsRight] } }
          - { when: { step: callIsOver, from: call }, then: { refused: hidden } }
          - { when: pinIsRight, then: { visible: call, changes: [dismiss] } }
          - { when: callIsOver, then: { tree: "main[home] ^5 call(id: 2)", waiting: [], changes: [dismiss, present] } }
      - name: a difference is told
        when: { step: callCame, params: { id: 1 } }
        then: { waiting: [call] }
    """

  @Test func `differences of levels are reported`() throws {
    let definition = try DefinitionLoader.load(file: "raised.yaml", text: Self.app).definition
    let scenarios = try ScenarioReader.read(file: "raised.scenarios.yaml", text: Self.file).scenarios
    #expect(
      scenarios.map { ScenarioRun.run($0, on: definition)?.differences } == [nil, ["waiting: expected [\"call\"]\n         found    []"]])
  }
}
