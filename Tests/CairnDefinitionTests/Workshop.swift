import Testing
import CairnCore
import CairnDefinition

/// The messages for a text as `line:column: message`, with the prefix `warning:` for warnings. Empty for a valid definition.
func complaints(_ text: String) -> [String] {
  func short(_ diagnostic: Diagnostic) -> String {
    let word = diagnostic.severity == .warning ? "warning: " : ""
    return "\(diagnostic.line):\(diagnostic.column): \(word)\(diagnostic.message)"
  }
  do throws(InvalidDefinition) {
    return try DefinitionLoader.load(file: "demo.yaml", text: text).warnings.map(short)
  } catch {
    return error.diagnostics.map(short)
  }
}

func definition(_ text: String) throws -> Definition { try DefinitionLoader.load(file: "demo.yaml", text: text).definition }

/// A valid definition in which the flow `main` is missing. A flow that is inserted begins at line 19.
enum Demo {
  static let base = """
    app: demo
    language: 1
    compat: { words: [adapt, end, listen, show] }
    root: { flow: main, start: started }
    sets: { movies: [1, 2] }
    facts: { onBoarded: { type: boolean, default: false }, name: string, base: { type: string, env: BASE } }
    allowHosts: [api.example]
    screens: { home: { emits: [picked] }, about: ,
      detail: { params: { id: { type: integer, in: movies }, title: optional string } } }
    steps:
      started:
      picked: { id: integer }
      named: { name: string }
    flows:
      tabbed: { tabs: [home, { flow: main2 }] }
      main2: { stack: home }
      leaf: { screen: detail, listen: { hidden: true } }
      area: { switch: [main2] }

    """

  static func text(_ snippet: String) -> String { base + snippet }

  /// The base app with one handler, for the step `started` by default. The handler begins at line 20, column 14.
  static func handling(_ handler: String, of step: String = "started", container: String = "stack") -> String {
    let nodes = ["tabs": "[home]", "split": "{ master: home, detail: about }", "switch": "[main2]"][container] ?? "home"
    return text("  main: { \(container): \(nodes), handle: {\n    \(step): \(handler) } }")
  }

  static func handler(_ handler: String, of step: String = "started", container: String = "stack") throws -> Handler? {
    try definition(handling(handler, of: step, container: container)).flows["main"]?.handle[step]
  }

  static func operation(_ operation: String, of step: String = "started") throws -> Operation? {
    let handler = try handler(operation, of: step)
    #expect(handler?.branches.count == 1 && handler?.branches.first?.operations.count == 1)
    return handler?.branches.first?.operations.first
  }
}
