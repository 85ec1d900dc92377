import CairnCore
import CairnTesting
import Testing

/// A lock over the whole app, and approvals below it that wait for each other.
private let bank = """
  app: bank
  language: 1
  compat: { emits: any, words: [end, listen] }
  root: { flow: main }
  screens:
    home: { emits: [payIsWanted, approvalCame, lockIsDue, noteIsWanted, tickIsDue, homeIsWanted] }
    pay: { emits: [nextIsWanted, lockIsDue, askIsDue, approvalCame, homeIsWanted] }
    amount: {}
    ask: { emits: [] }
    note: { emits: [noteIsRead] }
    approval: { params: { id: string }, emits: [approvalIsOver, lockIsDue] }
    pin: { emits: [pinIsRight, helpIsWanted] }
    help: { emits: [helpIsRead, pinIsRight] }
    ticked:
  steps:
    payIsWanted:
    nextIsWanted:
    askIsDue:
    lockIsDue:
    pinIsRight:
    helpIsWanted:
    helpIsRead:
    noteIsWanted:
    noteIsRead:
    homeIsWanted:
    tickIsDue:
    tickIsOver:
    approvalCame: { id: string }
    approvalIsOver:
    approvalIsLate:
    approvalIsGone: { id: string }
  flows:
    main:
      stack: home
      handle:
        payIsWanted: { present: { flow: paying } }
        homeIsWanted: { reveal: home }
        noteIsWanted: { present: note, of: screen }
        noteIsRead: dismiss
        lockIsDue: { present: { flow: lock }, level: 9, style: fullScreen }
        pinIsRight: dismiss
        tickIsDue: { push: { screen: ticked, timer: { after: 5s, send: tickIsOver } } }
        tickIsOver: pop
        approvalCame:
          { present: { screen: approval, with: { id: $id }, timer: { after: 60s, send: approvalIsLate } }, level: 5, queue: true }
        approvalIsOver: dismiss
        approvalIsLate: dismiss
        approvalIsGone: { dismiss: approval }
    paying:
      stack: pay
      handle:
        nextIsWanted: { push: amount }
        askIsDue: { present: ask, style: fullScreen }
    lock:
      stack: pin
      handle:
        pinIsRight: { send: pinIsRight, to: parent }
        helpIsWanted: { present: help }
        helpIsRead: dismiss
  linkDefaults: { scheme: bank }
  links:
    - { path: /pay, send: payIsWanted }
    - { path: /home, send: homeIsWanted }
    - { path: /lock, send: lockIsDue }
    - { path: "/approvals/{id}", send: approvalCame }
  """

extension Drive {
  /// A session of the app bank, after replacing texts of its definition.
  fileprivate static func bank(_ changes: (String, String)...) throws -> Drive {
    let text = changes.reduce(CairnCoreTests.bank) { text, change in
      #expect(text.contains(change.0))
      return text.replacing(change.0, with: change.1)
    }
    return try Drive(text, creation: Creation(manualClock: true))
  }

  /// Opens the link that requests an approval.
  fileprivate mutating func approve(_ id: String) { post(.open(url: "bank://approvals/\(id)")) }

  /// The waiting modals, oldest first.
  fileprivate var waiting: [String] {
    state.nodes.values.filter(\.waits).sorted { $0.id < $1.id }.map { "\($0.name) \($0.params["id"]?.shortText ?? "")" }
  }
}

