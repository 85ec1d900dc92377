import CairnDefinition
import Testing

@Suite struct SectionMistakeTests {
  private func links(_ text: String) -> [String] {
    complaints(Demo.text("  main: { stack: home }\nlinks:\n  - \(text)\n"))
  }

  @Test(arguments: [
    Mistake("{ path: /x, send: started }", "21:5: a link needs `host` or `scheme`, in the link or in `linkDefaults`"),
    Mistake("{ host: x.example, path: /x, send: picked }", "21:40: the step `picked` requires `id: integer` in `with`"),
    Mistake(
      "{ host: \"https://x.example\", scheme: https, path: x, send: started }",
      "21:13: `https://x.example` is not a host; write it without scheme, port and path, like `shop.example`",
      "21:42: `https` is not a custom scheme; list the hosts of its links in `host`",
      "21:55: `path` must begin with `/`, like `/items/{id}`, not `x`"
    ),
    Mistake(
      "{ host: x.example, path: \"/x/{id}\", send: [started, { step: named, with: { name: \"x/{idd}\" } }] }",
      "21:86: there is no param `idd`; did you mean `id`?"),
    Mistake(
      "{ host: x.example, path: \"/{id}\", broadcast: picked }",
      "21:39: a link no longer has the member `broadcast`: write `send: STEP` with `to: all`"),
    Mistake("{ host: x.example, path: /x }", "21:5: a link needs `send`"),
    Mistake("{ host: x.example, path: /x, send: [] }", "21:34: `send` needs at least one step"),
    Mistake("{ host: x.example, path: /x, send: started, to: mian }", "21:53: there is no flow `mian`; did you mean `main`?"),
    Mistake("{ host: x.example, path: /x, send: started, to: rot }", "21:53: there is no flow `rot`; did you mean `root`?"),
    Mistake(
      "{ host: x.example, path: /x, send: started, to: parent }",
      "21:53: `to` of a link's step must be `root`, `all` or a flow's name, not `parent`, because no flow sends it"),
    Mistake(
      "{ host: x.example, path: /x, send: [started], to: root }",
      "21:51: `send` has several steps; put `to` into the map of the step to which it applies"),
    Mistake(
      "{ host: x.example, path: \"/{id}\", send: picked, requires: { param: id } }",
      "21:72: there is no param `id`: `requires` can test facts and flows, but not the link's params"),
    Mistake(
      "{ host: x.example, path: \"/{id}\", query: [id], send: picked }", "21:39: `id` is captured twice; rename one of the two captures"),
    Mistake(
      "{ host: x.example, path: \"/x/:id?\", send: started }",
      "21:30: a segment of `path` must be literal text or `{name}`, not `:id?`; write `{id?}`"),
    Mistake(
      "{ host: x.example, path: \"/x/{id:int}\", send: started }",
      "21:30: a segment of `path` must be literal text or `{name}`, not `{id:int}`; write `{id}`"),
    Mistake(
      "{ host: x.example, path: \"/x/{*path}\", send: started }",
      "21:30: a segment of `path` must be literal text or `{name}`, not `{*path}`; write `{path...}`"),
    Mistake("{ host: x.example, path: /x//y, send: started }", "21:30: a segment of `path` must be literal text or `{name}`, not empty"),
    Mistake("{ host: x.example, path: /x, send: started, holdFor: 5h }", "21:49: warning: `holdFor` has no effect without `requires`"),
    Mistake(
      "{ host: \"*.a.example\", path: /x, send: started }",
      "21:13: `*.a.example` is not a host; list each host separately, like `www.a.example`"
    ),
    Mistake(
      "{ host: Bücher.example, path: /x, send: started }",
      "21:13: `Bücher.example` must be written in its ASCII form, `xn--bcher-kva.example`"),
    Mistake(
      "{ scheme: my_shop, path: /x, send: started }",
      "21:15: `my_shop` is not a scheme; a scheme has only letters, digits, `+`, `-` and `.`, like `my-shop`"),
    Mistake("{ scheme: \"shop://\", path: /x, send: started }", "21:15: `shop://` is not a scheme; write it without `://`, like `shop`"),
  ]) func `a mistake in a link is reported`(mistake: Mistake) {
    #expect(links(mistake.snippet) == mistake.said)
  }

