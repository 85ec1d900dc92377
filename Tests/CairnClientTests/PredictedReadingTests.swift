import CairnAPI
import CairnCore
import CairnRuntime
import CairnTesting
import Foundation
import Testing

@testable import CairnClient

@Suite(.tags(.timing), .ownThreads, .timeLimit(TestTimeout.limit)) struct `States that a predicted session reads` {
  @Test func `a session that moves between the readings of its definition and its state is read again`() async throws {
    func session(_ screen: String) throws -> (replica: String, definition: String) {
      let drive = try Drive(
        """
        app: a
        language: 1
        root: { flow: main }
        screens: { \(screen): {} }
        flows: { main: { stack: \(screen) } }
        """
      )
      return (try replica(of: drive, definition: screen), Self.definition(of: drive))
    }
    let (old, new) = (try session("first"), try session("second"))
    let answers = Lock([old.replica, old.definition, new.replica, new.definition, new.replica])
    let server = try TinyServer { _ in
      guard let body = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return .silence }
      return Self.ok(body)
    }
    let client = CairnClient(url: try #require(URL(string: server.address))).connect(id: "s1", secret: "x")
    let predicted = try #require(try await client.predicting())
    #expect(await predicted.tree.sketch == "main[second]" && answers.withLock { $0.isEmpty })
    await predicted.close()
  }

  @Test(arguments: [([], "main[first]"), (["other"], "main[first, third]")])
  func `a service restored from a backup takes the shown tree to its state by one update, also at the same revision`(
    steps: [String], sketch: String
  ) async throws {
    var drive = try Drive(Self.app)
    let definition = Self.definition(of: drive)
    var restored = drive
    for step in steps { restored.step(step) }
    let backup = try replica(of: restored, definition: "d")
    drive.step("more")
    let replica = Lock(try replica(of: drive, definition: "d"))
    let isRestored = Monitor(false)
    let server = try TinyServer { request in
      if request.line.contains("/replica") { return Self.ok(replica.withLock { $0 }) }
      if request.line.contains("/definition") { return Self.ok(definition) }
      _ = isRestored.wait(until: TestTimeout.deadline) { $0 ? true : nil }
      return .begin(`Stream of changes of a session`.head + `Stream of changes of a session`.reset(1))
    }
    let client = CairnClient(url: try #require(URL(string: server.address))).connect(id: "s1", secret: "x")
    let predicted = try #require(try await client.predicting())
    var updates = await predicted.updates.makeAsyncIterator()
    let before = try #require(await updates.next())
    #expect(before.tree.sketch == "main[first, second]" && before.revision == 2)
    replica.withLock { $0 = backup }
    isRestored.change { $0 = true }
    let update = try #require(await updates.next())
    #expect(update.tree.sketch == sketch && update.revision == 1 + steps.count)
    var played = before.tree
    for (place, child) in (played.children ?? []).enumerated() { played.children?[place].id = update.renamed[child.id] ?? child.id }
    #expect(played.play(try #require(update.changes)) && played == update.tree)
    await predicted.close()
  }

  @Test func `a session that has ended ends its updates, also those that are requested later`() async throws {
    let drive = try Drive(Self.app)
    let (definition, replica) = (Self.definition(of: drive), try replica(of: drive, definition: "d"))
    let server = try TinyServer { request in
      if request.line.contains("/replica") { return Self.ok(replica) }
      return request.line.contains("/definition") ? Self.ok(definition) : .answer("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n")
    }
    let client = CairnClient(url: try #require(URL(string: server.address))).connect(id: "s1", secret: "x")
    let predicted = try #require(try await client.predicting())
    for await update in await predicted.updates { #expect(update.tree.sketch == "main[first]") }
    for await _ in await predicted.rejected { Issue.record("nothing was refused") }
    var late = await predicted.updates.makeAsyncIterator()
    #expect(await late.next()?.tree.sketch == "main[first]")
    #expect(await late.next() == nil)
  }

  @Test func `an entry that comes while the state is read after a move is not missed`() async throws {
    var drive = try Drive(Self.app)
    let definition = Self.definition(of: drive)
    var states = [try replica(of: drive, definition: "old"), try replica(of: drive, definition: "old")]
    drive.step("more")
    states.append(try replica(of: drive, definition: "new"))
    drive.step("more")
    states += [try replica(of: drive, definition: "new"), try replica(of: drive, definition: "new")]
    drive.step("more")
    states.append(try replica(of: drive, definition: "new"))
    let stage = Monitor(Stage.begun)
    let readings = Lock(0)
    let streams = Lock(0)
    @Sendable func wait(_ next: Stage) { _ = stage.wait(until: TestTimeout.deadline) { $0.rawValue >= next.rawValue ? true : nil } }
    @Sendable func reach(_ next: Stage) { stage.change { if $0.rawValue < next.rawValue { $0 = next } } }
    let server = try TinyServer { [states] request in
      if request.line.hasPrefix("POST") {
        wait(.isTold)
        return Self.ok(#"{"answers":[{"action":1,"outcome":"unchanged","revision":3}],"revision":3}"#)
      }
      if request.line.contains("/definition") { return Self.ok(definition) }
      if request.line.contains("/replica") {
        let number = readings.withLock { count in
          defer { count += 1 }
          return count
        }
        if number == 4 {
          reach(.isReading)
          wait(.hasMissed)
        }
        return Self.ok(states[min(number, states.count - 1)])
      }
      if request.line.contains("/events") {
        let isFirst = streams.withLock { count in
          defer { count += 1 }
          return count == 0
        }
        wait(isFirst ? .isMoved : .isReading)
        let bytes = `Stream of changes of a session`.head + `Stream of changes of a session`.change(isFirst ? 2 : 4)
        return isFirst ? .answer(bytes) : .begin(bytes)
      }
      // Any other request reads the session, because an entry came without a replica.
      reach(stage.withLock { $0 } == .isMoved ? .isTold : .hasMissed)
      return .answer("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
    }
    let client = CairnClient(url: try #require(URL(string: server.address))).connect(id: "s1", secret: "x")
    let predicted = try #require(try await client.predicting())
    var updates = await predicted.updates.makeAsyncIterator()
    #expect(await updates.next()?.tree.sketch == "main[first]")
    let tap = Task { try await predicted.step("more") }
    #expect(await updates.next()?.tree.sketch == "main[first, second]")
    reach(.isMoved)
    #expect(try await tap.value.outcome == .unchanged)
    while await predicted.tree.sketch != "main[first, second, second, second]" { _ = try #require(await updates.next()) }
    #expect(streams.withLock { $0 } == 2, "the stream was not opened again")
    await predicted.close()
  }

  /// The progress of a session that moves to another definition while a tap waits for its response.
  private enum Stage: Int {
    case begun
    /// The stream sends the entry of the migration.
    case isMoved
    /// The client has received that entry, and the tap gets its response.
    case isTold
    /// The client reads the state, and the stream sends another entry.
    case isReading
    /// The client has received the further entry, and then a state that is older than this entry.
    case hasMissed
  }

  /// An app with a stack, on which two steps push.
  private static let app = """
    app: a
    language: 1
    compat: { emits: any }
    root: { flow: main }
    steps: { more: {}, other: {} }
    screens: { first: {}, second: {}, third: {} }
    flows: { main: { stack: first, handle: { more: { push: second }, other: { push: third } } } }
    """

  /// The response of a service with a session's replica.
  private func replica(of drive: Drive, definition: String) throws -> String {
    let state = String(decoding: try ReplicaFormat.state(drive.state, by: drive.reducer), as: UTF8.self)
    let replica: Value = [
      "definition": .string(definition), "engine": .integer(Int(Reducer.engine)), "format": .integer(ReplicaFormat.version),
      "revision": .integer(drive.state.revision), "state": .string(state), "withheld": [],
    ]
    return String(decoding: try JSONText.bytes(replica), as: UTF8.self)
  }

  private static func definition(of drive: Drive) -> String {
    String(decoding: DefinitionFormat.bytes(drive.reducer.definition), as: UTF8.self)
  }

  private static func ok(_ body: String) -> TinyServer.Behaviour {
    .answer("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
  }
}
