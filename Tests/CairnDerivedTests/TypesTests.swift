import CairnCore
import CairnDefinition
import CairnTesting
import CairnDerived
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct TypesTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  private func types(_ text: String) throws -> AppTypes {
    let loaded = try DefinitionLoader.load(file: "test", text: text)
    return AppTypes(loaded.definition, hash: loaded.hash)
  }

  private func shipped(_ app: String) throws -> AppTypes {
    try types(String(contentsOf: Self.folder.appending(path: "../../config/apps/\(app).yaml").standardized, encoding: .utf8))
  }

  /// Names that are keywords in one of the languages, and names that become equal in one of them.
  private static let odd = #"""
    app: odd
    language: 1
    root: { flow: main }
    facts:
      class: { type: string, in: [a, "b\"c\n", $d], by: client }
      is-wide: { type: optional boolean, by: client }
    screens:
      home: { emits: [init, go.on, goOn, Any] }
      web-view: { params: { size: optional number, in: any, default: { type: string, default: x } } }
      webView: { params: { to-be: string } }
      self: {}
    steps:
      init: { class: string, let: optional integer, from-there: { type: integer, in: [1, 2] } }
      go.on: {}
      goOn: {}
      Any: { return: any }
      hidden:
    flows:
      main: { stack: home }
      see-through: { stack: home, params: { for: string, size: { type: integer, default: 1 } }, facts: { is: { type: string, secret: true }, no: integer } }
      Type: { stack: home, facts: { self: boolean } }
    """#

  @Test(arguments: ["delivery", "bank"], Language.allCases)
  func `the types of a shipped app equal the recorded ones`(app: String, language: Language) throws {
    let suffix = [Language.typescript: "ts", .swift: "swift", .kotlin: "kt"][language] ?? ""
    let file = Self.folder.appending(path: "Golden/\(app).\(suffix).txt")
    let made = try shipped(app).text(in: language)
    if ProcessInfo.processInfo.environment["CAIRN_WRITE_GOLDEN"] != nil { try made.write(to: file, atomically: true, encoding: .utf8) }
    #expect(made == (try String(contentsOf: file, encoding: .utf8)), "CAIRN_WRITE_GOLDEN=1 writes it anew; look at the difference")
  }

  @Test(arguments: ["delivery", "bank", "odd", "empty"]) func `the types in Swift compile`(app: String) throws {
    let empty = "app: empty\nlanguage: 1\nroot: { flow: main }\nscreens: { home: {} }\nflows: { main: { stack: home } }\n"
    let made = app == "odd" ? try types(Self.odd) : app == "empty" ? try types(empty) : try shipped(app)
    let file = FileManager.default.temporaryDirectory.appending(path: "cairn-types-\(UUID().uuidString).swift")
    defer { try? FileManager.default.removeItem(at: file) }
    try made.text(in: .swift).write(to: file, atomically: true, encoding: .utf8)
    let compiler = try ChildProcess(
      "/usr/bin/env", ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", file.path], error: .collected)
    #expect(try compiler.exitCode() == 0, "\(compiler.error.text)")
  }

  @Test func `keywords and equal names are written so that they are valid and distinct`() throws {
    let types = try types(Self.odd)
    let script = types.text(in: .typescript)
    #expect(
      script.contains(#"| { step: "init"; params: { "class": string; "from-there": 1 | 2; "let"?: number | null }; from?: string };"#))
    #expect(script.contains(#"| { step: "go.on"; params?: Record<string, never>; from?: string }"#))
    #expect(script.contains(#"| { screen: "web-view"; params: { "default": string; "in": Json; "size"?: number } }"#))
    #expect(script.contains(#"  "class"?: "a" | "b\"c\u000a" | "$d";"#))
    #expect(!script.contains("hidden"), "what is internal is not posted")
    let swift = types.text(in: .swift)
    for line in ["  case init_(class_: String, fromThere: Int, let_: Int? = nil)\n", "  case goOn\n", "  case goOn_\n", "  case self_\n"] {
      #expect(swift.contains(line), "\(line)")
    }
    let kotlin = types.text(in: .kotlin)
    #expect(script.contains(#"  "see-through": { "for": string; "size": number };"#))
    #expect(script.contains(#"  "see-through": { "is"?: boolean; "no"?: number };"#), "a secret is shown as true")
    #expect(swift.contains("    public init(for_: String, size: Int) {\n"))
    #expect(
      swift.contains("  public struct SeeThrough: Codable, Hashable, Sendable {\n    public var is_: Bool?\n    public var no: Int?\n"))
    #expect(
      kotlin.contains(
        "  class SeeThrough(private val values: Map<String, Any?>) {\n    val for_: String get() = values[\"for\"] as String\n"))
    for text in ["data class Init(val class_: String", "data object GoOn : Step", "data object GoOn_ : Step", "val return_: Any? = null"] {
      #expect(kotlin.contains(text), "\(text)")
    }
  }

  @Test func `the rules of values are comments`() throws {
    let types = try types(
      """
      app: rules
      language: 1
      root: main
      facts: { volume: { type: integer, min: 0, max: 10, by: client } }
      screens: { home: { emits: { named: { name: { type: string, maxLength: 1 }, age: { type: integer, min: 1 } } } } }
      flows: { main: { stack: home, handle: { named: [] } } }
      """)
    let script = types.text(in: .typescript)
    #expect(script.contains(#"params: { "age": number /* at least 1 */; "name": string /* at most 1 character */ }"#), "\(script)")
    #expect(script.contains(#"  "volume"?: number /* from 0 to 10 */;"#))
    let swift = types.text(in: .swift)
    #expect(swift.contains("  /// age: at least 1\n  /// name: at most 1 character\n  case named(age: Int, name: String)\n"))
    #expect(swift.contains("/// volume: from 0 to 10\npublic struct Facts:"))
    let kotlin = types.text(in: .kotlin)
    #expect(kotlin.contains("  // age: at least 1\n  // name: at most 1 character\n  data class Named("), "\(kotlin)")
    #expect(kotlin.contains("// volume: from 0 to 10\nclass Facts("))
  }

  @Test func `the items of a list have the types of their language`() throws {
    let types = try types(
      """
      app: lists
      language: 1
      root: main
      sets: { sizes: [small, large] }
      facts: { seats: { type: list of string, maxItems: 4, by: client } }
      screens:
        home: { emits: { tagged: { ids: list of integer, marks: optional list of number, rows: list, sizes: { type: list, of: { type: string, in: sizes } } } } }
        page: { params: { flags: { type: list, of: { type: boolean, in: [true] }, minItems: 1 }, ages: { type: list, of: { type: integer, min: 1 } } } }
      flows: { main: { stack: home, handle: { tagged: [] } } }
      """)
    let script = types.text(in: .typescript)
    #expect(script.contains(#"params: { "ids": number[]; "marks"?: number[] | null; "rows": Json[]; "sizes": SetSizes[] }"#), "\(script)")
    #expect(script.contains(#"{ "ages": number[] /* each at least 1 */; "flags": true[] /* at least 1 item */ }"#), "\(script)")
    #expect(script.contains(#"  "seats"?: string[] /* at most 4 items */;"#))
    #expect(script.contains(#"export type SetSizes = "small" | "large";"#))
    let swift = types.text(in: .swift)
    #expect(swift.contains("case tagged(ids: [Int], marks: [Double]? = nil, rows: [WireValue], sizes: [String])"), "\(swift)")
    #expect(
      swift.contains("  /// ages: each at least 1\n  /// flags: at least 1 item\n  case page(ages: [Int], flags: [Bool])"), "\(swift)")
    let kotlin = types.text(in: .kotlin)
    #expect(
      kotlin.contains("val ids: List<Long>, val marks: List<Double>? = null, val rows: List<Any?>, val sizes: List<String>"), "\(kotlin)")
    #expect(kotlin.contains(#"(params["ages"] as List<*>).map { (it as Number).toLong() }"#), "\(kotlin)")
    #expect(kotlin.contains(#"(values["seats"] as List<*>?)?.map { it as String }"#), "\(kotlin)")
  }

  @Test func `the first lines name the definition, and the text is reproducible`() throws {
    for language in Language.allCases {
      let text = try shipped("bank").text(in: language)
      #expect(text == (try shipped("bank").text(in: language)) && text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
      #expect(text.split(separator: "\n")[1].wholeMatch(of: /\/\/ Definition: [0-9a-f]{64}/) != nil)
    }
  }
}
