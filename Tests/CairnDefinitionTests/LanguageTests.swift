import CairnCore
import CairnDefinition
import Testing

/// Every construct of the language, and the value that it is parsed to.
@Suite struct LanguageTests {
  typealias Operation = CairnCore.Operation

  private let home = Contribution(.screen("home"))
  private let about = Contribution(.screen("about"))

  // MARK: Operations

  @Test(
    arguments: [
      ("dismiss", .dismiss(nil)), ("popToRoot", .popToRoot), ("pop", .pop(count: 1)), ("{ pop: 2 }", .pop(count: 2)),
      ("{ popTo: home }", .popTo(.screen("home"))), ("{ reveal: home }", .reveal(.screen("home"))),
      ("{ reveal: { flow: main2 } }", .reveal(.flow("main2"))),
      ("{ set: [home], keep: true }", .set([Contribution(.screen("home"))], keep: true)),
      ("{ push: about, guard: true }", .push(Contribution(.screen("about"), leave: .refuse))),
      (
        "{ push: about, guard: { when: { content: id, is: present }, ask: started, tabs: true } }",
        .push(
          Contribution(
            .screen("about"), leave: Leave(when: .content(["id"], .present), ask: StepTemplate("started"), asksBeforeTabs: true)))
      ),
      ("proceed", .proceed),
      (
        "{ push: { flow: main2, guard: { step: picked, with: { id: $content.id } } } }",
        .push(Contribution(.flow("main2"), leave: Leave(ask: StepTemplate("picked", with: ["id": .reference(.content(["id"]))]))))
      ),
      ("{ remove: home }", .remove(.screen("home"))), ("{ remove: { flow: main2 }, all: true }", .remove(.flow("main2"), all: true)),
      ("{ bring: { screen: detail, with: { id: 1 } } }", .bring(.screen("detail", with: ["id": .literal(1)]))),
      ("{ dismiss: { screen: detail, with: { id: 1 } } }", .dismiss(.screen("detail", with: ["id": .literal(1)]))),
      ("{ dismiss: home }", .dismiss(Place(.any, "home"))), ("{ select: main2 }", .select(.flow(.flow("main2")))),
      ("{ push: about }", .push(Contribution(.screen("about")))),
      ("{ push: { flow: main2 } }", .push(Contribution(.flow("main2")))),
      ("{ replace: about }", .replace(Contribution(.screen("about")))),
      ("{ set: [home, { screen: about }] }", .set([Contribution(.screen("home")), Contribution(.screen("about"))])),
      ("{ present: about }", .present(Contribution(.screen("about")), style: .sheet, on: .flow, replace: false)),
      (
        "{ present: about, style: fullScreen, of: screen, replace: true }",
        .present(Contribution(.screen("about")), style: .fullScreen, on: .screen, replace: true)
      ),
      ("{ select: 1 }", .select(.index(.literal(1)))), ("{ select: { flow: main2 } }", .select(.flow(.flow("main2")))),
      ("{ end: started }", .end(StepTemplate("started"))),
      ("{ send: started }", .forward(StepTemplate("started", to: .current))),
      ("{ send: started, to: parent }", .forward(StepTemplate("started"))),
      ("{ send: picked, with: { id: 1 } }", .forward(StepTemplate("picked", with: ["id": .literal(1)]))),
      ("{ send: [{ step: picked, with: { id: 1 }, to: root }] }", .forward(StepTemplate("picked", with: ["id": .literal(1)], to: .root))),
      (
        "{ write: { onBoarded: true, name: $fact.name } }",
        .write(["onBoarded": .literal(true), "name": .reference(.fact("name"))])
      ),
      ("{ write: { name: null } }", .clear(["name"])), ("{ write: { name: null, onBoarded: null } }", .clear(["name", "onBoarded"])),
      ("{ cancel: all }", .cancel(name: nil)),
      (
        "{ content: { count: { add: 1 } } }",
        .content([ContentEdit(path: [.literal("count")], change: .add(.literal(1)))], of: nil)
      ),
      (
        "{ content: { a.b: [1, $content.x] }, of: home }",
        .content(
          [ContentEdit(path: [.literal("a"), .literal("b")], change: .set(.array([.literal(1), .reference(.content(["x"]))])))],
          of: .screen("home"))
      ),
      ("{ load: { value: { a: 1 } } }", .load(Load(.value(.literal(["a": 1]))), on: .screen)),
      (
        "{ timer: { every: 1.5s, send: started, name: tick, while: visible } }",
        .after(Timer(name: "tick", delay: 1500, repeats: true, step: StepTemplate("started"), whileVisible: true), on: .screen)
      ),
      (
        "{ timer: { after: 2m, send: picked, with: { id: 1 } } }",
        .after(Timer(delay: 120_000, step: StepTemplate("picked", with: ["id": .literal(1)])), on: .screen)
      ),
    ] as [(String, Operation)]) func `an operation is parsed`(text: String, expected: Operation) throws
  {
    #expect(try Demo.operation(text) == expected)
  }

