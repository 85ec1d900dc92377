import CairnCore
import CairnDefinition
import CairnTesting
import Testing

/// Facts of a flow: values that exist as long as the flow's node.
@Suite struct `Facts of a flow` {
  private static let app = """
    app: bank
    language: 1
    root: main
    facts: { last: number }
    screens:
      home: { emits: { begun: , opened: { account: string } } }
      amount: { emits: { entered: { amount: number }, cleared: , left: } }
      pin: { emits: { confirmed: { pin: { type: string, secret: true } }, checked: } }
      receipt: { params: { amount: number } }
    flows:
      main:
        stack: home
        handle:
          begun: { push: transfer }
          opened: { present: { flow: transfer, with: { account: $account } }, of: screen }
          transferred: [{ write: { last: $amount } }, { push: receipt, with: { amount: $amount } }]
      transfer:
        params: { account: { type: string, default: main } }
        facts: { amount: number, tries: { type: integer, default: 0 }, pin: { type: string, secret: true } }
        stack: amount
        handle:
          entered: [{ write: { amount: $amount, tries: 1 } }, { push: confirmation }]
          cleared: { write: { amount: null, tries: null } }
          done:
            - { when: { fact: amount, is: absent }, do: [] }
            - do: [finish, { send: transferred, with: { amount: $fact.amount }, to: parent }]
          left: [pop, { write: { tries: 9 } }, { send: transferred, with: { amount: $fact.amount }, to: parent }]
      confirmation:
        stack: pin
        handle:
          checked: { write: { tries: 2 } }
          confirmed:
            - { when: { fact: amount, over: 100 }, do: { write: { pin: $pin } } }
            - do: { send: done }
    steps: { transferred: { amount: number } }
    """

  private func started() throws -> Drive {
    var drive = try Drive(Self.app)
    drive.step("begun")
    return drive
  }

