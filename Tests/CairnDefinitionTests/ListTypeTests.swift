import CairnCore
import CairnDefinition
import Testing

@Suite struct `Lists in definitions` {
  private func said(_ type: String) -> [String] {
    complaints(
      """
      app: x
      language: 1
      root: main
      sets: { few: [1, 5] }
      screens: { home: }
      facts: { a: \(type) }
      flows: { main: { stack: home } }
      """)
  }

  @Test func `the short and the long form of a list are read`() throws {
    let definition = try definition(
      """
      app: x
      language: 1
      root: main
      sets: { few: [1, 5] }
      facts: { short: list of integer, long: { type: list, of: integer }, maybe: optional list of string, bare: list }
      screens: { home: { params: { rows: { type: list, of: { type: integer, in: few, min: 1 }, minItems: 1, maxItems: 9, default: [1, 5] } } } }
      flows: { main: { stack: home } }
      """)
    let integers = ValueBounds(item: ParameterDefinition(.integer))
    #expect(definition.facts["short"]?.type.kind == .list)
    #expect(definition.facts["short"]?.type.bounds == integers && definition.facts["long"]?.type.bounds == integers)
    #expect(definition.facts["maybe"]?.type.bounds == ValueBounds(item: ParameterDefinition(.string)))
    #expect(definition.facts["bare"]?.type.bounds == ValueBounds(item: ParameterDefinition(.any)))
    let rows = try #require(definition.screens["home"]?.params["rows"])
    #expect(rows.bounds?.minLength == 1 && rows.bounds?.maxLength == 9 && rows.defaultValue == [1, 5])
    #expect(rows.bounds?.item?.allowed?.name == "few" && rows.bounds?.item?.bounds == ValueBounds(min: 1))
  }

  @Test(arguments: [
    ("list of list", "the items of the fact `a` cannot be lists; use `any` for lists of lists"),
    ("{ type: list, of: list of integer }", "the items of the fact `a` cannot be lists; use `any` for lists of lists"),
    ("list of optional string", "the items of the fact `a` cannot be optional; leave such items out of the list"),
    ("{ type: list, of: { type: string, default: x } }", "the items of the fact `a` cannot have a default; give the list a `default`"),
    (
      "{ type: list, of: { type: string, secret: true } }",
      "an item of the fact `a` cannot be secret; only params, and facts of flows, can"
    ),
    ("list of strin", "there is no type `strin`; did you mean `string`?"), ("array", "there is no type `array`; did you mean `list`?"),
    ("{ type: string, of: integer }", "`of` is for lists, but the fact `a` is of type string; write `type: list`"),
    ("{ type: list of string, of: string }", "the type of the items is given twice; write `type: list` next to `of`"),
    (
      "{ type: list, in: [[a]] }",
      "`in` has the values of each item: put it into `of`, like `of: { type: string, in: [a, b] }`"
    ),
    ("{ type: list, minItems: 2, maxItems: 1 }", "`minItems` is 2, but `maxItems` is 1, so no value is allowed"),
    ("{ type: list, maxItems: -1 }", "`maxItems` must be a whole number from 0 to 9007199254740992, not `-1`"),
    ("{ type: string, maxItems: 1 }", "`maxItems` is for lists, but the fact `a` is of type string; the bound of a length is `maxLength`"),
    (
      "{ type: list, max: 1 }",
      "`max` is for numbers, but the fact `a` is of type list; the bound of the number of items is `maxItems`, and bounds of each item belong into `of`"
    ),
    (
      "{ type: list, minLength: 1 }",
      "`minLength` is for strings, but the fact `a` is of type list; the bound of the number of items is `minItems`, and bounds of each item belong into `of`"
    ),
    ("{ type: list of integer, default: [1, x] }", "item [1] of the default of the fact `a` must be of type integer, not string"),
    ("{ type: list of integer, default: 1 }", "the default of the fact `a` must be of type list, not integer"),
    ("{ type: list of string, env: A }", "the fact `a` is a list, but an environment variable has one text; use `string`"),
  ]) func `a mistake in a list is reported`(type: String, message: String) {
    let found = said(type)
    #expect(found.count == 1 && found.first?.hasSuffix(": " + message) == true, "\(found)")
  }