  @Test func `the settings of tabs for gestures are parsed`() throws {
    func manner(_ members: String) throws -> TabsManner? {
      let tabs = "  bar: { tabs: [home, { flow: main2 }]\(members) }"
      return try definition(Demo.text("  main: { stack: { flow: bar } }\n\(tabs)")).flows["bar"]?.tabs
    }
    #expect(try manner("") == TabsManner())
    #expect(try manner(", reselect: popToRoot, back: first") == TabsManner(reselect: .popToRoot, back: .first))
    #expect(try manner(", reselect: none, back: none") == TabsManner())
    let step = StepTemplate("picked", with: ["id": .literal(1)])
    #expect(try manner(", reselect: { step: picked, with: { id: 1 } }") == TabsManner(reselect: .send(step)))
  }

  @Test func `the operations of other containers are parsed`() throws {
    let flows = try definition(
      Demo.text(
        """
          main: { stack: { flow: halves } }
          halves:
            split: { master: [home], detail: about }
            handle:
              started: [{ set: { master: [about], detail: home } }, { detail: { screen: about } }]
          bar: { tabs: [], handle: { picked: [{ set: [home, about] }, { select: $id }] } }
          choice:
            switch: [main2]
            handle:
              started: { set: main2 }
              picked: { show: { flow: main2, screen: detail, with: { id: $id } } }
        """)
    ).flows
    #expect(flows["halves"]?.initialChildren == .split(master: [home], detail: about))
    #expect(
      flows["halves"]?.handle["started"]?.branches.first?.operations == [.split(master: [about], detail: home), .detail(about)])
    #expect(flows["bar"]?.initialChildren == .empty)
    #expect(
      flows["bar"]?.handle["picked"]?.branches.first?.operations == [
        .tabs([home, about]), .select(.index(.reference(.param("id")))),
      ])
    #expect(flows["choice"]?.children == ["main2"])
    #expect(flows["choice"]?.initialChildren == .root(Contribution(.flow("main2"))))
    #expect(flows["choice"]?.handle["started"]?.branches.first?.operations == [.show(flow: "main2", screen: nil)])
    let detail = Contribution(.screen("detail"), with: ["id": .reference(.param("id"))])
    #expect(flows["choice"]?.handle["picked"]?.branches.first?.operations == [.show(flow: "main2", screen: detail)])
    #expect(flows["tabbed"]?.initialChildren == .tabs([home, Contribution(.flow("main2"))]))
  }

  @Test func `the members beside a screen belong to the new node`() throws {
    let operation = try Demo.operation(
      """
      { push: detail, with: { id: $id, title: $$price }, listen: { hidden: true }, load: { value: 1, delay: 1s, restart: true },
          timer: [{ after: 5s, send: started }, { every: 1h, send: picked, with: { id: $id } }],
          removed: { step: picked, with: { id: $content.id } }, content: { count: 0, of: $id } }
      """, of: "picked")
    let expected = Contribution(
      .screen("detail"), with: ["id": .reference(.param("id")), "title": .literal("$price")], listen: Listen(hidden: true),
      load: Load(.value(.literal(1)), delay: 1000, restart: true),
      after: [
        Timer(delay: 5000, step: StepTemplate("started")),
        Timer(delay: 3_600_000, repeats: true, step: StepTemplate("picked", with: ["id": .reference(.param("id"))])),
      ], steps: NodeSteps(removed: StepTemplate("picked", with: ["id": .reference(.content(["id"]))])),
      content: .object(["count": .literal(0), "of": .reference(.param("id"))]))
    #expect(operation == .push(expected))
    let same = try Demo.operation("{ set: [detail], with: { id: $id } }", of: "picked")
    #expect(same == (try Demo.operation("{ set: [{ screen: detail, with: { id: $id } }] }", of: "picked")))
  }

  @Test func `a flow starts with one step or several`() throws {
    let one = try Demo.operation("{ push: { flow: main2, start: started, listen: { dismissed: true } } }")
    #expect(one == .push(Contribution(.flow("main2"), start: [StepTemplate("started")], listen: Listen(dismissed: true))))
    let two = try Demo.operation("{ push: { flow: main2, start: [started, { step: picked, with: { id: $id } }] } }", of: "picked")
    let second = StepTemplate("picked", with: ["id": .reference(.param("id"))])
    #expect(two == .push(Contribution(.flow("main2"), start: [StepTemplate("started"), second])))
  }

  @Test func `a screen flow takes the params of its screen`() throws {
    let pushed = try Demo.operation("{ push: { flow: leaf, with: { id: $id } } }", of: "picked")
    #expect(pushed == .push(Contribution(.flow("leaf"), with: ["id": .reference(.param("id"))])))
    #expect(
      try definition(Demo.text("  main: { stack: [] }")).flows["leaf"]?.initialChildren
        == .root(Contribution(.screen("detail"), listen: Listen(hidden: true))))
  }

  @Test func `a load sends HTTP requests only to allowed hosts`() throws {
    let base = try Demo.operation("{ load: { get: $fact.base, bearer: accessToken, while: visible } }")
    #expect(base == .load(Load(.get(url: .reference(.fact("base")), bearer: true), whileVisible: true), on: .screen))
    let template = try Demo.operation(
      "{ load: { get: \"https://api.example/x/{id}?n={fact.name}\", then: { step: picked, with: { id: $result.items.id } }, else: started } }",
      of: "picked")
    let url = Expression.template([
      .text("https://api.example/x/"), .reference(.param("id")), .text("?n="), .reference(.fact("name")),
    ])
    let then = StepTemplate("picked", with: ["id": .reference(.result(["items", "id"]))])
    #expect(template == .load(Load(.get(url: url, bearer: false), then: then, otherwise: StepTemplate("started")), on: .screen))
    let literal = try Demo.operation("{ load: { get: \"https://api.example:443/x\" } }")
    #expect(literal == .load(Load(.get(url: .literal("https://api.example:443/x"), bearer: false)), on: .screen))
  }

  @Test func `content is read from the sending screen, or from the nearest screen of a name`() throws {
    let operation = try Demo.operation("{ write: { name: $content(home).rows.$id } }", of: "picked")
    #expect(operation == .write(["name": .reference(.content(["rows", "$id"], of: .screen("home")))]))
    #expect(try Demo.operation("{ write: { name: $content(home) } }") == .write(["name": .reference(.content([], of: .screen("home")))]))
    #expect(try Demo.operation("{ write: { name: $content } }") == .write(["name": .reference(.content([]))]))
  }

  @Test func `braces are placeholders only in links and in get`() throws {
    let operation = try Demo.operation("{ push: detail, with: { id: 1, title: \"{x}\" } }")
    #expect(operation == .push(Contribution(.screen("detail"), with: ["id": .literal(1), "title": .literal("{x}")])))
  }

  // MARK: Conditions and branches

  @Test(
    arguments: [
      ("{ fact: onBoarded }", .fact("onBoarded", .isTrue)),
      ("{ fact: onBoarded, is: false }", .fact("onBoarded", .equals(.literal(false)))),
      ("{ fact: name, is: present }", .fact("name", .present)), ("{ fact: name, is: absent }", .fact("name", .absent)),
      ("{ fact: name, in: [present] }", .fact("name", .among(ValueSet(["present"])))),
      ("{ fact: name, not: x }", .not(.fact("name", .equals(.literal("x"))))),
      ("{ fact: name, not: absent }", .not(.fact("name", .absent))),
      ("{ fact: accessToken, is: present }", .fact("accessToken", .present)),
      ("{ param: id, is: 3 }", .param("id", .equals(.literal(3)))),
      ("{ content: a.b, is: $id }", .content(["a", "b"], .equals(.reference(.param("id"))))),
      ("{ content: status, is: loaded }", .status(.loaded)),
      ("{ content: status, not: loading }", .not(.status(.loading))), ("{ visible: home }", .visible(["home"], with: [:])),
      ("{ visible: [home, detail], with: { id: $id } }", .visible(["home", "detail"], with: ["id": .reference(.param("id"))])),
      ("{ screen: [home, detail], with: { id: 1 } }", .screen(["home", "detail"], with: ["id": .literal(1)])),
      ("{ param: id, in: movies }", .param("id", .among([1, 2]))), ("{ param: id, in: [7] }", .param("id", .among([7]))),
      ("{ param: id, over: 2.5 }", .param("id", .over(.literal(.number(2.5))))),
      ("{ content: a, under: 2m }", .content(["a"], .under(.literal(120_000)))),
      ("{ param: id, under: $screen.id }", .param("id", .under(.reference(.screen(["id"]))))),
      ("{ flow: main2 }", .flow("main2")), ("{ not: { flow: main2 } }", .not(.flow("main2"))),
      ("{ all: [{ flow: main }, { any: [{ flow: main2 }] }] }", .all([.flow("main"), .any([.flow("main2")])])),
    ] as [(String, Guard)]) func `a condition is parsed`(text: String, expected: Guard) throws
  {
    let handler = try Demo.handler(
      "[{ when: \(text), do: pop }, { when: { not: \(text) }, do: [pop] }, { do: [] }]", of: "picked")
    let branches: [Handler.Branch] = [
      .init(when: expected, operations: [.pop(count: 1)]), .init(when: .not(expected), operations: [.pop(count: 1)]),
      .init(operations: [.none]),
    ]
    #expect(handler?.branches == branches)
  }

  @Test func `an empty list handles the step and does nothing`() throws {
    #expect(try Demo.handler("[]")?.branches == [.init(operations: [.none])])
    #expect(try Demo.handler("{ when: { flow: main2 }, do: [] }")?.branches == [.init(when: .flow("main2"), operations: [.none])])
  }

  @Test func `an operation may stand for several`() throws {
    #expect(
      try Demo.handler("{ send: [started, { step: named, with: { name: x } }] }")?.branches == [
        .init(operations: [
          .forward(StepTemplate("started", to: .current)), .forward(StepTemplate("named", with: ["name": .literal("x")])),
        ])
      ])
    #expect(
      try Demo.handler("{ write: { name: x, onBoarded: null } }")?.branches == [
        .init(operations: [.write(["name": .literal("x")]), .clear(["onBoarded"])])
      ])
  }

  @Test func `a list of operations runs in order, and a single branch is a list of one`() throws {
    #expect(try Demo.handler("[pop, { push: about }]")?.branches == [.init(operations: [.pop(count: 1), .push(about)])])
    #expect(
      try Demo.handler("{ when: { flow: main2 }, do: pop }")?.branches == [
        .init(when: .flow("main2"), operations: [.pop(count: 1)])
      ])
  }

  @Test func `a step is adapted if its condition holds`() throws {
    let adapt = try definition(
      Demo.text(
        "  main: { stack: [], adapt: { picked: [{ when: { not: { fact: onBoarded } }, to: started }, { when: { param: id, is: 1 }, to: picked, with: { id: 2 } }] } }"
      )
    ).flows["main"]?.adapt
    #expect(
      adapt?["picked"] == [
        Adaptation(when: .not(.fact("onBoarded", .isTrue)), to: StepTemplate("started")),
        Adaptation(when: .param("id", .equals(.literal(1))), to: StepTemplate("picked", with: ["id": .literal(2)])),
      ])
  }
}
