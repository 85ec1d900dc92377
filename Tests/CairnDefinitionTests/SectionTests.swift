import CairnCore
import CairnDefinition
import Testing

@Suite struct SectionTests {
  private let main = "  main: { stack: home }\n"

  @Test func `omitted members have their defaults`() throws {
    let demo = try definition(Demo.text(main))
    #expect(demo.unhandled == .parent && demo.covered == .refuse)
    #expect(demo.notifications == NotificationDefinition() && demo.oauth == nil && demo.links == [] && demo.rules == [])
    #expect(demo.root == Contribution(.flow("main"), start: [StepTemplate("started")]))
    #expect(demo.hosts == ["api.example"])
  }

  @Test func `given members are parsed`() throws {
    let text = Demo.text(main) + "description: A demo.\nmeta: { a: 1 }\n"
    let demo = try definition(text.replacing("compat: {", with: "compat: { unhandled: drop, covered: accept,"))
    #expect(demo.unhandled == .drop && demo.covered == .accept)
  }

  @Test func `facts have a type, a default and a variable`() throws {
    let facts = try definition(Demo.text(main)).facts
    #expect(facts["onBoarded"] == FactDefinition(type: ParameterDefinition(.boolean, defaultValue: false)))
    #expect(facts["name"] == FactDefinition(type: ParameterDefinition(.string, isOptional: true)))
    #expect(facts["base"] == FactDefinition(type: ParameterDefinition(.string, isOptional: true), environment: "BASE"))
  }

