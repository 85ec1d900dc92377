import CairnCore
import Testing

@testable import CairnDefinition

@Suite struct `Secret params in the language` {
  private static func text(_ handler: String, more: String = "") -> String {
    """
    app: a
    language: 1
    root: { flow: main }
    allowHosts: [api.example]
    facts: { name: string }
    screens:
      home:
      safe: { params: { pin: { type: string, secret: true } } }
      note: { params: { text: string } }
    steps:
      go: { pin: { type: optional string, secret: true } }
      pass: { pin: { type: string, secret: true } }
      tell: { text: string }
      open: { id: string }
    flows:
      main:
        stack: home
        handle: { go: \(handler), pass: [], tell: [], open: [] }
    \(more)
    compat: { emits: any }
    """
  }

  private func faults(_ text: String) -> [String] {
    do {
      _ = try DefinitionLoader.load(file: "a.yaml", text: text)
      return []
    } catch { return error.diagnostics.filter { $0.severity == .error }.map(\.description) }
  }

  @Test(arguments: [
    "{ push: safe, with: { pin: $pin } }",
    "{ load: { post: 'https://api.example/p', body: { card: { pin: $pin } }, headers: { X-Pin: $pin }, then: { step: pass, with: { pin: $pin } } } }",
    "{ load: { get: 'https://api.example/p', headers: { X-Pin: $pin } } }",
    "[{ when: { param: pin, is: present }, do: { push: home } }, { when: { param: pin, is: absent }, do: pop }]",
    "[{ when: { not: { param: pin, not: absent } }, do: { push: home } }]",
    "{ timer: { after: 5s, send: pass, with: { pin: $pin } } }",
    "{ load: { post: 'https://api.example/p', body: { pin: $screen.pin } } }",
  ])
  func `a secret param may be passed into a secret param, sent by a load, and tested for presence`(handler: String) {
    #expect(faults(Self.text(handler)) == [])
  }

  private static let use =
    "is secret and cannot be used here: pass it into a secret param or fact, or send it in `body` or `headers` of a load or message"

  @Test(arguments: [
    "{ write: { name: $pin } }", "{ content: { text: $pin } }", "{ content: { $pin: 1 } }", "{ push: note, with: { text: $pin } }",
    "{ push: note, with: { text: x }, content: { text: $pin } }",
    "{ load: { value: $pin } }", "{ load: { get: 'https://api.example/{pin}' } }", "{ load: { get: 'https://api.example/p?pin={pin}' } }",
    "{ load: { get: 'https://api.example/p', then: { step: tell, with: { text: $pin } } } }",
    "{ load: { post: 'https://api.example/p', body: $content.a.$pin } }",
    "[{ when: { fact: name, is: $pin }, do: { push: home } }]",
    "{ push: note, with: { text: $screen.pin } }",
  ])
  func `any other use of a secret param is an error that names the remedy`(handler: String) {
    let found = faults(Self.text(handler))
    #expect(found.count == 1 && found[0].contains(Self.use) && found[0].hasPrefix("a.yaml:18:"), "\(found)")
  }

  @Test(arguments: [
    ("[{ when: { param: pin, is: '1234' }, do: { push: home } }]", "a condition can test it only with `is: present` or `is: absent`"),
    ("[{ when: { param: pin, in: ['1', '2'] }, do: { push: home } }]", "a condition can test it only with `is: present` or `is: absent`"),
    ("[{ when: { param: pin }, do: { push: home } }]", "a condition can test it only with `is: present` or `is: absent`"),
    ("[{ when: { visible: safe, with: { pin: '1' } }, do: { push: home } }]", "the param `pin` is secret: it cannot be compared"),
    (
      "{ push: safe, with: { pin: '1234' } }", "`pin` of the screen `safe` is secret: its value must be a secret param or fact, like `$pin`"
    ),
    (
      "{ push: safe, with: { pin: $fact.name } }",
      "`pin` of the screen `safe` is secret: its value must be a secret param or fact, like `$pin`"
    ),
    (
      "{ push: safe, with: { pin: [$pin] } }", "`pin` of the screen `safe` is secret: its value must be a secret param or fact, like `$pin`"
    ),
    (
      "{ load: { get: 'https://api.example/p', then: { step: pass, with: { pin: $result.pin } } } }",
      "`pin` of the step `pass` is secret: its value must be a secret param or fact, like `$pin`"
    ),
    ("{ load: { post: 'http://api.example/p', body: { pin: $pin } } }", "a secret must not be sent over plain HTTP; use `https`"),
  ])
  func `a comparison, a value from elsewhere, and plain HTTP are errors`(handler: String, said: String) {
    let found = faults(Self.text(handler))
    #expect(found.count == 1 && found[0].contains(said) && found[0].hasPrefix("a.yaml:18:"), "\(found)")
  }