@Suite struct `Modals on a level` {
  @Test func `a modal on a level covers the whole app, and everything below stays unchanged`() throws {
    var drive = try Drive.bank()
    drive.step("payIsWanted")
    drive.step("askIsDue")
    #expect(drive.sketch == "main[home] ^ paying[pay] ^ ask")
    let before = drive.state.nodes
    drive.post(.open(url: "bank://lock"))
    #expect(drive.sketch == "main[home] ^ paying[pay] ^ ask ^9 lock[pin]")
    #expect(drive.last.changes.map(\.name) == ["present"])
    #expect(drive.routes == ["home", "pay", "ask", "pin"])
    #expect(drive.reducer.visible(in: drive.state)?.screen == "pin")
    #expect(drive.tree.levels?.map(\.level) == [9])
    drive.step("pinIsRight")
    #expect(drive.state.nodes == before)
    #expect(drive.last.changes.map(\.name) == ["dismiss"])
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `a modal on a level can present further modals`() throws {
    var drive = try Drive.bank()
    drive.step("payIsWanted")
    drive.step("lockIsDue")
    drive.step("helpIsWanted")
    #expect(drive.sketch == "main[home] ^ paying[pay] ^9 lock[pin] ^ help")
    drive.step("helpIsRead")
    #expect(drive.sketch == "main[home] ^ paying[pay] ^9 lock[pin]")
    drive.step("helpIsWanted")
    // The step that closes the lock destroys the node that the lock presents.
    drive.step("pinIsRight", from: drive.id("help"))
    #expect(drive.sketch == "main[home] ^ paying[pay]")
    #expect(drive.broken == [])
  }

  @Test func `a second modal on an occupied level is rejected`() throws {
    var drive = try Drive.bank(("emits: [pinIsRight,", "emits: [pinIsRight, lockIsDue,"))
    drive.step("lockIsDue")
    let first = drive.id("lock")
    drive.step("lockIsDue")
    #expect(drive.outcome == "already-presenting")
    #expect(drive.id("lock") == first)
    #expect(drive.broken == [])
  }

  @Test func `with replace a new modal takes the level`() throws {
    var drive = try Drive.bank(("emits: [pinIsRight,", "emits: [pinIsRight, lockIsDue,"), ("level: 9,", "level: 9, replace: true,"))
    drive.step("lockIsDue")
    let first = drive.id("lock")
    drive.step("lockIsDue")
    #expect(drive.id("lock") != first)
    #expect(drive.sketch == "main[home] ^9 lock[pin]")
    #expect(drive.last.changes.map(\.name) == ["dismiss", "present"])
    #expect(drive.broken == [])
  }

  @Test(arguments: ["refuse", "accept"]) func `a client cannot reach nodes below a modal on a level`(covered: String) throws {
    var drive = try Drive.bank(("compat: {", "compat: { covered: \(covered),"))
    drive.step("payIsWanted")
    drive.step("nextIsWanted")
    drive.step("lockIsDue", from: drive.id("pay"))
    if covered == "refuse" { drive.step("lockIsDue", from: drive.id("amount")) }
    #expect(drive.sketch == "main[home] ^ paying[pay, amount] ^9 lock[pin]")
    let locked = drive.state
    for name in ["main", "home", "paying", "pay", "amount"] {
      drive.step("approvalCame", ["id": "a"], from: drive.id(name))
      #expect(drive.outcome == "hidden", "\(name)")
    }
    for action: Action in [
      .pop(count: 1, node: drive.id("amount")), .popTo(.node(drive.id("pay"))), .dismiss(node: drive.id("paying")),
      .select(.tab(0), node: drive.id("home")),
    ] {
      drive.run(action)
      #expect(drive.outcome == "hidden")
    }
    for action: Action in [.pop(count: 1, node: nil), .popToRoot, .popTo(.screen("pay")), .select(.tab(0), node: nil)] {
      drive.run(action)
      #expect(drive.state == locked)
    }
    #expect(drive.falsePromises == [])
    #expect(drive.broken == [])
  }

  @Test func `a hidden screen below the level cannot send steps, although it listens`() throws {
    var drive = try Drive.bank(("{ present: { flow: paying } }", "{ push: pay, listen: { hidden: true, dismissed: true } }"))
    drive.step("payIsWanted")
    let pay = drive.id("pay")
    drive.step("lockIsDue")
    drive.step("askIsDue", from: pay)
    #expect(drive.outcome == "hidden")
    drive.step("pinIsRight")
    drive.run(.pop(count: 1, node: nil))
    drive.step("lockIsDue")
    #expect(drive.sketch == "main[home] ^9 lock[pin]")
    // The screen is destroyed but may still send steps, though not past the lock.
    drive.step("approvalCame", ["id": "a"], from: pay)
    #expect(drive.outcome == "hidden")
    drive.step("pinIsRight")
    drive.step("approvalCame", ["id": "a"], from: pay)
    #expect(drive.sketch == "main[home] ^5 approval(id: a)")
    #expect(drive.broken == [])
  }

  @Test func `timers below the level continue`() throws {
    var drive = try Drive.bank()
    drive.step("tickIsDue")
    drive.step("lockIsDue")
    #expect(drive.sketch == "main[home, ticked] ^9 lock[pin]")
    drive.advance(5_000)
    #expect(drive.sketch == "main[home] ^9 lock[pin]")
    #expect(drive.broken == [])
  }

  @Test func `a link changes nodes below the level, and the modal stays`() throws {
    var drive = try Drive.bank()
    drive.step("lockIsDue")
    drive.post(.open(url: "bank://pay"))
    #expect(drive.sketch == "main[home] ^ paying[pay] ^9 lock[pin]")
    drive.approve("a")
    #expect(drive.sketch == "main[home] ^ paying[pay] ^5 approval(id: a) ^9 lock[pin]")
    #expect(drive.last.changes.map(\.name) == ["present"])
    drive.post(.open(url: "bank://home"))
    #expect(drive.sketch == "main[home] ^5 approval(id: a) ^9 lock[pin]")
    #expect(drive.broken == [])
  }

  @Test func `a dismiss of a node outside the modal does not close it`() throws {
    var drive = try Drive.bank(("{ path: /home, send: homeIsWanted }", "{ path: /home, send: noteIsRead }"))
    drive.step("noteIsWanted")
    drive.step("lockIsDue", from: drive.id("main"))
    #expect(drive.outcome == "hidden")
    drive.step("noteIsRead")
    drive.step("lockIsDue")
    drive.post(.open(url: "bank://home"))
    #expect(drive.outcome == "unchanged (nothing-presented)")
    #expect(drive.sketch == "main[home] ^9 lock[pin]")
  }

  @Test func `a modal whose flow has ended is removed, and the nodes below stay`() throws {
    var drive = try Drive.bank(("pinIsRight: { send: pinIsRight, to: parent }", "pinIsRight: { end: pinIsRight }"))
    drive.step("payIsWanted")
    drive.step("lockIsDue")
    drive.step("pinIsRight")
    #expect(drive.steps == ["lock pinIsRight", "main pinIsRight"])
    #expect(drive.sketch == "main[home] ^ paying[pay]")
    #expect(drive.broken == [])
  }

  @Test func `a gesture closes the modal like any other`() throws {
    var drive = try Drive.bank()
    drive.step("payIsWanted")
    drive.approve("a")
    #expect(drive.sketch == "main[home] ^ paying[pay] ^5 approval(id: a)")
    #expect(drive.reducer.accepts(drive.state).primitives.contains("dismiss"))
    drive.run(.dismiss(node: nil))
    #expect(drive.sketch == "main[home] ^ paying[pay]")
    #expect(drive.broken == [])
  }

  @Test func `a modal is dismissed with the flow that presented it`() throws {
    let local =
      "nextIsWanted: { push: amount }\n      lockIsDue: { present: { flow: lock }, level: 9 }\n      pinIsRight: { end: noteIsRead }"
    for closing in ["pinIsRight", "noteIsRead"] {
      var drive = try Drive.bank(("nextIsWanted: { push: amount }", local))
      drive.step("payIsWanted")
      drive.step("lockIsDue")
      #expect(drive.sketch == "main[home] ^ paying[pay] ^9 lock[pin]")
      if closing == "pinIsRight" {
        drive.step("pinIsRight")
        #expect(drive.sketch == "main[home]")
        #expect(drive.last.changes.map(\.name) == ["dismiss", "dismiss"])
      } else {
        drive.post(.open(url: "bank://home"))
        #expect(drive.sketch == "main[home]")
      }
      #expect(drive.broken == [])
    }
  }
}

@Suite struct `Modals that wait for their level` {
  @Test func `waiting modals are presented one after the other`() throws {
    var drive = try Drive.bank()
    drive.approve("a")
    for id in ["b", "c"] { drive.approve("\(id)") }
    #expect(drive.sketch == "main[home] ^5 approval(id: a)")
    #expect(drive.waiting == ["approval b", "approval c"])
    drive.step("approvalIsOver")
    #expect(drive.sketch == "main[home] ^5 approval(id: b)")
    #expect(drive.last.changes.map(\.name) == ["dismiss", "present"])
    #expect(drive.waiting == ["approval c"])
    drive.run(.dismiss(node: nil))
    #expect(drive.sketch == "main[home] ^5 approval(id: c)")
    #expect(drive.waiting == [])
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `timers of a waiting modal run from its arrival`() throws {
    var drive = try Drive.bank()
    drive.approve("a")
    drive.advance(10_000)
    drive.approve("b")
    drive.approve("c")
    drive.advance(49_999)
    #expect(drive.sketch == "main[home] ^5 approval(id: a)")
    drive.advance(1)
    #expect(drive.sketch == "main[home] ^5 approval(id: b)")
    drive.advance(10_000)
    #expect(drive.sketch == "main[home]")
    #expect(drive.waiting == [])
    #expect(drive.broken == [])
  }

  @Test func `waiting modals are dropped silently at their deadline`() throws {
    var drive = try Drive.bank(("{ present: note, of: screen }", "{ present: note, level: 5 }"))
    drive.step("noteIsWanted")
    drive.approve("a")
    drive.advance(30_000)
    drive.approve("b")
    #expect(drive.waiting == ["approval a", "approval b"])
    drive.advance(30_000)
    #expect(drive.waiting == ["approval b"])
    #expect(drive.last.changes == [])
    drive.step("noteIsRead")
    #expect(drive.sketch == "main[home] ^5 approval(id: b)")
    drive.advance(30_000)
    #expect(drive.sketch == "main[home]")
    #expect(drive.state.effects == [])
    #expect(drive.broken == [])
  }

  @Test func `waiting modals are not visible`() throws {
    var drive = try Drive.bank(("after: 60s, send: approvalIsLate }", "after: 60s, send: approvalIsLate, while: visible }"))
    drive.approve("a")
    drive.approve("b")
    #expect(drive.state.effects.map(\.isIdle) == [false, true])
  }

  @Test func `waiting modals are presented below a higher level, and become visible when it is free`() throws {
    var drive = try Drive.bank()
    drive.step("lockIsDue")
    drive.approve("a")
    drive.approve("b")
    #expect(drive.sketch == "main[home] ^5 approval(id: a) ^9 lock[pin]")
    #expect(drive.reducer.visible(in: drive.state)?.screen == "pin")
    drive.step("pinIsRight")
    #expect(drive.sketch == "main[home] ^5 approval(id: a)")
    #expect(drive.waiting == ["approval b"])
    #expect(drive.broken == [])
  }

  @Test func `clients cannot reach waiting modals`() throws {
    for covered in ["refuse", "accept"] {
      var drive = try Drive.bank(("compat: {", "compat: { covered: \(covered),"))
      drive.approve("a")
      drive.approve("b")
      let waiting = drive.id("approval")
      drive.step("approvalIsOver", from: waiting)
      #expect(drive.outcome == "hidden")
      drive.run(.dismiss(node: waiting))
      #expect(drive.outcome == "hidden")
      #expect(drive.waiting == ["approval b"])
    }
  }

  @Test func `waiting modals are presented before held links are checked`() throws {
    var drive = try Drive.bank(
      ("{ path: /home, send: homeIsWanted }", "{ path: /home, send: payIsWanted, requires: { visible: approval, with: { id: b } } }"))
    drive.approve("a")
    drive.approve("b")
    drive.post(.open(url: "bank://home"))
    #expect(drive.outcome == "pending")
    drive.step("approvalIsOver")
    #expect(drive.sketch == "main[home] ^ paying[pay] ^5 approval(id: b)")
    #expect(drive.last.changes.map(\.name) == ["dismiss", "present", "present"])
    #expect(drive.broken == [])
  }

  @Test func `at most sixteen modals wait`() throws {
    var drive = try Drive.bank()
    for number in 0...16 { drive.approve("\(number)") }
    #expect(drive.waiting.count == 16)
    // The page that the tap opens waits below the first page.
    #expect(drive.outcome == "performed (covered)")
    drive.approve("17")
    #expect(drive.outcome == "already-presenting")
    #expect(drive.waiting.count == 16)
    #expect(drive.broken == [])
  }

  @Test func `waiting modals are closed by their name`() throws {
    var drive = try Drive.bank(("{ path: /home, send: homeIsWanted }", "{ path: \"/gone/{id}\", send: approvalIsGone }"))
    for id in ["a", "b", "c"] { drive.approve("\(id)") }
    drive.post(.open(url: "bank://gone/x"))
    #expect(drive.sketch == "main[home] ^5 approval(id: b)")
    drive.post(.open(url: "bank://gone/x"))
    drive.post(.open(url: "bank://gone/x"))
    #expect(drive.sketch == "main[home]")
    drive.post(.open(url: "bank://gone/x"))
    #expect(drive.outcome == "unchanged (nothing-presented)")
    #expect(drive.broken == [])
  }
}
