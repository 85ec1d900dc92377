package import CairnCore
package import CairnStore

/// A small app for tests of the store. It has a stack of pages, timers, a load and a token call.
package enum Trial {
  /// The app as a pinned definition. Only `read` parses its text. Another name gives another definition.
  package static func pinned(_ name: String = "trial", ttl: Int? = nil) -> PinnedDefinition {
    var definition = definition(name)
    definition.ttl = ttl
    let more = ttl.map { ",\"ttl\":\($0)" } ?? ""
    return PinnedDefinition(hash: "hash-of-\(name)", text: "{\"app\":\"\(name)\"\(more)}", definition: definition)
  }

  /// Parses the text of `pinned`.
  package static func read(_ text: String) throws -> PinnedDefinition {
    guard text.hasPrefix("{\"app\":\""), text.hasSuffix("}") else { throw NeverCame() }
    let parts = text.dropFirst(8).dropLast().split(separator: "\"", omittingEmptySubsequences: false)
    return pinned(String(parts[0]), ttl: parts.count > 3 ? Int(parts[3].dropFirst()) : nil)
  }

  /// A step of the app.
  package static func step(_ name: String, _ params: [String: Value] = [:]) -> Command {
    .action(.step(Step(name, params: params), from: nil))
  }

  /// Pushes page `n`.
  package static func page(_ n: Int) -> Command { step("openPage", ["n": .integer(n)]) }

  /// A step that is rejected in every state.
  package static let nonsense = step("noSuchStep")

  package static let feed = "http://feed.example/news"

  package static func definition(_ name: String = "trial") -> Definition {
    let page = Contribution(.screen("page"), with: ["n": .reference(.param("n"))])
    func timer(_ name: String, _ delay: Int, repeats: Bool, _ step: String) -> Operation {
      .after(Timer(name: name, delay: delay, repeats: repeats, step: StepTemplate(step)), on: .screen)
    }
    func fetch(delay: Int) -> Operation {
      .load(
        Load(
          .get(url: .literal(.string(feed)), bearer: true), delay: delay, then: StepTemplate("came"),
          otherwise: StepTemplate("missed"), restart: true), on: .screen)
    }
    let handlers: [String: [Operation]] = [
      "openPage": [.push(page)],
      "sleep": [timer("alarm", 1_000, repeats: false, "wake")],
      "wake": [.push(Contribution(.screen("page"), with: ["n": .literal(100)]))],
      "ring": [timer("bell", 10_000, repeats: true, "count")],
      "count": [.content([ContentEdit(path: [.literal("count")], change: .add(.literal(1)))], of: nil)],
      "idle": [timer("idle", 10_000, repeats: true, "nothing")],
      "nothing": [.none],
      "quiet": [.cancel(name: nil)],
      "fetch": [fetch(delay: 0)],
      "fetchLater": [fetch(delay: 5_000)],
      "pay": [
        .load(
          Load(
            .request(
              LoadRequest(
                .post, .literal(.string(feed)), bearer: true, body: .object(["amount": .literal(7)]), timeout: 60_000,
                retry: Retry(count: 2, backoff: 1_000))), then: StepTemplate("came"), otherwise: StepTemplate("missed")), on: .screen)
      ],
      "watch": [
        .load(
          Load(
            .request(
              LoadRequest(
                .get, .literal(.string(feed)),
                polling: Polling(every: 10_000, until: .result(["state"], .equals(.literal("done")))))),
            then: StepTemplate("came"), otherwise: StepTemplate("missed")), on: .screen)
      ],
      "relogin": [.push(Contribution(.screen("page"), with: ["n": .literal(401)]))],
      "wait": [.load(Load(.value(.literal("here")), delay: 500, then: StepTemplate("came")), on: .screen)],
      "came": [.push(Contribution(.screen("page"), with: ["n": .literal(200)]))],
      "missed": [.push(Contribution(.screen("page"), with: ["n": .literal(404)]))],
    ]
    // A load whose response is 401.
    let unauthorized = StepTemplate("relogin")
    let home = Contribution(.screen("home"), content: .object(["count": .literal(0)]))
    var definition = Definition(
      app: name, root: Contribution(.flow("main")), covered: .accept,
      screens: [
        "home": ScreenDefinition(), "page": ScreenDefinition(params: ["n": ParameterDefinition(.integer)]),
      ],
      steps: Dictionary(
        uniqueKeysWithValues: handlers.keys.map {
          ($0, StepDefinition(params: $0 == "openPage" ? ["n": ParameterDefinition(.integer)] : [:]))
        }),
      flows: [
        "main": FlowDefinition(
          container: .stack, birth: .root(home),
          handle: handlers.mapValues { Handler(branches: [Handler.Branch(operations: $0)]) })
      ],
      links: [
        LinkDefinition(
          schemes: ["trial"], path: [.literal("held")], steps: [StepTemplate("sleep")],
          requires: .fact(FactDefinition.accessToken, .present), hold: 10_000)
      ], heldLinks: 2,
      oauth: OAuthDefinition(
        baseURL: .init("TRIAL_BASE_URL"), clientID: .init("TRIAL_CLIENT_ID"), clientSecret: .init("TRIAL_CLIENT_SECRET"),
        redirectURL: .init("TRIAL_REDIRECT_URL"), authorizePath: "/authorize", tokenPath: "/token"),
      hosts: ["feed.example"])
    definition.unauthorized = unauthorized
    return definition
  }
}

extension Session {
  /// The pages on the stack from the bottom. 0 is the screen `home`.
  package var pages: [Int] {
    definition.reducer.routes(of: state).map { route in
      if case .integer(let n)? = route.params?["n"] { n } else { 0 }
    }
  }

  /// The number of ticks that the timer `ring` has counted.
  package var count: Int {
    let home = state.nodes.values.first { $0.name == "home" }
    if case .integer(let count)? = home?.content?.value?["count"] { return count }
    return -1
  }
}