  @Test func `a mistake in the receiver of a step is reported`() {
    let text = Demo.handling("[{ send: started, to: nowhere }, { end: { step: started, to: current } }]")
    #expect(
      complaints(text + "\nrules: [{ when: { fact: onBoarded }, send: started, to: parent }]") == [
        "20:36: there is no flow `nowhere`; `to` must be `parent`, `current`, `root`, `all` or a flow's name",
        "20:54: a flow that has ended receives no steps; name another flow in `to`",
        "21:53: `to` must not be `parent`: the root flow, which sends the step, has no parent",
      ])
  }

  @Test(arguments: [
    ("ttl: 30s", "`ttl` must be at least 1m"), ("ttl: 59999ms", "`ttl` must be at least 1m"),
    ("offlineFor: 59m", "`offlineFor` must be at least 1h"),
  ])
  func `a duration of the session below its minimum is reported`(
    _ member: String, _ message: String
  ) {
    let text = Demo.text("  main: { stack: home }\n") + "\(member)\n"
    #expect(complaints(text).map { String($0.drop { $0 != " " }.dropFirst()) } == [message])
  }

  @Test func `a mistake in rules is reported`() {
    let text = Demo.text(
      """
        main: { stack: home }
      rules:
        - { when: { visible: home }, send: started }
        - { when: { fact: onBoarded, is: false }, send: picked }
        - { send: started }
        - { when: { fact: onBoarded, is: $id }, send: started }
      """)
    #expect(
      complaints(text) == [
        "21:13: a rule must test at least one fact, because it is evaluated when such a fact is written",
        "22:51: the step `picked` requires `id: integer` in `with`", "23:5: a rule needs `when`",
        "24:36: there is no param `id`: a rule has no params",
      ])
  }

  @Test func `a mistake in the id of a notification is reported`() {
    let text = Demo.text("  main: { stack: home }\n")
    #expect(
      complaints(text + "notifications: { id: [a b, \"\", 3] }").map { $0.drop { $0 != " " } } == [
        " `id` must be a JSON Pointer, like `/data/id`, or a header's name, like `apns-id`, not `a b`",
        " a JSON Pointer or a header's name must not be empty",
        " a JSON Pointer or a header's name must be a string, not an integer",
      ])
    #expect(
      complaints(text + "notifications: { id: [] }").map { $0.drop { $0 != " " } } == [
        " `id` needs at least one JSON Pointer or header, like `/gcm.message_id` or `apns-id`"
      ])
  }

  @Test func `a mistake in notifications and oauth is reported`() {
    let text = Demo.text(
      """
        main: { stack: home }
      notifications: { link: url, suppress: [{ category: 3, when: { visible: detail, with: { id: $id } } }] }
      oauth:
        authorizationEndpoint: { env: X, default: qiita.com, path: x }
        tokenEndpoint: "http://login.example/token"
        clientId: { env: a b }
        clientSecret: { env: S, default: x }
        redirectUrl: R
        encoding: qery
        fields: { code: x }
        bearer: token
        response: { accessToken: access_token }
        omit: [scope]
      """)
    #expect(
      complaints(text) == [
        "20:24: a JSON Pointer must begin with `/`, like `/data/url`, not `url`", "20:52: `category` must be a string, not an integer",
        "20:92: there is no param `id`: no link has a step with params",
        "22:45: `authorizationEndpoint` must begin with `https://` or `http://`, not `qiita.com`",
        "22:56: `path` must begin with `/`, like `/oauth/token`",
        "23:18: an authorization code and a token must not be sent over plain HTTP; use `https`",
        "24:20: `env` must be the name of an environment variable, like `SHOP_URL`, not its value",
        "25:27: a definition must not contain a secret; remove `default`, and write only `env`",
        "26:16: `redirectUrl` must be a map with `env`, not a string",
        "27:13: `encoding` must be `form`, `json` or `query`, not `qery`; did you mean `query`?",
        "28:13: `code` is always sent; remove it here",
        "29:11: `bearer` must be `accessToken`", "30:28: `accessToken` must be a JSON Pointer, like `/access_token`, not `access_token`",
        "31:10: a parameter in `omit` must be `response_type`, `redirect_uri`, `grant_type` or `token_type`, not `scope`",
      ])
  }

  @Test func `the earlier members of oauth are refused with the new ones`() {
    let text = Demo.text(
      """
        main: { stack: home }
      oauth:
        baseUrl: { env: X }
        clientId: { env: I }
        redirectUrl: { env: R }
        clientAuth: basic
        authorize: { path: /authorize }
        token: { path: /token }
      """)
    #expect(
      complaints(text) == [
        "21:3: `oauth` no longer has the member `baseUrl`: write `authorizationEndpoint` and `tokenEndpoint` as complete URLs, or as `{ env: NAME, path: /… }`",
        "24:15: `clientAuth: basic` needs `clientSecret`",
        "25:3: `oauth` no longer has the member `authorize`: move its path to `authorizationEndpoint`, and `scope` to `oauth`",
        "26:3: `oauth` no longer has the member `token`: move its path to `tokenEndpoint`, and `fields`, `required` and `scopes` to "
          + "`oauth`; `send` is now `encoding`, and `member` is `response: { accessToken: /… }`",
      ])
  }

  @Test func `a mistake in declarations is reported`() {
    let text = """
      app: x
      language: 1
      root: { flow: main, start: go }
      facts: { accessToken: string, a: { type: int, default: 3 }, b: { type: integer, default: x }, c: { type: string, env: a=b } }
      sets: { few: [1, x], none: [] }
      screens: { a: { params: { content: string, b: strin }, emits: go }, b: { emits: [go, inner], parms: {} }, 3d: }
      steps: { go: [a], inner: , a.b: , a..b: , c: { n: { type: integer, in: few }, m: { type: string, in: fw } } }
      flows: { main: { stack: { screen: a } } }
      compat: { emits: any }
      """
    #expect(
      complaints(text) == [
        "4:10: `accessToken` is built in; remove it here, and test it with `is: present` or `is: absent`",
        "4:42: there is no type `int`; did you mean `integer`?",
        "4:90: the default of the fact `b` must be of type integer, not string",
        "4:119: `env` must be the name of an environment variable, like `SHOP_URL`, not its value",
        "5:28: the set `none` must be a list of values, like `[1, 2]`",
        "6:27: a param cannot be named `content`, because `$content` has another meaning; use another name",
        "6:47: there is no type `strin`; did you mean `string`?",
        "6:63: `emits` must be a list of steps, or a map of steps with their params, not a string",
        "6:94: the screen `b` has no member `parms`; did you mean `params`?",
        "6:107: `3d` is not a valid name: a name must begin with a letter, followed by letters, digits, `_` and `-`",
        "7:14: the step `go` must be a map of its params, like `{ id: integer }`, not a list",
        "7:35: `a..b` is not a valid name: a name must begin with a letter, followed by letters, digits, `_` and `-`, with dots between them",
        "7:72: the set `few` contains `x`, but the param `n` must be of type integer, not string",
        "7:102: there is no set `fw`; did you mean `few`?",
      ])
  }

  @Test func `a mistake in the top-level members is reported`() {
    #expect(
      complaints("app: Demo\nlanguage: 1\nrot: { flow: main }\nscreens: [a, b]\nflows:\n  main: { stack: a }\n") == [
        "1:6: `app` must consist of lowercase letters, digits and `-`, and begin with a letter, like `my-app`",
        "3:1: a definition has no member `rot`; did you mean `root`?",
        "4:10: `screens` must be a map with a name for each screen, not a list",
      ])
    #expect(complaints("- a") == ["1:1: a definition must be a map with `app`, `language` and `root`, not a list"])
    #expect(complaints("app: x") == ["1:1: a definition needs `language` and `root`"])
  }
}

