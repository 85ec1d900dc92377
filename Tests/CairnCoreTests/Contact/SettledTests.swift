import CairnTesting
import Testing

@testable import CairnCore

private let app = """
  app: settled
  language: 1
  root: main
  offlineFor: 2d
  screens: { jobs: { emits: [opened] }, job: { emits: [opened, formSent] }, done: }
  steps: { withdrawn: { by: operator } }
  notifications:
    take: [{ category: ended, how: silent, send: withdrawn, deliver: settled }]
  flows:
    main:
      stack: jobs
      handle:
        opened: { push: job }
        formSent: { push: done }
        withdrawn: popToRoot
  """

private let day = 86_400_000
private let ana = "client-of-ana-0123456789"
private let ben = "client-of-ben-0123456789"
private let withdrawn = Action.settled(.step(Step("withdrawn"), from: nil))

@Suite struct `An action that waits until its clients have sent what they did` {
  private func drive(_ clients: String..., yaml: String = app) throws -> Drive {
    var drive = try Drive(yaml, creation: Creation(manualClock: true))
    for client in clients { drive.run(.contact, sender: Sender(client: client, number: 1)) }
    return drive
  }

  @Test func `runs at once without a client`() throws {
    var drive = try drive()
    drive.step("opened")
    drive.run(withdrawn)
    #expect(drive.outcome == "performed" && drive.sketch == "main[jobs]" && drive.state.heldActions == [])
    #expect(drive.broken == [])
  }