  @Test func `the flow and the flows below it write and read them, and the tree has them at the flow's node`() throws {
    var drive = try started()
    #expect(drive.sketch == "main[home, transfer(account: main)[amount]:{tries:0}]")
    drive.step("entered", ["amount": 50])
    #expect(drive.sketch == "main[home, transfer(account: main)[amount, confirmation[pin]]:{amount:50,tries:1}]")
    #expect(drive.last.changes.map(\.name) == ["push", "update"])
    drive.step("checked")
    #expect(drive.sketch == "main[home, transfer(account: main)[amount, confirmation[pin]]:{amount:50,tries:2}]")
    #expect(drive.last.changes == [.update(node: drive.id("transfer"), Change.Update(facts: ["amount": 50, "tries": 2]))])
    #expect(drive.state.facts == [:])
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `they can be read until the end of the handler that removes the flow, and are gone with it`() throws {
    var drive = try started()
    drive.step("entered", ["amount": 50])
    drive.post(.action(.step(Step("confirmed", params: ["pin": "1"]), from: nil)))
    #expect(drive.sketch == "main[home, receipt(amount: 50)]")
    #expect(drive.state.facts == ["last": 50])
    drive.step("begun")
    #expect(drive.refusal?.code == .notInContract)
  }

  @Test func `null sets a fact to its default, or removes it`() throws {
    var drive = try started()
    drive.step("entered", ["amount": 50])
    drive.step("cleared", from: drive.id("amount"))
    #expect(drive.refusal?.code == .hidden)
    drive.run(.gesture(.pop(count: 1, node: nil), from: nil))
    drive.step("cleared")
    #expect(drive.sketch == "main[home, transfer(account: main)[amount]:{tries:0}]")
  }

  @Test func `a write after the flow has left changes nothing`() throws {
    var drive = try Drive(Self.app.replacing("left: [pop,", with: "left: [popToRoot, finish,"))
    drive.step("begun")
    drive.step("entered", ["amount": 7])
    drive.run(.gesture(.pop(count: 1, node: nil), from: nil))
    drive.step("left")
    #expect(drive.sketch == "main[home, receipt(amount: 7)]")
  }

  @Test func `each instance of a flow has its own`() throws {
    var drive = try started()
    drive.step("entered", ["amount": 50])
    drive.run(.gesture(.popTo(.screen("home")), from: nil))
    drive.step("begun")
    #expect(drive.sketch == "main[home, transfer(account: main)[amount]:{tries:0}]")
  }

  @Test func `the creator of a flow gives facts their first values, and a missing value leaves the default`() throws {
    let text = Self.app.replacing("begun: { push: transfer }", with: "begun: { push: transfer, facts: { amount: $fact.last, tries: 5 } }")
    var drive = try Drive(text)
    drive.step("begun")
    #expect(drive.sketch == "main[home, transfer(account: main)[amount]:{tries:5}]")
    drive = try Drive(text.replacing("last: number", with: "last: { type: any, default: x }"))
    drive.step("begun")
    #expect(drive.refusal?.detail == "the fact amount of the flow transfer must be of type number, not string")
  }

  @Test func `a secret fact takes a secret param, and only its presence is shown`() throws {
    var drive = try started()
    drive.step("entered", ["amount": 500])
    let sealed = try drive.reducer.seal(.action(.step(Step("confirmed", params: ["pin": "4711"]), from: nil)), for: drive.state)
    drive.run(sealed.action)
    #expect(drive.sketch == "main[home, transfer(account: main)[amount, confirmation[pin]]:{amount:500,pin:true,tries:1}]")
    #expect(drive.state.secrets.count == 1)
    #expect(!String(decoding: StateFormat.snapshot(drive.state), as: UTF8.self).contains("4711"))
    drive.run(.gesture(.popTo(.screen("home")), from: nil))
    #expect(drive.state.secrets.isEmpty)
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `a stored state has the facts of its flows`() throws {
    var drive = try started()
    drive.step("entered", ["amount": 50])
    let start = StateFormat.snapshot(drive.state)
    #expect(try StateFormat.state(start, version: StateFormat.version) == drive.state)
    let before = drive.state
    drive.step("checked")
    var replayed = before
    try StateFormat.apply(StateFormat.difference(from: before, to: drive.state), to: &replayed)
    #expect(replayed == drive.state)
  }
}

/// Typed params of a flow, which its creator passes and which the flow reads as `$flow.name`.
@Suite struct `Params of a flow` {
  private static let app = """
    app: seats
    language: 1
    root: main
    screens:
      home: { emits: { chosen: { passenger: integer } } }
      seats: { params: { passenger: integer }, emits: [looked] }
      detail: { params: { text: string } }
    flows:
      main:
        stack: home
        handle:
          chosen:
            - { when: { flow: seatMap, with: { passenger: $passenger } }, do: { reveal: { flow: seatMap, with: { passenger: $passenger } } } }
            - do: { push: { flow: seatMap, with: { passenger: $passenger, name: Ada } } }
      seatMap:
        params: { passenger: integer, name: { type: string, default: Bob } }
        stack: { screen: seats, with: { passenger: $flow.passenger } }
        handle:
          looked: { push: detail, with: { text: $flow.name } }
    """

  @Test func `the flow's first nodes and its handlers read them`() throws {
    var drive = try Drive(Self.app)
    drive.step("chosen", ["passenger": 2])
    #expect(drive.sketch == "main[home, seatMap(name: Ada, passenger: 2)[seats(passenger: 2)]]")
    drive.step("looked")
    #expect(drive.sketch == "main[home, seatMap(name: Ada, passenger: 2)[seats(passenger: 2), detail(text: Ada)]]")
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `a step of a reselected tab reads the params and facts of its flow`() throws {
    var drive = try Drive(
      """
      app: tabs
      language: 1
      compat: { emits: any }
      root: main
      screens: { home: {}, list: {}, note: { params: { text: string, count: integer } } }
      steps: { open: {}, tapped: { text: string, count: integer } }
      flows:
        main: { stack: home, handle: { open: { push: { flow: bar, with: { text: x } } } } }
        bar:
          params: { text: string }
          facts: { count: { type: integer, default: 3 } }
          tabs: [home, list]
          reselect: { step: tapped, with: { text: $flow.text, count: $fact.count } }
          handle: { tapped: { present: note, with: { text: $text, count: $count } } }
      """)
    drive.step("open")
    drive.run(.gesture(.select(.tab(0), node: nil), from: nil))
    #expect(drive.sketch == "main[home, bar(text: x)<*home, list>:{count:3} ^ note(count: 3, text: x)]")
  }

  @Test func `a param of a wrong type refuses the step`() throws {
    var definition = try DefinitionLoader.load(file: "test.yaml", text: Self.app).definition
    definition.steps["chosen"]?.params["passenger"] = ParameterDefinition(.any)
    var drive = try Drive(definition, creation: Creation())
    drive.step("chosen", ["passenger": "x"])
    #expect(drive.refusal?.code == .valueMismatch)
    #expect(drive.refusal?.detail == "the param passenger of the flow seatMap must be of type integer, not string")
  }
}
