package import CairnCore
package import CairnJournal
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

  /// A later version of the app, in which the page and the step that opens one have other names. Only `read` parses its text.
  package static func second(_ name: String = "trial") -> PinnedDefinition {
    PinnedDefinition(
      hash: "second-hash-of-\(name)", text: "{\"app\":\"\(name)\",\"version\":2}",
      definition: definition(name, page: "sheet", opening: "openSheet"))
  }

  /// A document that moves sessions from one version of the app to the other. `migrator` compiles only such documents.
  package static func migration(from old: PinnedDefinition, to new: PinnedDefinition, document: String = "rename") -> StoredMigration {
    StoredMigration(app: old.definition.app, from: old.hash, to: new.hash, document: document, since: 5, author: "alice")
  }

  /// Compiles the document of `migration`. `{}` has no lines, `cancel` drops the step that opens a page and pops pages to `home`, and `lost` pops pages to a
  /// screen that is not below them.
  package static func migrator(_ document: String, _ old: PinnedDefinition, _ new: PinnedDefinition) throws -> Migrator {
    func names(_ definition: PinnedDefinition) -> (page: String, opening: String) {
      definition.definition.screens["sheet"] == nil ? ("page", "openPage") : ("sheet", "openSheet")
    }
    let (before, after) = (names(old), names(new))
    let migration =
      switch document {
      case "rename":
        Migration(
          screens: [before.page: .keep(as: after.page, params: [:])], steps: [before.opening: .keep(as: after.opening, params: [:])])
      case "{}": Migration()
      case "cancel": Migration(screens: [before.page: .popTo(screen: "home")], steps: [before.opening: .remove])
      case "lost": Migration(screens: [before.page: .popTo(screen: after.page)], steps: [before.opening: .remove])
      default: throw NeverCame()
      }
    return Migrator(from: old.reducer, to: new.reducer, by: migration)
  }

  /// Parses the text of `pinned` or `second`.
  package static func read(_ text: String) throws -> PinnedDefinition {
    guard text.hasPrefix("{\"app\":\""), text.hasSuffix("}") else { throw NeverCame() }
    if text.hasSuffix("\"version\":2}") { return second(String(text.dropFirst(8).prefix { $0 != "\"" })) }
    let parts = text.dropFirst(8).dropLast().split(separator: "\"", omittingEmptySubsequences: false)
    return pinned(String(parts[0]), ttl: parts.count > 3 ? Int(parts[3].dropFirst()) : nil)
  }

  /// A step of the app.
  package static func step(_ name: String, _ params: [String: Value] = [:]) -> Command {
    .action(.step(Step(name, params: params), from: nil))
  }

  /// Pushes page `n`.
  package static func page(_ n: Int) -> Command { step("openPage", ["n": .integer(n)]) }

  /// The params of a step of the app. The step `opening` pushes a page.
  private static func params(_ step: String, opening: String) -> [String: ParameterDefinition] {
    switch step {
    case opening: ["n": .init(.integer)]
    case "openSafe", "sendPin": ["pin": .secret]
    case "submit": ["key": .init(.string), "amount": .init(.integer)]
    case "submitOwn": ["key": .init(.string)]
    case "submitPin": ["key": .init(.string), "pin": .secret]
    default: [:]
    }
  }

  /// A step that is rejected in every state.
  package static let nonsense = step("noSuchStep")

  /// The URL to which the app sends a secret.
  package static let safe = "https://feed.example/safe"

  package static let feed = "http://feed.example/news"

  package static func definition(_ name: String = "trial", page screen: String = "page", opening: String = "openPage") -> Definition {
    let page = Contribution(.screen(screen), with: ["n": .reference(.param("n"))])
    func timer(_ name: String, _ delay: Int, repeats: Bool, _ step: String) -> Operation {
      .after(Timer(name: name, delay: delay, repeats: repeats, step: StepTemplate(step)), on: .screen)
    }
    func fetch(delay: Int, bearer: Bool = false) -> Operation {
      .load(
        Load(
          .get(url: .literal(.string(feed)), bearer: bearer), delay: delay, then: StepTemplate("came"),
          otherwise: StepTemplate("missed"), restart: true), on: .screen)
    }
    func pay(bearer: Bool) -> Operation {
      .load(
        Load(
          .request(
            LoadRequest(
              .post, .literal(.string(feed)), bearer: bearer, body: .object(["amount": .literal(7)]), timeout: 60_000,
              retry: Retry(count: 2, backoff: 1_000))), then: StepTemplate("came"), otherwise: StepTemplate("missed")), on: .screen)
    }
    func submit(_ url: String, bearer: Bool = false, body: [String: Expression]) -> Operation {
      .submit(
        Submission(
          LoadRequest(
            .post, .literal(.string(url)), bearer: bearer, body: .object(body), timeout: 60_000, retry: Retry(count: 1, backoff: 1_000)),
          key: .reference(.param("key")), then: StepTemplate("came"), otherwise: StepTemplate("missed")))
    }
    let handlers: [String: [Operation]] = [
      opening: [.push(page)],
      "sleep": [timer("alarm", 1_000, repeats: false, "wake")],
      "wake": [.push(Contribution(.screen(screen), with: ["n": .literal(100)]))],
      "ring": [timer("bell", 10_000, repeats: true, "count")],
      "count": [.content([ContentEdit(path: [.literal("count")], change: .add(.literal(1)))], of: nil)],
      "idle": [timer("idle", 10_000, repeats: true, "nothing")],
      "nothing": [.none],
      "quiet": [.cancel(name: nil)],
      "fetch": [fetch(delay: 0)],
      "fetchOwn": [fetch(delay: 0, bearer: true)],
      "fetchLater": [fetch(delay: 5_000)],
      "pay": [pay(bearer: false)],
      "payOwn": [pay(bearer: true)],
      "submit": [submit(feed, body: ["amount": .reference(.param("amount"))])],
      "submitOwn": [submit(safe, bearer: true, body: [:])],
      "submitPin": [submit(safe, body: ["pin": .reference(.param("pin"))])],
      "logOut": [.logout],
      "watch": [
        .load(
          Load(
            .request(
              LoadRequest(
                .get, .literal(.string(feed)),
                polling: Polling(every: 10_000, until: .result(["state"], .equals(.literal("done")))))),
            then: StepTemplate("came"), otherwise: StepTemplate("missed")), on: .screen)
      ],
      "signIn": [.push(Contribution(.screen("login"), with: ["url": .reference(.authorizeURL)]))],
      "openSafe": [.push(Contribution(.screen("safe"), with: ["pin": .reference(.param("pin"))]))],
      "closeSafe": [.pop(count: 1)],
      "sendPin": [
        .load(
          Load(
            .request(
              LoadRequest(
                .post, .literal(.string(safe)), body: .object(["pin": .reference(.param("pin"))]),
                headers: ["X-Pin": .reference(.param("pin"))], retry: Retry(count: 1, backoff: 1_000))),
            then: StepTemplate("came"), otherwise: StepTemplate("missed")), on: .screen)
      ],
      "sendAgain": [
        .load(
          Load(
            .request(LoadRequest(.post, .literal(.string(safe)), body: .object(["pin": .reference(.screen(["pin"]))]))),
            then: StepTemplate("came"), otherwise: StepTemplate("missed")), on: .screen)
      ],
      "fetchPin": [
        .load(
          Load(
            .request(LoadRequest(.get, .literal(.string(safe)), secretMembers: ["pin"])),
            then: StepTemplate("openSafe", with: ["pin": .reference(.result(["pin"]))]), otherwise: StepTemplate("missed")), on: .screen)
      ],
      "openLoaded": [.push(Contribution(.screen("safe"), with: ["pin": .reference(.content(["pin"], of: nil))]))],
      "relogin": [.push(Contribution(.screen(screen), with: ["n": .literal(401)]))],
      "wait": [.load(Load(.value(.literal("here")), delay: 500, then: StepTemplate("came")), on: .screen)],
      "came": [.push(Contribution(.screen(screen), with: ["n": .literal(200)]))],
      "missed": [.push(Contribution(.screen(screen), with: ["n": .literal(404)]))],
    ]
    // A load whose response is 401.
    let unauthorized = StepTemplate("relogin")
    let home = Contribution(.screen("home"), content: .object(["count": .literal(0)]))
    var definition = Definition(
      app: name, root: Contribution(.flow("main")), covered: .accept,
      screens: [
        "home": ScreenDefinition(), "login": ScreenDefinition(params: ["url": ParameterDefinition(.string)]),
        "safe": ScreenDefinition(params: ["pin": .secret]),
        screen: ScreenDefinition(params: ["n": ParameterDefinition(.integer)]),
      ],
      steps: Dictionary(
        uniqueKeysWithValues: handlers.keys.map {
          ($0, StepDefinition(params: params($0, opening: opening)))
        }),
      flows: [
        "main": FlowDefinition(
          container: .stack, initialChildren: .root(home),
          handle: handlers.mapValues { Handler(branches: [Handler.Branch(operations: $0)]) })
      ],
      links: [
        LinkDefinition(
          schemes: ["trial"], path: [.literal("held")], query: ["n"], steps: [StepTemplate("sleep")],
          requires: .fact(FactDefinition.accessToken, .present), hold: 10_000),
        LinkDefinition(
          schemes: ["trial"], path: [.literal("safe"), .capture("pin")],
          steps: [StepTemplate("openSafe", with: ["pin": .reference(.param("pin"))])]),
        LinkDefinition(
          schemes: ["trial"], path: [.literal("later"), .capture("pin")],
          steps: [StepTemplate("openSafe", with: ["pin": .reference(.param("pin"))])],
          requires: .fact(FactDefinition.accessToken, .present), hold: 10_000),
      ], heldLinks: 2,
      oauth: OAuthDefinition(
        authorizationEndpoint: .init("TRIAL_BASE_URL", path: "/authorize"), tokenEndpoint: .init("TRIAL_BASE_URL", path: "/token"),
        clientID: .init("TRIAL_CLIENT_ID"), clientSecret: "TRIAL_CLIENT_SECRET", redirectURL: .init("TRIAL_REDIRECT_URL")),
      hosts: ["feed.example"])
    definition.unauthorized = unauthorized
    // A challenge would make each entry longer.
    definition.oauth?.usesPKCE = false
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

extension ParameterDefinition {
  /// The type of a secret param.
  package static var secret: ParameterDefinition {
    var type = ParameterDefinition(.string)
    type.isSecret = true
    return type
  }
}