  @Test func `is held for each client, and changes nothing else`() throws {
    var drive = try drive(ana, ben)
    drive.step("opened")
    let before = drive.state
    drive.run(withdrawn)
    #expect(drive.outcome == "pending" && drive.last.events.map(\.type) == [.actionHeld])
    var expected = before
    expected.revision += 1
    expected.nextLink = 2
    expected.heldActions = [
      HeldAction(
        id: HeldID(1), action: .step(Step("withdrawn"), from: nil), since: 1_000, until: 1_000 + 2 * day, clients: [ana, ben])
    ]
    #expect(drive.state == expected)
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `runs after the work of the client, when the client has been in contact`() throws {
    var drive = try drive(ana)
    drive.step("opened")
    drive.run(withdrawn)
    drive.run(.step(Step("formSent"), from: drive.id("job")), sender: Sender(client: ana, number: 2))
    #expect(drive.outcome == "performed" && drive.sketch == "main[jobs, job, done]" && drive.state.heldActions.count == 1)
    drive.run(.contact, sender: Sender(client: ana, number: 3))
    #expect(drive.sketch == "main[jobs]" && drive.state.heldActions == [])
    #expect(drive.last.events.map(\.type) == [.actionReleased, .willNavigate, .didNavigate])
    #expect(try drive.broken == [] && drive.replayed() == drive.state)
  }

  @Test func `waits for both of two clients`() throws {
    var drive = try drive(ana, ben)
    drive.step("opened")
    drive.run(withdrawn)
    drive.run(.contact, sender: Sender(client: ben, number: 2))
    #expect(drive.sketch == "main[jobs, job]" && drive.state.heldActions.map(\.clients) == [[ana]])
    drive.run(.contact, sender: Sender(client: ben, number: 3))
    #expect(drive.sketch == "main[jobs, job]")
    drive.run(.contact, sender: Sender(client: ana, number: 2))
    #expect(drive.sketch == "main[jobs]")
  }

  @Test func `runs at the deadline without the client`() throws {
    var drive = try drive(ana)
    drive.step("opened")
    drive.run(withdrawn)
    drive.advance(2 * day - 1)
    #expect(drive.sketch == "main[jobs, job]")
    drive.advance(1)
    #expect(drive.sketch == "main[jobs]" && drive.state.heldActions == [])
    #expect(try drive.broken == [] && drive.replayed() == drive.state)
  }

  @Test func `does not wait for a client that was not in contact within the time`() throws {
    var drive = try drive(ana)
    drive.step("opened")
    drive.advance(2 * day)
    drive.run(withdrawn)
    #expect(drive.outcome == "performed" && drive.sketch == "main[jobs]")
  }

  @Test func `waits 14 days for a client of an app that does not set the time`() throws {
    var drive = try drive(ana, yaml: app.replacing("offlineFor: 2d\n", with: ""))
    drive.step("opened")
    drive.run(withdrawn)
    #expect(drive.state.heldActions.map(\.until) == [1_000 + 14 * day])
  }

  @Test func `runs after the one that came before it`() throws {
    var drive = try drive(ana, ben)
    drive.step("opened")
    drive.run(withdrawn)
    drive.run(.contact, sender: Sender(client: ana, number: 2))
    drive.run(.settled(.set([Action.Route("done")])))
    drive.run(.contact, sender: Sender(client: ana, number: 3))
    #expect(drive.state.heldActions.map(\.clients) == [[ben], [ben]])
    drive.run(.contact, sender: Sender(client: ben, number: 2))
    #expect(drive.sketch == "main[done]" && drive.state.heldActions == [])
    #expect(drive.last.events.filter { $0.type == .actionReleased }.map(\.held) == [HeldID(1), HeldID(2)])
  }

  @Test func `is dropped if it is refused by then, and the contact is kept`() throws {
    var drive = try drive(ana)
    drive.step("opened")
    drive.run(.settled(.remove(node: drive.id("job"))))
    drive.run(.gesture(.pop(count: 1, node: nil), from: nil), sender: Sender(client: ana, number: 2))
    drive.run(.contact, sender: Sender(client: ana, number: 3))
    #expect(drive.outcome == "performed" && drive.sketch == "main[jobs]" && drive.state.clients == [Sender(client: ana, number: 3)])
    #expect(drive.last.events.map(\.type) == [.actionReleased, .actionDropped])
  }

  @Test func `can be cancelled, once`() throws {
    var drive = try drive(ana)
    drive.run(withdrawn)
    drive.run(.cancelHeld(HeldID(1)))
    #expect(drive.outcome == "performed" && drive.state.heldActions == [])
    #expect(drive.last.events == [Event(.actionDropped, reason: "cancelled", held: HeldID(1))])
    drive.run(.cancelHeld(HeldID(1)))
    #expect(drive.outcome == "action-gone")
    drive.run(.cancelHeld(HeldID(7)))
    #expect(drive.outcome == "invalid")
  }

  @Test func `is refused beyond the maximum of held actions`() throws {
    var drive = try drive(ana)
    for _ in 1...HeldActions.limit { drive.run(withdrawn) }
    #expect(drive.outcome == "pending" && drive.state.heldActions.count == HeldActions.limit)
    drive.run(withdrawn)
    #expect(drive.outcome == "too-many-held" && drive.broken == [])
  }

  @Test func `can be a notification whose rule says so`() throws {
    var drive = try drive(ana)
    drive.step("opened")
    drive.run(.notification(url: nil, category: "ended", tap: false, appState: .background, Action.Message(isSilent: true)))
    #expect(drive.outcome == "pending" && drive.sketch == "main[jobs, job]")
    drive.run(.contact, sender: Sender(client: ana, number: 2))
    #expect(drive.sketch == "main[jobs]" && drive.state.heldActions == [])
  }

  @Test func `is read from the disk as it was written`() throws {
    var drive = try drive(ana)
    drive.step("opened")
    drive.run(.settled(.present(Action.Route("done"), style: .sheet, node: drive.id("job"), replace: true)))
    #expect(drive.state.heldActions.count == 1)
    #expect(try StateFormat.state(StateFormat.snapshot(drive.state), version: StateFormat.version) == drive.state)
    // A client's replica has neither the held actions nor the clients.
    let text = String(decoding: try ReplicaFormat.state(drive.state, by: drive.reducer), as: UTF8.self)
    #expect(!text.contains(ana) && !text.contains("\"H\"") && !text.contains("\"I\""))
  }

  @Test func `is an action of operators only`() throws {
    let definition = try drive().reducer.definition
    #expect(definition.operatorsPart(of: .action(withdrawn)) == "deliver: settled")
    #expect(definition.operatorsPart(of: .action(.cancelHeld(HeldID(1)))) == "dropping a held action")
    #expect(definition.operatorsPart(of: .action(.contact)) == nil)
  }
}

@Suite struct `A contact of a client` {
  @Test func `changes only what is known of the client`() throws {
    var drive = try Drive(app)
    let before = drive.state
    drive.run(.contact, sender: Sender(client: ana, number: 4))
    var expected = before
    expected.revision += 1
    expected.clients = [Sender(client: ana, number: 4)]
    expected.contacts = [ClientContact(until: drive.time + 2 * day)]
    #expect(drive.outcome == "performed" && drive.state == expected && drive.last.changes == [])
    drive.run(.step(Step("opened"), from: nil), sender: Sender(client: ana, number: 5))
    #expect(drive.state.contacts == [ClientContact(until: drive.time + 2 * day)])
  }

  @Test func `has no effect without a number`() throws {
    var drive = try Drive(app)
    let before = drive.state
    drive.run(.contact)
    #expect(drive.outcome == "unchanged (received)" && drive.state == before)
  }

  @Test func `lifts nothing off the tree`() throws {
    var drive = try Drive(app)
    drive.step("opened")
    let page = drive.id("job")
    drive.run(.contact, covers: [Cover(page)], sender: Sender(client: ana, number: 1))
    #expect(drive.sketch == "main[jobs, job]" && drive.broken == [])
  }
}
