import CairnCore
import CairnTesting
import Testing

@Suite struct `Secret members of a response` {
  private static let app = """
    app: door
    language: 1
    root: main
    allowHosts: [air.example]
    screens: { home: { emits: [asked, opened] }, door: { params: { code: { type: string, secret: true } } }, lost: }
    flows:
      main:
        stack: home
        handle:
          asked:
            load:
              get: "https://air.example/code"
              secret: [door.code, pin]
              then: { step: arrived, with: { code: $result.door.code } }
              else: failed
          arrived: { push: door, with: { code: $code } }
          failed: { push: lost }
          opened: [{ when: { content: pin, is: present }, do: { push: door, with: { code: $content.pin } } }]
    steps: { arrived: { code: { type: string, secret: true } }, failed: }
    """

  private func asked() throws -> Drive {
    var drive = try Drive(Self.app, creation: Creation(manualRequests: true))
    drive.step("asked")
    return drive
  }

  private func answer(_ value: Value) -> Command { .answer(RequestAnswer(.loaded(value))) }

  @Test func `numbers replace the texts of secret members, wherever the answer comes from`() throws {
    let drive = try asked()
    let value: Value = ["door": ["code": "4711", "n": 1], "pin": "12", "other": "x"]
    let effect = try #require(drive.state.effects.first)
    let stored: Value = ["door": ["code": .sealed(768), "n": 1], "pin": .sealed(769), "other": "x"]
    let sealed = Sealed(.effect(id: effect.id, .loaded(stored)), secret: .params([768: "4711", 769: "12"]))
    #expect(effect.completed(with: value, for: drive.state) == sealed)
    #expect(try drive.reducer.seal(answer(value), for: drive.state) == sealed)
  }

  @Test func `the content keeps its secrets, which a step can read again`() throws {
    var drive = try asked()
    drive.post(answer(["door": ["code": "4711"], "pin": "12"]))
    let loaded = drive.state
    #expect(drive.routes == ["home", "door"] && loaded.secrets == [768, 769] && drive.broken == [])
    #expect(drive.tree.children?.first?.content?.value == ["door": ["code": .sealed(768)], "pin": .sealed(769)])
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.state.secrets(since: loaded, inContent: true).gone == [])
    drive.step("opened")
    #expect(drive.routes == ["home", "door"] && drive.state[drive.id("door")]?.params == ["code": .sealed(769)])
  }

  @Test func `content is searched only on demand`() throws {
    var drive = try asked()
    drive.post(answer(["door": ["code": "4711"]]))
    let loaded = drive.state
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.state.secrets(since: loaded).gone == [768] && drive.state.secrets == [768])
  }

  @Test(
    arguments: [
      ["door": ["code": 4711]], ["door": ["code": ["4711"]]], ["door": "4711"], ["door": [["code": "4711"]]], ["4711"], "4711",
      ["door": ["code": "4711"], "pin": true],
    ] as [Value])
  func `a secret member that is not a text makes the response malformed, without a trace of it`(value: Value) throws {
    var drive = try asked()
    let sealed = try drive.reducer.seal(answer(value), for: drive.state)
    guard case .effect(_, .failed(let reason)) = sealed.action else { throw NeverCame() }
    #expect(reason.hasPrefix("malformed: the secret member ") && !reason.contains("4711") && sealed.secret == nil)
    drive.run(sealed.action)
    #expect(drive.routes == ["home", "lost"] && drive.broken == [])
  }

  @Test(arguments: [["door": ["code": .null]], ["door": .null], [:], .null] as [Value])
  func `a missing secret member has no secret`(value: Value) throws {
    let drive = try asked()
    let effect = try #require(drive.state.effects.first)
    #expect(try drive.reducer.seal(answer(value), for: drive.state) == Sealed(.effect(id: effect.id, .loaded(value))))
  }

  @Test func `the paths are stored with the running load, so that a migration does not change them`() throws {
    let state = try asked().state
    let read = try StateFormat.state(StateFormat.snapshot(state), version: StateFormat.version, over: StateFormat.empty)
    #expect(read.effects.first?.terms?.secretMembers == ["door.code", "pin"] && read.effects == state.effects)
  }
}
