import CairnCore
import CairnTesting
import Testing

@Suite struct `Secrets in links and notifications` {
  private static let app = """
    app: air
    language: 1
    root: main
    facts: { isSignedIn: { type: boolean, default: false, by: client } }
    screens: { home: { emits: [shown] }, trip: { params: { pnr: { type: string, secret: true }, name: string } } }
    links:
      - { host: air.example, scheme: air, path: "/trips/{pnr}", query: [name], send: tripLinked }
      - { scheme: air, path: "/found", query: [name, pnr], send: tripLinked }
      - { scheme: air, path: "/mine/{pnr}", query: [name], send: tripLinked, requires: { fact: isSignedIn } }
      - { scheme: air, path: "/plain/{name}", send: shown }
      - { scheme: air, path: "/counted/{count}/{pnr}", send: countLinked }
    notifications:
      values: { pnr: /data/pnr, name: /data/name, address: /data/address }
      take:
        - { category: gate, send: tripLinked }
        - { category: page, link: $address }
        - { how: reply, send: tripLinked, with: { pnr: $reply, name: reply } }
    linkDefaults: { holdAtMost: 2 }
    flows:
      main:
        stack: home
        handle: { tripLinked: { push: trip, with: { pnr: $pnr, name: $name } }, countLinked: [], shown: [] }
    steps:
      tripLinked: { pnr: { type: string, secret: true }, name: string }
      countLinked: { count: integer, pnr: { type: string, secret: true } }
    """

  private var drive: Drive

  init() throws { drive = try Drive(Self.app) }

  private func sealed(_ url: String) throws -> Sealed { try drive.reducer.seal(.open(url: url), for: drive.state) }

  private func json(_ write: (inout JSONWriter) -> Void) throws -> String {
    var writer = JSONWriter()
    write(&writer)
    return String(decoding: try writer.bytes(), as: UTF8.self)
  }

  @Test(arguments: [
    ("air://trips/K3X9QZ?name=Sky", "air://trips/…512?name=Sky", "K3X9QZ"),
    ("air:/trips/K3X9QZ?name=Sky", "air:/trips/…512?name=Sky", "K3X9QZ"),
    ("https://AIR.example:443/trips/./K3%20X/?name=a+b&utm=K3#K3", "https://air.example/trips/…512?name=a+b", "K3 X"),
    ("air://found?pnr=A%26B&name=Sky&pnr=K3", "air://found?name=Sky&pnr=…512", "A&B"),
    ("air://trips/%E2%80%A6700?name=Sky", "air://trips/…512?name=Sky", "…700"),
    ("air://trips/…700?name=…", "air://trips/…512?name=%E2%80%A6", "…700"),
  ])
  func `a number replaces a secret of a URL, of which only the parts that the link reads are kept`(
    url: String, stored: String, secret: String
  ) throws {
    #expect(try sealed(url) == Sealed(.open(url: stored), secret: .params([512: secret])))
  }

  @Test(arguments: ["air://plain/K3?x=y#z", "air://unknown/K3", "no url", "air://counted/x/K3"])
  func `a URL without a secret is kept as it was written`(url: String) throws {
    #expect(try sealed(url) == Sealed(.open(url: url)))
  }

  @Test(arguments: ["air://trips/…700?name=Sky", "air://plain/…700", "air://found?pnr=…700&name=Sky"])
  func `no client can write the number of a secret`(url: String) throws {
    let action = try sealed(url).action
    guard case .open(let stored) = action else { throw NeverCame() }
    #expect(!stored.contains("…700"))
  }

  @Test(arguments: [
    ("air://trips/K3X9QZ?q=K3X9QZ", "air://trips/{pnr}"), ("air://trips/K3X9QZ/more", "air://trips/K3X9QZ/more"),
    ("air://counted/x/K3", "air://counted/x/{pnr}"),
  ])
  func `a later link for all other paths gets no secret of a link that nearly matches`(url: String, stored: String) throws {
    let links = "  - { scheme: air, path: \"/{rest...}\", send: shown }\nnotifications:"
    var drive = try Drive(Self.app.replacing("notifications:", with: links))
    #expect(try drive.reducer.seal(.open(url: url), for: drive.state) == Sealed(.open(url: stored)))
    drive.post(.open(url: url))
    #expect(drive.outcome == "unchanged (no-change)" && drive.broken == [])
  }

  @Test func `the step for a URL that no link takes has an ellipsis, and not the number of a secret`() throws {
    let app = Self.app.replacing("linkDefaults: { holdAtMost: 2 }", with: "linkDefaults: { holdAtMost: 2, unmatched: lost }")
      .replacing(
        "send: tripLinked }\n  - { scheme: air, path: \"/found\"",
        with: "send: tripLinked, when: { fact: isSignedIn } }\n  - { scheme: air, path: \"/found\""
      )
      .replacing("countLinked: [], shown: []", with: "countLinked: [], shown: [], lost: { content: { url: $url }, of: home }")
      .replacing("steps:\n", with: "steps:\n  lost: { url: string, reason: string }\n")
    var drive = try Drive(app)
    drive.post(.open(url: "air://trips/K3X9QZ?name=Sky"))
    #expect(drive.sketch == "main[home~{url:air://trips/…?name=Sky}]" && drive.broken == [])
  }