  private func handled(_ handler: String, _ links: String = "") -> [String] {
    complaints(
      """
      app: x
      language: 1
      root: main
      screens:
        home: { emits: { picked: { tags: list of string, id: integer, pin: { type: optional string, secret: true } } } }
        page: { params: { rows: list of integer } }
      steps: { opened: { rows: list of string, id: string } }
      flows: { main: { stack: home, handle: { picked: \(handler), opened: [] } } }
      \(links)
      """
    ).filter { !$0.contains(" warning: ") }
  }

  @Test(
    arguments: [
      ("{ push: page, with: { rows: [1, $id] } }", nil),
      ("{ push: page, with: { rows: [1, x] } }", "item [1] of `rows` of the screen `page` must be of type integer, not string"),
      ("{ push: page, with: { rows: [$id, $tags] } }", "item [1] of `rows` of the screen `page` must be of type integer, not list"),
      ("{ push: page, with: { rows: $tags } }", "`rows` of the screen `page` must be a list of integer, not a list of string"),
      ("{ push: page, with: { rows: $id } }", "`rows` of the screen `page` must be of type list, not integer"),
      (
        "{ push: page, with: { rows: [$pin] } }",
        "`$pin` is secret and cannot be used here: pass it into a secret param or fact, or send it in `body` or `headers` of a load or message"
      ),
      ("{ push: page, with: { rows: [$count(tags)] } }", nil),
      ("[{ when: { param: tags, is: [a] }, do: pop }]", nil),
      ("[{ when: { param: tags, over: 3 }, do: pop }]", "the param `tags` is of type list, but `over` and `under` compare numbers"),
      ("[{ when: { param: tags }, do: pop }]", "the param `tags` is of type list, so it is never true; add `is: VALUE`"),
    ] as [(String, String?)]) func `a value is compared with the type of a list`(handler: String, message: String?)
  {
    let found = handled(handler)
    guard let message else { return #expect(found == []) }
    #expect(found.count == 1 && found.first?.hasSuffix(message) == true, "\(found)")
  }

  @Test func `a capture of a link cannot be a list`() {
    let found = handled("[]", "links: [{ scheme: x, path: \"/o/{id}/{rows}\", send: opened }]")
    #expect(
      found.count == 1 && found.first?.hasSuffix("`rows` is one text of the URL, but `rows` of the step `opened` is a list") == true,
      "\(found)")
    #expect(handled("[]", "links: [{ scheme: x, path: \"/o/{id}\", send: opened, with: { id: $id, rows: [a] } }]") == [])
  }

  @Test(arguments: [
    ("list", "list of string", "may have an item that is of type any, not string"), ("list of string", "list", nil),
    ("list of integer", "list of number", nil),
    ("list of number", "list of integer", "may have an item that is of type number, not integer"),
    ("list of string", "string", "is of type list, not string"), ("list of string", "any", nil),
    ("list of integer", "{ type: list of integer, minItems: 1 }", "may be shorter than the new bound 1"),
    ("{ type: list of integer, maxItems: 2 }", "{ type: list of integer, maxItems: 3 }", nil),
    (
      "list of integer", "{ type: list, of: { type: integer, max: 3 } }",
      "may have an item that may be greater than the new bound 3"
    ),
  ]) func `a narrower list needs a migration`(old: String, new: String, reason: String?) throws {
    func source(_ type: String) throws -> DefinitionDiff.Source {
      let text = "app: x\nlanguage: 1\nroot: main\nscreens: { home: }\nfacts: { a: \(type) }\nflows: { main: { stack: home } }\n"
      return .init(try DefinitionLoader.load(file: "x.yaml", text: text), root: try Document.read(file: "x.yaml", text: text))
    }
    let changes = DefinitionDiff(from: try source(old), to: try source(new)).changes
    #expect(changes.map(\.effect) == [reason == nil ? .none : .migration])
    #expect(changes.map(\.consequence) == [reason.map { "its value in sessions \($0)" } ?? "all values in sessions are valid"])
  }
}