  private static func loading(_ load: String, _ more: String = "{ push: home }") -> String {
    "[{ do: [{ load: { get: 'https://api.example/p', \(load) } }, \(more)] }]"
  }

  @Test(arguments: [
    loading("secret: [pin]"), loading("secret: order.pin, then: { step: pass, with: { pin: $result.order.pin } }"),
    loading("secret: [pin]", "{ push: safe, with: { pin: $content.pin } }"),
    loading("secret: [pin]", "{ load: { post: 'https://api.example/q', body: { pin: $content.pin }, headers: { X-Pin: $content.pin } } }"),
    loading("secret: [pin], then: { step: tell, with: { text: $result.text } }", "{ push: note, with: { text: $content.text } }"),
  ])
  func `a secret member of a response may be passed to a secret param, and sent by a load`(handler: String) {
    #expect(faults(Self.text(handler)) == [])
  }

  @Test(arguments: [
    (loading("secret: [pin]", "{ push: note, with: { text: $content.pin } }"), "`$content.pin` is secret and cannot be used here"),
    (loading("secret: [pin]", "{ push: note, with: { text: $content(home).pin } }"), "`$content.pin` is secret and cannot be used here"),
    (loading("secret: [pin]", "{ write: { name: $content.pin } }"), "`$content.pin` is secret and cannot be used here"),
    (
      loading("secret: [pin]", "{ load: { get: 'https://api.example/{content.pin}' } }"), "`$content.pin` is secret and cannot be used here"
    ),
    (loading("secret: [pin], then: { step: tell, with: { text: $result.pin } }"), "`$result.pin` is secret and cannot be used here"),
    (loading("secret: [a.b], then: { step: tell, with: { text: $result.a.b.c } }"), "`$result.a.b.c` is secret and cannot be used here"),
    (loading("secret: [pin], every: 5s"), "`secret` is not allowed with `every`, because the secrets of two responses cannot be compared"),
    (loading("secret: []"), "`secret` needs at least one member of the response, like `code`"),
    (loading("secret: [a..b]"), "a member in `secret` must be a path like `order.code`, not `a..b`"),
    ("[{ do: { load: { value: 1, secret: [pin] } } }]", "`secret` is allowed only with `get`, `post`, `put` and `delete`"),
    (
      "[{ when: { content: pin, is: x }, do: { load: { get: 'https://api.example/p', secret: [pin] } } }]",
      "the content `pin` is secret: a condition can test it only with `is: present` or `is: absent`"
    ),
  ])
  func `any other use of a secret member is an error`(handler: String, said: String) {
    let found = faults(Self.text(handler))
    #expect(found.count == 1 && found[0].contains(said), "\(found)")
  }

  private static let secretHere =
    "`$pin` is secret and cannot be used here: pass it into a secret param or fact, or send it in `body` or `headers` of a load or message"

