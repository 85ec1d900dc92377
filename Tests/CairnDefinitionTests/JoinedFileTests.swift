import CairnCore
import CairnDefinition
import Testing

@Suite struct `A definition in several files` {
  private static let main = """
    app: shop
    language: 1
    include: [flows/*.yaml, links.yaml]
    root: main
    facts: { isOpen: { type: boolean, default: false } }
    screens: { home: { emits: { pick: { id: integer } } } }
    rules: [{ when: { fact: isOpen }, send: open }]
    flows: { main: { stack: home, handle: { pick: { push: order, start: { step: show, with: { id: $id } } }, open: [] } } }
    """

  private static let files = [
    "app.yaml": main,
    "flows/order.yaml": """
    language: 1
    screens: { item: { params: { id: integer } } }
    steps: { show: { id: integer } }
    flows: { order: { stack: [], handle: { show: { set: { screen: item, with: { id: $id } } } } } }
    """,
    "flows/b.yaml": "rules: [{ when: { fact: isOpen, is: false }, send: open }]\nnotifications: { take: [{ category: b, send: open }] }\n",
    "links.yaml": "links: [{ scheme: shop, path: \"/items/{id}\", send: pick }]\nnotifications: { take: [{ category: a, send: open }] }\n",
  ]

  private static let single = """
    app: shop
    language: 1
    root: main
    facts: { isOpen: { type: boolean, default: false } }
    screens: { home: { emits: { pick: { id: integer } } }, item: { params: { id: integer } } }
    steps: { show: { id: integer } }
    rules: [{ when: { fact: isOpen }, send: open }, { when: { fact: isOpen, is: false }, send: open }]
    links: [{ scheme: shop, path: "/items/{id}", send: pick }]
    notifications: { take: [{ category: b, send: open }, { category: a, send: open }] }
    flows:
      main: { stack: home, handle: { pick: { push: order, start: { step: show, with: { id: $id } } }, open: [] } }
      order: { stack: [], handle: { show: { set: { screen: item, with: { id: $id } } } } }
    """

  /// The folder with other texts for some files.
  private func folder(_ changed: [String: String] = [:]) -> MemoryFolder {
    MemoryFolder(files: Self.files.merging(changed) { $1 })
  }

  /// The folder of a main file without sections, and of the files of its pattern.
  private func bare(_ include: String, _ parts: [String: String], links: [String: String?] = [:]) -> MemoryFolder {
    let main = "app: shop\nlanguage: 1\ninclude: \(include)\nroot: main\nscreens: { home: }\nflows: { main: { stack: home } }\n"
    return MemoryFolder(files: parts.merging(["app.yaml": main]) { $1 }, links: links)
  }

  @Test func `the joined definition equals the same definition in one file, with its hash`() throws {
    let joined = try DefinitionLoader.check(folder().source)
    let single = try DefinitionLoader.check(file: "shop.yaml", text: Self.single)
    #expect(joined.canonical == single.canonical && joined.hash == single.hash && joined.definition == single.definition)
    #expect(joined.warnings == [] && single.warnings == [])
    #expect(joined.folder == "shop/" && single.folder == nil)
    #expect(folder().source.texts.parts.map(\.file) == ["shop/flows/b.yaml", "shop/flows/order.yaml", "shop/links.yaml"])
  }

  @Test func `the order of lists is that of the patterns, and by name within a pattern`() throws {
    let turned = folder(["app.yaml": Self.main.replacing("[flows/*.yaml, links.yaml]", with: "[links.yaml, flows/*.yaml]")])
    let loaded = try DefinitionLoader.load(turned.source)
    #expect(loaded.definition.notifications.take.map(\.category) == ["a", "b"])
    #expect(try loaded.hash != DefinitionLoader.load(folder().source).hash)
  }

