import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite struct `The form of a definition for engines in clients` {
  @Test func `random definitions are the same after they were written and read, but for what is left out`() throws {
    for seed in 0..<400 {
      let whole = seed % 2 == 0 ? RandomDefinition.whole(seed: UInt64(seed)) : RandomDefinition.make(seed: UInt64(seed), isOdd: true)
      let definition = whole.reduced
      let read = try DefinitionFormat.read(DefinitionFormat.bytes(whole))
      for name in definition.flows.keys { try #require(read.flows[name] == definition.flows[name], "seed \(seed), \(name)") }
      try #require(read == definition, "seed \(seed)")
    }
  }

  @Test(arguments: EngineSessions.apps)
  func `a shipped app is the same after it was written and read, but for what is left out`(app: String) throws {
    let definition = try Drive(app: app).reducer.definition
    let bytes = DefinitionFormat.bytes(definition)
    let read = try DefinitionFormat.read(bytes)
    #expect(read == definition.reduced)
    #expect(DefinitionFormat.bytes(read) == bytes)
  }

  @Test func `hosts, paths, queries, headers, bodies, variables and the values of hidden facts are left out`() throws {
    let drive = try Drive(
      """
      app: left-out
      language: 1
      compat: { emits: any }
      root: { flow: main }
      allowHosts: [canary-host.example]
      ttl: 77d
      oauth:
        authorizationEndpoint: { env: CANARY_BASE, default: "https://canary-base.example", path: /canary-authorize }
        tokenEndpoint: { env: CANARY_BASE, default: "https://canary-base.example", path: /canary-token }
        clientId: { env: CANARY_ID }
        clientSecret: { env: CANARY_SECRET }
        redirectUrl: { env: CANARY_REDIRECT }
        scope: canary-scope
        encoding: query
      facts:
        plan: { type: string, default: canary-default, env: CANARY_FACT }
      screens: { home: {}, list: { params: { pin: { type: optional string, secret: true } } } }
      steps: { listIsPicked: {}, listIsLoaded: {} }
      flows:
        main:
          stack: home
          handle:
            listIsPicked:
              push: list
              load:
                post: "https://canary-host.example/canary-path?canary-key=canary-value"
                body: { text: canary-body }
                headers: { X-Canary: canary-header, X-Other: { env: CANARY_HEADER } }
                retry: 3
                timeout: 9s
                then: listIsLoaded
      """)
    let text = String(decoding: DefinitionFormat.bytes(drive.reducer.definition), as: UTF8.self)
    #expect(text.lowercased().contains("canary") == false, "\(text)")
    #expect(text.contains(#""load":{"then":{"step":"listIsLoaded"}}"#), "\(text)")
    #expect(text.contains(#""plan":{"kind":"string","hidden":true}"#), "\(text)")
    #expect(text.contains(#""pin":{"kind":"string","optional":true,"secret":true}"#), "\(text)")
  }

  @Test func `a set is written once, and those of hidden facts are left out`() throws {
    let drive = try Drive(
      """
      app: sets
      language: 1
      compat: { emits: any }
      root: { flow: main }
      sets: { sizes: [s, m], plans: [canary], codes: [1.5, 2], rest: [a] }
      facts:
        plan: { type: optional string, in: plans, env: PLAN }
        code: { type: optional number, in: codes, by: client }
      screens: { home: { params: { size: { type: string, in: sizes, default: s } } } }
      steps: { go: { size: { type: string, in: sizes }, own: { type: string, in: [a, b] } }, wake: {} }
      rules: [{ when: { fact: code, in: codes }, send: wake }]
      links: [{ host: a.example, path: "/go/{size}", send: go, with: { size: $size, own: a }, requires: { fact: code, in: codes } }]
      flows:
        main:
          stack: home
          gives: { size: { type: string, in: sizes } }
          handle:
            wake: []
            go: [{ when: { all: [{ param: size, in: sizes }, { not: { param: own, in: rest } }] }, do: { push: home } }, { do: [] }]
      """)
    let definition = drive.reducer.definition
    let bytes = DefinitionFormat.bytes(definition)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(#""sets":{"codes":[1.5,2],"rest":["a"],"sizes":["s","m"]}"#), "\(text)")
    #expect(text.components(separatedBy: #"["s","m"]"#).count == 2 && text.contains(#""in":"sizes""#) && !text.contains("canary"))
    let read = try DefinitionFormat.read(bytes)
    #expect(DefinitionFormat.bytes(read) == bytes && read == definition.reduced)
    #expect(read.steps["go"]?.params["size"]?.allowed?.values == ["s", "m"])
    #expect(throws: UnreadableFormat.self) { try DefinitionFormat.read(Array(text.replacing(#""sizes":["#, with: #""other":["#).utf8)) }
  }

  @Test func `another format number, a member that is not known and a cut text are refused`() throws {
    let text = String(decoding: DefinitionFormat.bytes(try Drive(app: "shop").reducer.definition), as: UTF8.self)
    for wrong in [
      text.replacing("{\"format\":3", with: "{\"format\":2"), text.replacing("{\"format\":3", with: "{\"format\":3,\"other\":0"),
      String(text.dropLast(2)), "[]", "",
    ] {
      #expect(throws: UnreadableFormat.self) { try DefinitionFormat.read(Array(wrong.utf8)) }
    }
  }
}

extension Definition {
  /// The definition without the parts that clients do not receive.
  fileprivate var reduced: Definition {
    var reduced = self
    (reduced.notifications, reduced.hosts, reduced.unauthorized, reduced.ttl, reduced.historyRetention) = (.init(), [], nil, nil, nil)
    reduced.unmatched = nil
    reduced.oauth = oauth.map { _ in
      let none = OAuthDefinition.Variable(nil)
      return OAuthDefinition(authorizationEndpoint: none, tokenEndpoint: none, clientID: none, redirectURL: none)
    }
    reduced.facts = facts.mapValues { fact in
      let type = fact.isShown ? fact.type : ParameterDefinition(fact.type.kind)
      return FactDefinition(type: type, isShown: fact.isShown, isClients: fact.isClients)
    }
    reduced.root = root.reduced
    for (name, flow) in flows {
      reduced.flows[name]?.initialChildren =
        switch flow.initialChildren {
        case .empty: .empty
        case .root(let root): .root(root.reduced)
        case .tabs(let tabs): .tabs(tabs.map(\.reduced))
        case .split(let master, let detail): .split(master: master.map(\.reduced), detail: detail.reduced)
        }
      reduced.flows[name]?.handle = flow.handle.mapValues { handler in
        Handler(branches: handler.branches.map { .init(when: $0.when, operations: $0.operations.map(\.reduced)) })
      }
    }
    return reduced
  }
}

extension Contribution {
  fileprivate var reduced: Contribution {
    var reduced = self
    reduced.load = load?.reduced
    return reduced
  }
}

extension Load {
  /// The load with an empty request in place of its source, which clients do not receive.
  fileprivate var reduced: Load {
    var reduced = Load(.request(LoadRequest(.get, .literal(""))))
    (reduced.delay, reduced.then, reduced.otherwise) = (delay, then, otherwise)
    (reduced.restart, reduced.whileVisible) = (restart, whileVisible)
    return reduced
  }
}

extension CairnCore.Operation {
  fileprivate var reduced: CairnCore.Operation {
    switch self {
    case .push(let contribution): .push(contribution.reduced)
    case .replace(let contribution): .replace(contribution.reduced)
    case .set(let contributions, let keep): .set(contributions.map(\.reduced), keep: keep)
    case .overlay(let contribution, let slot): .overlay(contribution.reduced, slot)
    case .present(let contribution, let style, let anchor, let replace, let level):
      .present(contribution.reduced, style: style, on: anchor, replace: replace, level: level)
    case .tabs(let contributions): .tabs(contributions.map(\.reduced))
    case .split(let master, let detail): .split(master: master.map(\.reduced), detail: detail?.reduced)
    case .detail(let contribution): .detail(contribution.reduced)
    case .show(let flow, let screen): .show(flow: flow, screen: screen?.reduced)
    case .load(let load, let anchor, let of): .load(load.reduced, on: anchor, of: of)
    default: self
    }
  }
}