  @Test(arguments: [
    "links: [{ scheme: a, path: '/p/{pin}', send: go }]",
    "links: [{ scheme: a, path: '/p/{pin?}', query: [id], send: [{ step: go, with: { pin: $pin } }, open] }]",
    "links: [{ scheme: a, path: /p, query: [code], send: pass, with: { pin: $code } }]",
    "links: [{ scheme: a, path: '/p/{pin}', send: [go, pass], requires: { fact: name, is: present }, else: pass }]",
    "notifications: { values: { code: /data/code }, take: [{ send: pass, with: { pin: $code } }] }",
    "notifications: { values: { pin: /data/code }, take: [{ when: { param: pin, is: present }, send: pass }] }",
    "notifications: { take: [{ how: reply, send: pass, with: { pin: $reply } }] }",
    """
    links: [{ scheme: a, path: '/p/{pin}', send: go }]
    notifications: { values: { url: /data/u }, take: [{ link: $url }] }
    """,
  ])
  func `a whole capture of a link, and a value of a notification, may be passed to a secret param`(section: String) {
    #expect(faults(Self.text("[]", more: section)) == [])
  }

  @Test(arguments: [
    ("links: [{ scheme: a, path: '/p/{pin}', send: [go, { step: tell, with: { text: $pin } }] }]", secretHere),
    ("links: [{ scheme: a, path: '/p/{pin}', send: [go, { step: tell, with: { text: '{pin}' } }] }]", secretHere),
    (
      "links: [{ scheme: a, path: '/p/{pin}', send: go, requires: { fact: name, is: present }, else: { step: tell, with: { text: $pin } } }]",
      secretHere
    ),
    (
      "links: [{ scheme: a, path: '/p/{pin}', send: go, with: { pin: 'x{pin}' } }]",
      "`pin` of the step `go` is secret: its value must be a whole capture of the link, or a value of the notification, like `$pin`"
    ),
    (
      "links: [{ scheme: a, path: '/p/{pin...}', send: go }]",
      "`{pin...}` is passed to a secret param, so it must capture one segment: write `{pin}`"
    ),
    (
      "notifications: { values: { pin: /data/code }, take: [{ when: { param: pin, is: x }, send: go }] }",
      "the param `pin` is secret: a condition can test it only with `is: present` or `is: absent`"
    ),
    (
      "notifications: { values: { pin: /data/code }, take: [{ send: go }], suppress: [{ when: { param: pin, in: [x] } }] }",
      "the param `pin` is secret: a condition can test it only with `is: present` or `is: absent`"
    ),
    ("notifications: { values: { pin: /data/code }, take: [{ send: go }, { send: tell, with: { text: $pin } }] }", secretHere),
    ("notifications: { values: { pin: /data/code }, take: [{ send: go }, { link: 'a://x/{pin}' }] }", secretHere),
    (
      "notifications: { values: { pin: /data/code, id: [/id, /data/code] }, take: [{ send: go }, { category: b, send: open }] }",
      "`id` reads the same place as `pin`, which is secret; remove `id`"
    ),
    (
      "links: [{ scheme: a, path: '/p/{pin}', send: go }]\nnotifications: { values: { code: /data/code }, take: [{ link: 'a://p/{code}' }] }",
      "this URL contains the secret `pin`; send the step with `send: go`, or take the whole URL from the payload"
    ),
  ])
  func `a secret of a link or notification that is used elsewhere too is an error`(section: String, said: String) {
    let found = faults(Self.text("[]", more: section))
    #expect(found.count == 1 && found[0].hasSuffix(said), "\(found)")
  }

  @Test(arguments: [
    ("integer", "so it must be of type string, not integer"), ("string, in: [a]", "so it cannot have `in`"),
    ("string, default: a", "so it cannot have `default`"),
  ])
  func `a secret param is a string without values`(type: String, said: String) {
    let text = Self.text("[]").replacing("pass: { pin: { type: string,", with: "pass: { pin: { type: \(type),")
    let found = faults(text)
    #expect(found.count == 1 && found[0].contains("the param `pin` is secret, \(said)"), "\(found)")
  }