  @Test func `errors and warnings have the file and the line of their text`() {
    let order = Self.files["flows/order.yaml"] ?? ""
    #expect(
      folder(["flows/order.yaml": order.replacing("set: { screen: item,", with: "set: { screen: itm,")]).complaints
        == ["shop/flows/order.yaml:4:63: error: there is no screen `itm`; did you mean `item`?"])
    #expect(
      folder(["flows/order.yaml": order.replacing("screens: {", with: "screens: { lonely: ,")]).complaints == [
        "shop/flows/order.yaml:2:12: warning: the screen `lonely` can never be shown: no flow creates it"
      ])
    #expect(folder(["links.yaml": "links: [\n"]).complaints.first?.hasPrefix("shop/links.yaml:2:1: error: not YAML: ") == true)
    #expect(
      folder(["app.yaml": Self.main.replacing("root: main", with: "root: mian")]).complaints == [
        "shop/app.yaml:4:7: error: there is no flow `mian`; did you mean `main`?"
      ])
  }

  @Test func `one unknown name in two files is one error with both places`() {
    #expect(
      bare("[a.yaml, b.yaml]", ["a.yaml": "flows: { a: { stack: hom } }\n", "b.yaml": "flows: { b: { stack: hom } }\n"]).complaints == [
        "shop/a.yaml:1:22: error: there is no screen or flow `hom`; did you mean `home`? (also at shop/b.yaml:1:22)"
      ])
  }

  @Test func `a name that two files declare is an error with both places`() {
    #expect(
      bare("[a.yaml, b.yaml]", ["a.yaml": "flows:\n  cart: { stack: home }\n", "b.yaml": "flows: { cart: { stack: home } }\n"]).complaints
        == ["shop/b.yaml:1:10: error: the flow `cart` is declared twice; the other declaration is at shop/a.yaml:2:3"])
    #expect(
      bare("a.yaml", ["a.yaml": "screens: { home: }\n"]).complaints == [
        "shop/a.yaml:1:12: error: the screen `home` is declared twice; the other declaration is at shop/app.yaml:5:12"
      ])
    let emits = [
      "a.yaml": "screens: { a: { emits: { go: { id: integer } } } }\n", "b.yaml": "screens: { b: { emits: { go: { id: string } } } }\n",
    ]
    #expect(
      bare("\"?.yaml\"", emits).complaints == [
        "shop/b.yaml:1:26: error: the step `go` is declared twice; it was declared at shop/a.yaml:1:26, so name it only here"
      ])
  }

  @Test func `a link that another file's link precedes names that link's place`() {
    let link = "links: [{ scheme: shop, path: /a, send: go }]\n"
    let flows = "flows: { f: { stack: home, handle: { go: [] } } }\n"
    let complaints = bare("[a.yaml, b.yaml]", ["a.yaml": link + flows, "b.yaml": link]).complaints
    #expect(
      complaints.contains("shop/b.yaml:1:31: warning: this link never matches: the link at shop/a.yaml:1:31 matches all its URLs first"))
  }

  @Test(arguments: [
    ("app: other", "app"), ("root: main", "root"), ("include: c.yaml", "include"), ("ttl: 1h", "ttl"), ("offlineFor: 1d", "offlineFor"),
    ("historyRetention: 1h", "historyRetention"), ("compat: {}", "compat"), ("linkDefaults: {}", "linkDefaults"),
    ("loadDefaults: {}", "loadDefaults"), ("oauth: {}", "oauth"), ("meta: 1", "meta"), ("description: text", "description"),
  ]) func `only the main file may have a member that cannot join`(text: String, member: String) {
    #expect(
      bare("a.yaml", ["a.yaml": "language: 1\n\(text)\n"]).complaints == [
        "shop/a.yaml:2:1: error: only the main file may have `\(member)`; move it to `app.yaml`"
      ])
  }

  @Test(arguments: [
    ("language: 2", "1:11: error: `language` must be `1`, not `2`"),
    ("[a]", "1:1: error: an included file must be a map of sections such as `flows`, not a list"),
    ("", "1:1: error: the file is empty; remove it, or add sections such as `flows`"),
    ("screens: [a]", "1:10: error: `screens` must be a map, not a list"),
    ("notifications: { link: /a }", "1:18: error: only the main file may have `link`; move it to `app.yaml`"),
    ("scrns: {}", "1:1: error: a definition has no member `scrns`"),
    ("hosts: a.example", "1:1: error: a definition no longer has the member `hosts`: write `allowHosts`"),
    ("flows: { a: { stack: home } }\nflows: {}", "2:1: error: duplicate key `flows`; the first one is on line 1"),
  ]) func `a mistake in an included file is reported there`(text: String, said: String) {
    let complaints = bare("a.yaml", ["a.yaml": text]).complaints
    #expect(
      complaints.map { $0.replacing("; the members are ", with: "\n").prefix { $0 != "\n" } }.map(String.init) == ["shop/a.yaml:\(said)"])
  }

  @Test func `empty sections and sections in all files join`() throws {
    #expect(bare("a.yaml", ["a.yaml": "screens:\nrules:\nnotifications:\nlanguage: 1\n"]).complaints == [])
    let hosts = bare("[a.yaml, b.yaml]", ["a.yaml": "allowHosts: a.example\n", "b.yaml": "allowHosts: [b.example]\n"])
    #expect(try DefinitionLoader.load(hosts.source).definition.hosts == ["a.example", "b.example"])
  }
}
