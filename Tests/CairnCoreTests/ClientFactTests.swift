import CairnCore
import CairnDefinition
import CairnTesting
import Testing

@Suite struct `Facts that a client sets` {
  private static let app = """
    app: clients
    language: 1
    root: { flow: main }
    facts: { isWide: { type: boolean, by: client }, scale: { type: optional integer, by: client }, plan: string }
    rules: [{ when: { fact: isWide }, send: widened }]
    screens: { home: {}, wide: {} }
    steps: { widened: }
    flows: { main: { stack: home, handle: { widened: { push: wide } } } }
    """

  @Test func `facts of the client are in accepts, and fire rules`() throws {
    var drive = try Drive(Self.app)
    #expect(drive.reducer.accepts(drive.state).facts == ["isWide": "boolean?", "scale": "integer?"])
    #expect(drive.reducer.accepts(drive.state).primitives.contains("facts"))
    drive.run(.facts(["isWide": true]))
    #expect(drive.sketch == "main[home, wide]")
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `only facts declared as by client can be set by a client`() throws {
    let definition = try DefinitionLoader.load(file: "t.yaml", text: Self.app).definition
    #expect(definition.operatorsPart(ofSetting: ["isWide": true, "scale": 2]) == nil)
    #expect(definition.operatorsPart(ofSetting: ["isWide": true, "plan": "a"]) == "setting the fact plan")
    #expect(definition.operatorsPart(ofSetting: ["accessToken": "a"]) == "setting the fact accessToken")
    #expect(definition.operatorsPart(ofSetting: ["isWid": true]) == nil)
    #expect(Definition(app: "a", root: Contribution(.flow("f"))).operatorsPart(ofSetting: [:]) == "setting facts")
  }
}