  @Test func `a fact and a result cannot be secret`() {
    let fact = faults(Self.text("[]").replacing("name: string", with: "name: { type: string, secret: true }"))
    #expect(fact.count == 1 && fact[0].contains("the fact `name` cannot be secret; only params, and facts of flows, can"))
    let result = faults(Self.text("[]").replacing("stack: home", with: "stack: home\n    gives: { pin: { type: string, secret: true } }"))
    #expect(result.count == 1 && result[0].contains("the param `pin` cannot be secret; only params, and facts of flows, can"))
  }

  @Test func `cairn diff reports a param that becomes secret, or is no longer`() throws {
    let old = Self.text("[]")
    let new = old.replacing("tell: { text: string }", with: "tell: { text: { type: string, secret: true } }")
    func texts(_ one: String, _ other: String) throws -> [String] {
      let sources = try [one, other].map { text in
        DefinitionDiff.Source(try DefinitionLoader.load(file: "a.yaml", text: text), root: try Document.read(file: "a.yaml", text: text))
      }
      return DefinitionDiff(from: sources[0], to: sources[1]).changes.map { "\($0.name) \($0.effect): \($0.text); \($0.consequence)" }
    }
    let holders = "posts, timers and calls that were created with the old definition"
    #expect(
      try texts(old, new) == [
        "tell.text migration: param text, secret string, was string; the value in \(holders) is stored unencrypted in the history, so it cannot become secret"
      ])
    #expect(
      try texts(new, old) == [
        "tell.text migration: param text, string, was secret string; the value in \(holders) is secret, so it cannot become a value that clients see"
      ])
  }

  @Test(arguments: [
    ("{}", ["param `pin` of the screen `safe`"]),
    ("{ screens: { safe: { params: { pin: $pin } } } }", ["`$pin` is secret and cannot be used here"]),
    ("{ screens: { safe: { params: { pin: none } } } }", []),
  ])
  func `a migration cannot show a param that was secret`(document: String, said: [String]) throws {
    let old = Self.text("[]")
    let new = old.replacing("safe: { params: { pin: { type: string, secret: true } } }", with: "safe: { params: { pin: string } }")
    #expect(try migrationFaults(document, old, new, said))
  }

  @Test(arguments: [
    ("{}", ["param `text` of the screen `note`"]),
    (
      "{ screens: { note: { params: { text: $text } } } }",
      ["`text` of the screen `note` is secret: its value must be a secret param or fact"]
    ),
    ("{ screens: { note: { popTo: home } } }", []),
  ])
  func `a migration cannot make a secret of a param that the history contains`(document: String, said: [String]) throws {
    let old = Self.text("[]")
    let new = old.replacing("note: { params: { text: string } }", with: "note: { params: { text: { type: string, secret: true } } }")
    #expect(try migrationFaults(document, old, new, said))
  }

  @Test(arguments: [
    ("{ screens: { safe: { params: { code: $pin } } } }", [String]()),
    ("{ screens: { safe: { params: { code: x }, drop: [pin] } } }", ["its value must be a secret param or fact"]),
  ])
  func `a migration passes a secret param to a secret one, and may drop it`(document: String, said: [String]) throws {
    let old = Self.text("[]")
    let new = old.replacing("safe: { params: { pin:", with: "safe: { params: { code:")
    #expect(try migrationFaults(document, old, new, said))
  }

  /// Whether a migration document has exactly these faults.
  private func migrationFaults(_ document: String, _ old: String, _ new: String, _ said: [String]) throws -> Bool {
    let sources = try [("old.yaml", old), ("new.yaml", new)].map { file, text in
      DefinitionDiff.Source(try DefinitionLoader.load(file: file, text: text), root: try Document.read(file: file, text: text))
    }
    var found: [String] = []
    do {
      _ = try MigrationLoader.load(
        file: "a.migrate.yaml", text: document, from: sources[0], to: sources[1], names: (old: "old.yaml", new: "new.yaml"))
    } catch { found = error.diagnostics.map(\.message) }
    if found.count != said.count { Issue.record("\(found)") }
    return found.count == said.count && zip(found, said).allSatisfy { $0.contains($1) }
  }
}