@Suite struct OneMistakeOneMessageTests {
  @Test func `ten mistakes give ten messages, in the order of the file`() {
    let text = """
      app: shop
      language: 1
      root: { flow: main, start: apIsStarted }
      tll: 5m
      facts: { onBoarded: { type: boolean, default: 1 } }
      screens:
        home: { emits: productIsPicked }
        product: { params: { productId: integr } }
      steps:
        appIsStarted:
        productIsPicked: { productId: integer }
      flows:
        main:
          stack: hom
          handle:
            appIsStarted: { psuh: home }
            productIsPicked: { push: product, with: { productId: $produktId } }
      links:
        - { host: shop.example, path: "products/{productId}", send: productIsPicked }
      rules:
        - { when: { fact: onBoarding }, send: appIsStarted }
      compat: { emits: any }
      """
    #expect(
      complaints(text) == [
        "3:28: there is no step `apIsStarted`; did you mean `appIsStarted`?",
        "4:1: a definition has no member `tll`; did you mean `ttl`?",
        "5:47: the default of the fact `onBoarded` must be of type boolean, not integer",
        "7:18: `emits` must be a list of steps, or a map of steps with their params, not a string",
        "8:35: there is no type `integr`; did you mean `integer`?",
        "14:12: there is no screen or flow `hom`; did you mean `home`?", "16:23: `push` has no member `psuh`; did you mean `push`?",
        "17:60: there is no param `produktId`; did you mean `productId`?",
        "19:33: `path` must begin with `/`, like `/items/{id}`, not `products/{productId}`",
        "21:21: there is no fact `onBoarding`; did you mean `onBoarded`?",
      ])
  }

  @Test func `a missing name is reported once, with all its positions`() {
    let text = Demo.handling("[{ push: hme }, { popTo: hme }, { reveal: hme }]")
    #expect(complaints(text) == ["20:23: there is no screen or flow `hme`; did you mean `home`? (also at 20:39, 20:56)"])
  }

  @Test func `a misspelt declaration of a param is reported once`() {
    let text = Demo.handling("[{ push: detail, with: { id: $id } }, { send: picked, with: { id: $id } }]", of: "picked")
    #expect(
      complaints(text.replacing("picked: { id:", with: "picked: { idd:")) == [
        "20:42: there is no param `id`; did you mean `idd`? (also at 20:75, 20:79)"
      ])
  }

  @Test func `an unreadable part causes no further messages`() {
    let handler =
      "[{ push: { flow: leaf, with: { id: 1 } } }, { push: detail, with: { x: 1 } }, { write: { name: 1 } }, { send: named, with: { y: 1 } }]"
    let text = Demo.handling(handler).replacing("screen: detail", with: "scren: detail").replacing(
      "{ id: { type: integer, in: movies }", with: "{ id: { type: [] }"
    )
    .replacing("name: string,", with: "name: strng,").replacing("named: { name: string }", with: "named: []")
    #expect(
      complaints(text) == [
        "6:62: there is no type `strng`; did you mean `string`?", "9:35: `type` must be a string, not a list",
        "13:10: the step `named` must be a map of its params, like `{ id: integer }`, not a list",
        "17:11: the flow `leaf` has no member `scren`; did you mean `screen`?",
      ])
  }

  @Test func `a missing section is reported once`() {
    let text = "app: x\nlanguage: 1\nroot: { flow: main }\nflows: { main: { tabs: [a, b, c] } }"
    #expect(complaints(text) == ["4:25: there is no screen or flow `a`; the definition declares `main` (also at 4:28, 4:31)"])
  }

  @Test func `a misspelt section is parsed nevertheless`() {
    #expect(
      complaints(Demo.text("  main: { stack: [] }").replacing("screens:", with: "screns:")) == [
        "8:1: a definition has no member `screns`; did you mean `screens`?"
      ])
  }

  @Test func `repeated keys do not hide other mistakes`() {
    let text = Demo.text(
      "  main: { stack: hom, stack: home, 'handle': {}, \"handle\": {} }\napp: other\n")
    #expect(
      complaints(text) == [
        "19:18: there is no screen or flow `hom`; did you mean `home`?", "19:23: duplicate key `stack`; the first one is on line 19",
        "19:50: duplicate key `handle`; the first one is on line 19",
        "20:1: duplicate key `app`; the first one is on line 1",
      ])
  }

  @Test func `a diagnostic is printed in the format of compilers`() {
    let diagnostic = Diagnostic(.error, file: "a.yaml", line: 3, column: 4, "wrong")
    #expect("\(diagnostic)" == "a.yaml:3:4: error: wrong")
    let both = InvalidDefinition(diagnostics: [diagnostic, Diagnostic(.warning, file: "a.yaml", line: 5, column: 1, "doubtful")])
    #expect("\(both)" == "a.yaml:3:4: error: wrong\na.yaml:5:1: warning: doubtful")
  }
}