  @Test func `params have a type, a set and a default`() throws {
    let text = """
      app: x
      language: 1
      root: { flow: f }
      sets: { few: [1, 2] }
      screens:
        s:
          params: { a: integer, b: optional string, c: { type: number, default: 1 }, d: { type: integer, in: few }, e: { type: optional any, in: [x, 1] } }
          emits: [go]
          meta: { title: S }
        t:
        u: {}
      steps: { go: { n: boolean }, do.it: , inner: { internals: boolean } }
      flows: { f: { stack: [], meta: { animated: false } } }
      compat: { emits: any }
      """
    let x = try definition(text)
    #expect(
      x.screens["s"]
        == ScreenDefinition(
          params: [
            "a": ParameterDefinition(.integer), "b": ParameterDefinition(.string, isOptional: true),
            "c": ParameterDefinition(.number, defaultValue: 1), "d": ParameterDefinition(.integer, allowed: [1, 2]),
            "e": ParameterDefinition(.any, isOptional: true, allowed: ["x", 1]),
          ], emits: ["go"], meta: ["title": "S"]))
    #expect(x.screens["t"] == ScreenDefinition() && x.screens["u"] == ScreenDefinition())
    #expect(x.steps["go"] == StepDefinition(params: ["n": ParameterDefinition(.boolean)]))
    #expect(x.steps["do.it"] == StepDefinition())
    #expect(x.steps["inner"] == StepDefinition(params: ["internals": ParameterDefinition(.boolean)]))
    #expect(x.flows["f"]?.meta == ["animated": false])
  }

  @Test func `rules keep the order of the file`() throws {
    let text =
      Demo.text(main)
      + "rules:\n  - { when: { fact: onBoarded, is: false }, send: started }\n  - { when: { fact: name, is: x }, send: named, with: { name: $fact.name } }\n"
    #expect(
      try definition(text).rules == [
        Rule(when: .fact("onBoarded", .equals(.literal(false))), step: StepTemplate("started")),
        Rule(when: .fact("name", .equals(.literal("x"))), step: StepTemplate("named", with: ["name": .reference(.fact("name"))])),
      ])
  }

  @Test func `links fill params from captures of the same name, or as declared`() throws {
    let text =
      Demo.text(main) + """
        linkDefaults: { host: [demo.example, WWW.demo.example], scheme: demo }
        links:
          - { path: "/movies/{id}", send: picked, to: all }
          - { path: /, scheme: other, send: started }
          - { path: "/n/{x}", query: [name, page], send: named }
          - { path: "/o/{x}", host: o.example, send: named, with: { name: "https://o.example/{x}" }, requires: { fact: accessToken, is: present }, holdFor: 2h }
          - { path: "/p/{id}", send: [started, picked, { step: named, with: { name: $id } }] }
        """
    let links = try definition(text).links
    let hosts = ["demo.example", "www.demo.example"]
    #expect(
      links == [
        LinkDefinition(
          hosts: hosts, schemes: ["demo"], path: [.literal("movies"), .capture("id")],
          steps: [StepTemplate("picked", with: ["id": .reference(.param("id"))], to: .all)]),
        LinkDefinition(schemes: ["other"], path: [], steps: [StepTemplate("started")]),
        LinkDefinition(
          hosts: hosts, schemes: ["demo"], path: [.literal("n"), .capture("x")], query: ["name", "page"],
          steps: [StepTemplate("named", with: ["name": .reference(.param("name"))])]),
        LinkDefinition(
          hosts: ["o.example"], path: [.literal("o"), .capture("x")],
          steps: [StepTemplate("named", with: ["name": .template([.text("https://o.example/"), .reference(.param("x"))])])],
          requires: .fact("accessToken", .present), hold: 7_200_000),
        LinkDefinition(
          hosts: hosts, schemes: ["demo"], path: [.literal("p"), .capture("id")],
          steps: [
            StepTemplate("started"), StepTemplate("picked", with: ["id": .reference(.param("id"))]),
            StepTemplate("named", with: ["name": .reference(.param("id"))]),
          ]),
      ])
  }

  @Test func `notifications declare the place of the link and the suppression rules`() throws {
    let text =
      Demo.text(main) + """
        links: [{ host: x.example, path: "/{id}", send: picked }]
        notifications:
          link: [/a/b, /c]
          category: /k
          suppress:
            - { category: promo, when: { visible: home } }
            - { when: { visible: detail, with: { id: $id } } }
        """
    #expect(
      try definition(text).notifications
        == NotificationDefinition(
          linkPointers: ["/a/b", "/c"], categoryPointers: ["/k"],
          suppress: [
            .init(category: "promo", when: .visible(["home"], with: [:])),
            .init(when: .visible(["detail"], with: ["id": .reference(.param("id"))])),
          ]))
  }

  @Test func `the id of a notification is read from the payload or from a header`() throws {
    let text = Demo.text(main)
    #expect(try definition(text + "notifications: { id: /gcm.message_id }").notifications.idPlaces == ["/gcm.message_id"])
    #expect(try definition(text + "notifications: { id: [apns-id, /data/id] }").notifications.idPlaces == ["apns-id", "/data/id"])
  }

  @Test func `oauth is configured by environment variables and URLs`() throws {
    let text =
      Demo.text("  main: { stack: [], handle: { named: { push: detail, with: { id: 1, title: $oauth.authorizeUrl } } } }\n") + """
        oauth:
          authorizationEndpoint: "https://a.example/authorize?x=y"
          tokenEndpoint: { env: A, default: "https://b.example", path: /token }
          clientId: { env: B }
          clientSecret: { env: C }
          redirectUrl: { env: D, default: "demo://cb" }
          scope: a b
          pkce: false
          clientAuth: basic
          encoding: json
          fields: { audience: api }
          bearer: accessToken
          response: { accessToken: /authed_user/access_token, refreshToken: /r, expiresIn: /e, error: /f }
          required: [x]
          scopes: [a, b]
          omit: [response_type, token_type]
        """
    var wanted = OAuthDefinition(
      authorizationEndpoint: .init(nil, fallback: "https://a.example/authorize?x=y"),
      tokenEndpoint: .init("A", fallback: "https://b.example", path: "/token"), clientID: .init("B"), clientSecret: "C",
      redirectURL: .init("D", fallback: "demo://cb"), scope: "a b")
    (wanted.usesPKCE, wanted.clientAuth, wanted.encoding, wanted.sendsToken) = (false, .basic, .json, true)
    (wanted.fields, wanted.requiredMembers, wanted.knownScopes) = (["audience": "api"], ["x"], ["a", "b"])
    wanted.omitted = [.responseType, .tokenType]
    (wanted.response.accessToken, wanted.response.refreshToken) = ("/authed_user/access_token", "/r")
    (wanted.response.expiresIn, wanted.response.error) = ("/e", "/f")
    let demo = try definition(text)
    #expect(demo.oauth == wanted)
    #expect(
      demo.flows["main"]?.handle["named"]?.branches.first?.operations
        == [.push(Contribution(.screen("detail"), with: ["id": .literal(1), "title": .reference(.authorizeURL)]))])
  }

  @Test func `a public client with PKCE needs four members`() throws {
    let text =
      Demo.text(main) + """
        oauth:
          { authorizationEndpoint: "https://a.example/a", tokenEndpoint: "https://a.example/t", clientId: { env: B }, redirectUrl: { env: D } }
        """
    let oauth = try #require(try definition(text).oauth)
    #expect(
      oauth
        == OAuthDefinition(
          authorizationEndpoint: .init(nil, fallback: "https://a.example/a"), tokenEndpoint: .init(nil, fallback: "https://a.example/t"),
          clientID: .init("B"), redirectURL: .init("D")))
    #expect(oauth.usesPKCE && oauth.clientSecret == nil && oauth.encoding == .form)
  }

  /// A login belongs to the screen that is created with the URL. A URL in any other place could not lead to a login.
  @Test(arguments: [
    "{ write: { name: $oauth.authorizeUrl } }", "{ content: { url: $oauth.authorizeUrl } }", "{ load: { value: $oauth.authorizeUrl } }",
    "{ send: named, with: { name: $oauth.authorizeUrl } }",
    "{ push: home, removed: { step: named, with: { name: $oauth.authorizeUrl } } }",
    "{ load: { get: \"https://api.example/{oauth.authorizeUrl}\" } }",
    "{ push: { flow: main2, start: { step: named, with: { name: $oauth.authorizeUrl } } } }",
    "{ timer: { after: 1s, send: named, with: { name: $oauth.authorizeUrl } } }",
    "[{ when: { fact: name, is: $oauth.authorizeUrl }, do: [] }]",
    "[{ when: { visible: detail, with: { title: $oauth.authorizeUrl } }, do: [] }]",
  ])
  func `the authorize URL is accepted only in params and content of a new screen`(operation: String) {
    let oauth = """

      oauth:
        authorizationEndpoint: { env: A, path: /authorize }
        tokenEndpoint: { env: A, path: /token }
        clientId: { env: B }
        clientSecret: { env: C }
        redirectUrl: { env: D }
      """
    let said = complaints(Demo.handling(operation) + oauth)
    let why =
      "`$oauth.authorizeUrl` can be used only in `with` or `content` of the screen that is created, because the login is valid only while that screen exists"
    #expect(said.count == 1 && said.first?.hasSuffix(operation.contains("{oauth") ? why.dropFirst() : why[...]) == true)
  }

  @Test func `a fact from the environment is shown if the definition permits it`() throws {
    let text = Demo.text("  main: { stack: home }\n")
    let facts = try definition(text.replacing("env: BASE }", with: "env: BASE, shown: true }")).facts
    #expect(facts["base"]?.isShown == true && facts["name"]?.isShown == true)
    #expect(try definition(text).facts["base"]?.isShown == false)
    #expect(
      complaints(text.replacing("name: string, base", with: "name: { type: string, shown: true }, base")) == [
        "6:78: `shown` is allowed only for a fact with `env`; remove it, because other facts are always shown"
      ])
  }
}
