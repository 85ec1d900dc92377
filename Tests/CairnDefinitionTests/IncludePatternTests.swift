import CairnDefinition
import Testing

@Suite struct `The files that a definition includes` {
  private func folder(_ include: String, _ parts: [String: String], links: [String: String?] = [:]) -> MemoryFolder {
    let main = "app: shop\nlanguage: 1\ninclude: \(include)\nroot: main\nscreens: { home: }\nflows: { main: { stack: home } }\n"
    return MemoryFolder(files: parts.merging(["app.yaml": main]) { $1 }, links: links)
  }

  private let many = [
    "a.yaml", "b.yml", "c.json", "d.txt", ".e.yaml", "f.scenarios.yaml", "g.migrate.yaml", "x/a.yaml", "x/y/b.yaml", "z/a.yaml",
  ]

  @Test(arguments: [
    ("\"*\"", ["a.yaml", "b.yml", "c.json"]), ("\"*.yaml\"", ["a.yaml"]), ("\"?.y*\"", ["a.yaml", "b.yml"]),
    ("\"*/a.yaml\"", ["x/a.yaml", "z/a.yaml"]),
    ("./x/./a.yaml", ["x/a.yaml"]), ("\"x/*/*.yaml\"", ["x/y/b.yaml"]), ("d.txt", ["d.txt"]),
    ("[z/a.yaml, \"*.yaml\"]", ["z/a.yaml", "a.yaml"]),
    ("\"*a*\"", ["a.yaml"]),
  ]) func `a pattern matches definitions, neither hidden files nor the main file`(include: String, files: [String]) {
    let folder = folder(include, Dictionary(uniqueKeysWithValues: many.map { ($0, "language: 1") }))
    #expect(folder.source.texts.parts.map(\.file) == files.map { "shop/\($0)" })
    #expect(folder.complaints == [])
  }

  @Test(arguments: [
    ("../b.yaml", "../b.yaml leaves the folder of the main file; include only files in this folder or below it"),
    ("x/../../b.yaml", "x/../../b.yaml leaves the folder of the main file; include only files in this folder or below it"),
    ("/etc/b.yaml", "/etc/b.yaml leaves the folder of the main file; include only files in this folder or below it"),
    ("out.yaml", "out.yaml leaves the folder of the main file by a symbolic link; include only files in this folder or below it"),
    ("out/a.yaml", "out leaves the folder of the main file by a symbolic link; include only files in this folder or below it"),
    ("\"*.yaml\"", "out.yaml leaves the folder of the main file by a symbolic link; include only files in this folder or below it"),
    ("\"\"", "`include` must name files such as `flows/*.yaml`, not \"\""),
    ("aa.yaml", "no file matches `aa.yaml` in the folder of the main file; did you mean `a.yaml`?"),
    ("x/b.yaml", "no file matches `x/b.yaml` in the folder of the main file; did you mean `x/a.yaml`?"),
    (
      "\"y/*.yaml\"",
      "no file matches `y/*.yaml` in the folder of the main file; a wildcard matches only files that end in `.yaml`, `.yml` or `.json`"
    ),
    ("app.yaml", "`app.yaml` is the main file, which cannot include itself"),
    (
      "f.scenarios.yaml",
      "`f.scenarios.yaml` has the name of a scenario or migration file; include only files with sections of the definition"
    ),
    ("{ a: b }", "`include` must be a list of paths such as `flows/*.yaml`, not a map"),
    ("[]", "`include` must have at least one path; list the files, or omit `include`"),
  ]) func `a pattern that cannot be used is an error at its place`(include: String, said: String) {
    let parts = ["a.yaml": "language: 1", "x/a.yaml": "language: 1", "f.scenarios.yaml": ""]
    let folder = folder(include, parts, links: ["out.yaml": nil, "out": nil])
    #expect(folder.complaints == ["shop/app.yaml:3:10: error: \(said)"])
  }

  @Test func `a file that is included twice is an error, also by a symbolic link`() {
    let parts = ["a.yaml": "language: 1", "x/b.yaml": "language: 1"]
    #expect(
      folder("[a.yaml, \"*.yaml\"]", parts).complaints == [
        "shop/app.yaml:3:19: error: `a.yaml` is included twice; the pattern at shop/app.yaml:3:11 also matches it"
      ])
    #expect(
      folder("[a.yaml, b.yaml]", parts, links: ["b.yaml": "a.yaml"]).complaints == [
        "shop/app.yaml:3:19: error: `b.yaml` is included twice; the pattern at shop/app.yaml:3:11 also matches it"
      ])
  }

  @Test func `files that are too large together, or too many, are an error`() {
    let large = "# " + String(repeating: "x", count: 600_000)
    #expect(
      folder("\"*.yaml\"", ["a.yaml": large, "b.yaml": large]).complaints.last
        == "shop/app.yaml:3:10: error: the included files together have more than the maximum of 1048576 bytes")
    let parts = Dictionary(uniqueKeysWithValues: (0...1_000).map { ("p\($0).yaml", "language: 1") })
    #expect(folder("\"p*.yaml\"", parts).complaints == ["shop/app.yaml:3:10: error: `include` matches more than the maximum of 1000 files"])
  }

  @Test func `a single document with include is refused with the way to join its files`() {
    let text = folder("a.yaml", [:]).files["app.yaml"] ?? ""
    #expect(
      complaints(text) == [
        "3:1: `include` needs the folder of the definition's file, and this is a single document; `cairn apps push` joins the files before it "
          + "publishes them, and `cairn apps join` prints them as one document"
      ])
  }

  @Test func `a change of an included file changes the texts of the definition`() {
    let one = folder("\"*.yaml\"", ["a.yaml": "language: 1"])
    #expect(one.source.texts == one.source.texts)
    #expect(folder("\"*.yaml\"", ["a.yaml": "language: 1 # more"]).source.texts != one.source.texts)
    #expect(folder("\"*.yaml\"", ["a.yaml": "language: 1", "b.yaml": "language: 1"]).source.texts != one.source.texts)
    #expect(folder("\"*.yaml\"", ["a.yaml": "language: 1"], links: ["b.yaml": nil]).source.texts != one.source.texts)
  }

  @Test func `included files keep their words, and the main file gets the compat that they need`() throws {
    let part =
      "screens: { a: { emits: [s] } }\nsteps: { s: { n: integer } }\nflows: { f: { container: stack, root: a, handle: { s: { end: t } } } }\n"
    let fixed = try #require(DefinitionFix(part))
    #expect(fixed.isPart)
    #expect(
      fixed.text == "screens: { a: { emits: [s] } }\nsteps: { s: { n: integer } }\nflows: { f: { stack: a, handle: { s: { end: t } } } }\n")
    let main = try #require(DefinitionFix("app: shop\ninclude: a.yaml\nroot: f\n", parts: [fixed]))
    #expect(!main.isPart && main.text == "app: shop\nlanguage: 1\ncompat: { words: [end] }\ninclude: a.yaml\nroot: f\n")
  }
}