  @Test func `the secret reaches the param, and people read an ellipsis`() throws {
    var drive = drive
    drive.post(.open(url: "air://trips/K3X9QZ?name=Sky"))
    #expect(drive.outcome == "performed" && drive.sketch == "main[home, trip(name: Sky, pnr: true)]")
    #expect(drive.state.secrets == [512] && drive.broken == [])
    guard case .action(let action)? = drive.entries.last?.cause else { throw NeverCame() }
    #expect(action == .open(url: "air://trips/…512?name=Sky"))
    #expect(try json { action.write(to: &$0) } == #"{"type":"open","url":"air://trips/…?name=Sky"}"#)
    #expect(
      drive.reducer.opening(of: action, in: drive.state, stamp: Stamp(time: 0, nonce: ""))
        == Opening(url: "air://trips/…?name=Sky", link: TakenLink(index: 0, values: ["pnr": "…", "name": "Sky"])))
  }

  @Test func `a held link refers to its secret until it is dropped or followed`() throws {
    var drive = drive
    drive.post(.open(url: "air://mine/K3X9QZ?name=Sky"))
    #expect(drive.outcome == "pending" && drive.state.pendingLinks.map(\.url) == ["air://mine/…512?name=Sky"])
    #expect(drive.state.secrets == [512])
    let event = try #require(drive.last.events.first { $0.type == .linkHeld })
    #expect(try json { event.write(to: &$0) }.contains(#""url":"air://mine/…?name=Sky""#))
    let held = drive.state
    var dropped = drive
    dropped.run(.cancel(link: try #require(held.pendingLinks.first).id))
    #expect(dropped.state.secrets == [] && dropped.state.secrets(since: held).gone == [512])
    drive.run(.facts(["isSignedIn": true]))
    #expect(drive.sketch == "main[home, trip(name: Sky, pnr: true)]" && drive.state.pendingLinks.isEmpty)
    #expect(drive.state.secrets == [512] && drive.state.secrets(since: held).gone == [] && drive.broken == [])
  }

  @Test func `two secrets are different, so two links are held`() throws {
    var drive = drive
    drive.post(.open(url: "air://mine/K3X9QZ?name=Sky"))
    drive.post(.open(url: "air://mine/K3X9QZ?name=Sky"))
    #expect(drive.state.pendingLinks.map(\.url) == ["air://mine/…512?name=Sky", "air://mine/…768?name=Sky"])
  }

  private func notification(_ payload: Value, tap: Bool = true, reply: String? = nil) -> Command {
    .action(drive.reducer.definition.notifications.action(for: payload, tap: tap, appState: .background, reply: reply))
  }

  @Test(
    arguments: [
      (["category": "gate", "data": ["pnr": "K3X9QZ", "name": "Sky"]], nil, "Sky"),
      (["category": "gate", "data": ["pnr": 4711, "name": "Sky"]], nil, "Sky"),
      (["url": "air://trips/K3X9QZ?name=Sky"], nil, "Sky"),
      (["category": "page", "data": ["address": "air://trips/K3X9QZ?name=Sky"]], nil, "Sky"),
      (["category": "code"], "K3X9QZ", "reply"),
    ] as [(Value, String?, String)])
  func `a notification hands its secret to the param, and keeps only the number`(payload: Value, reply: String?, name: String) throws {
    var drive = drive
    let sealed = try drive.reducer.seal(notification(payload, reply: reply), for: drive.state)
    guard case .params(let texts)? = sealed.secret, let text = texts[512], texts.count == 1 else { throw NeverCame() }
    #expect(text == "K3X9QZ" || text == "4711")
    #expect(try !json { sealed.action.write(to: &$0) }.contains(text) && !"\(sealed.action)".contains(text))
    drive.run(sealed.action)
    #expect(drive.sketch == "main[home, trip(name: \(name), pnr: true)]" && drive.state.secrets == [512])
  }

  @Test func `a notification that nothing takes is kept without its secrets`() throws {
    for payload in [
      ["category": "other", "data": ["pnr": "K3X9QZ"]] as Value, ["category": "other", "url": "air://trips/K3X9QZ?name=Sky"],
      ["category": "other", "url": "air://counted/x/K3X9QZ"], ["category": "other", "data": ["pnr": ["K3X9QZ"]]],
    ] {
      let sealed = try drive.reducer.seal(notification(payload, tap: false), for: drive.state)
      #expect(!"\(sealed.action)".contains("K3X9QZ"))
    }
  }

  @Test func `a secret has at most 4,096 bytes`() throws {
    let long = String(repeating: "x", count: 4_097)
    let refusal = #expect(throws: Refusal.self) { try drive.reducer.seal(notification(["data": ["pnr": .string(long)]]), for: drive.state) }
    #expect(refusal?.detail == "a secret is too long" && refusal?.faults.map(\.pointer) == ["/data/pnr"])
  }

  @Test func `a replica predicts no link with a secret`() throws {
    let definition = drive.reducer.definition
    var replica = try Replica(definition, startingAt: 0)
    #expect(replica.hasSecret(.open(url: "air://trips/K3?name=Sky")) && !replica.hasSecret(.open(url: "air://plain/a")))
    #expect(replica.predict(.open(url: "air://trips/K3?name=Sky"), number: 1, at: 0) == .unpredictable)
  }
}
