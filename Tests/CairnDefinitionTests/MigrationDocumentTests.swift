import CairnCore
import CairnDefinition
import Testing

@Suite struct `Migration documents` {
  fileprivate static let old = """
    app: bank
    language: 1
    root: { flow: main, start: begin }
    facts:
      premium: { type: boolean, default: false }
      visits: { type: integer, default: 0 }
      size: { type: string, in: [s, m, l], default: m }
    screens:
      home:
      transfer: { params: { sum: integer, note: optional string } }
      promo: { meta: spring }
      news: { params: { page: optional integer } }
      ads: { meta: loud }
    steps:
      begin:
      pay: { sum: integer, note: optional string }
      poll:
    flows:
      main: { stack: [], handle: { begin: { set: [home] } } }
      shop: { stack: home }
      area: { switch: [shop] }
    compat: { emits: any }
    """

  fileprivate static let new = """
    app: bank
    language: 1
    root: { flow: main, start: begin }
    facts:
      tier: { type: boolean, default: false }
      level: { type: any, default: basic }
      size: { type: string, in: [s, m, l], default: m }
    screens:
      home:
      payment: { params: { amount: integer, tag: optional string } }
      start: { params: { tab: integer, from: any } }
    steps:
      begin:
      transfer: { amount: integer }
    flows:
      main: { stack: [], handle: { begin: { set: [home] } } }
      store: { stack: home }
      area: { switch: [store] }
    compat: { emits: any }
    """

  /// A document that mentions every change.
  fileprivate static let document = """
    from: bank-1.yaml
    to: bank.yaml
    rules: run
    screens:
      transfer: { to: payment, params: { amount: $sum, tag: null }, drop: [note] }
      promo: { popTo: home }
      news: { replace: start, with: { tab: 1, from: [$page, { size: $fact.size }] } }
      ads: remove
    flows:
      shop: { to: store }
      area: { to: area }
    steps:
      pay: { to: transfer, params: { amount: $sum }, drop: note }
      poll: remove
    facts:
      premium: { to: tier }
      visits: remove
    values:
      level: $fact.visits
    """

  fileprivate static func source(_ text: String) throws -> DefinitionDiff.Source {
    DefinitionDiff.Source(try DefinitionLoader.load(file: "demo.yaml", text: text), root: try Document.read(file: "demo.yaml", text: text))
  }

  fileprivate static func load(_ text: String, _ old: String = old, _ new: String = new) throws -> LoadedMigration {
    try MigrationLoader.load(
      file: "bank.migrate.yaml", text: text, from: try source(old), to: try source(new), names: (old: "old.yaml", new: "new.yaml"))
  }

  /// The faults of a document as `line:column: message`.
  fileprivate static func faults(_ text: String, _ old: String = old, _ new: String = new) throws -> [String] {
    do {
      _ = try load(text, old, new)
      return []
    } catch let error as InvalidDefinition {
      return error.diagnostics.map { "\($0.line):\($0.column): \($0.message)" }
    }
  }

  fileprivate static func edited(_ text: String, _ edits: [(String, String)]) -> String {
    edits.reduce(text) { text, edit in
      #expect(text.contains(edit.0), "\(edit.0)")
      return text.replacing(edit.0, with: edit.1)
    }
  }

  @Test func `every form of a line is read`() throws {
    let migration = try Self.load(Self.document).migration
    #expect(
      migration.screens == [
        "transfer": .keep(as: "payment", params: ["amount": .reference(.param("sum")), "tag": .literal(.null)]),
        "promo": .popTo(screen: "home"),
        "news": .replace(
          .screen("start"),
          with: ["tab": .literal(1), "from": .array([.reference(.param("page")), .object(["size": .reference(.fact("size"))])])]),
        "ads": .remove,
      ])
    #expect(migration.flows == ["shop": .keep(as: "store", params: [:]), "area": .keep(as: "area", params: [:])])
    #expect(migration.steps == ["pay": .keep(as: "transfer", params: ["amount": .reference(.param("sum"))]), "poll": .remove])
    #expect(migration.facts == ["premium": .keep(as: "tier"), "visits": .remove])
    #expect(migration.values == ["level": .reference(.fact("visits"))])
    #expect(migration.runsRules)
  }

  @Test func `a node can be replaced by a flow with its params, and a flow by a screen`() throws {
    let text = Self.edited(
      Self.document,
      [("news: { replace: start, with: { tab: 1, from: [$page, { size: $fact.size }] } }", "news: { replace: store, with: { a: $page } }")])
    let new = Self.edited(Self.new, [("store: { stack: home }", "store: { params: { a: optional integer }, stack: home }")])
    #expect(
      try Self.load(text, Self.old, new).migration.screens["news"] == .replace(.flow("store"), with: ["a": .reference(.param("page"))]))
    let flow = Self.edited(Self.document, [("shop: { to: store }", "shop: { replace: start, with: { tab: 1, from: $fact.size } }")])
    #expect(
      try Self.load(flow).migration.flows["shop"]
        == .replace(.screen("start"), with: ["tab": .literal(1), "from": .reference(.fact("size"))]))
  }

  /// The definition with a flow that has these members.
  private static func withFlow(_ members: String) -> String {
    """
    app: bank
    language: 1
    compat: { emits: any }
    root: main
    screens: { home: }
    steps: { open: { account: string } }
    flows:
      main: { stack: home, handle: { open: { push: { flow: pay, with: { account: $account } } } } }
      pay: { params: { account: { type: string, default: a } }, stack: home, \(members) }
    """
  }

  @Test func `a changed fact or param of a flow needs a line, which gives its value`() throws {
    let old = Self.withFlow("facts: { amount: number, note: string }")
    let new = Self.edited(
      Self.withFlow("facts: { amount: integer, total: number }"),
      [
        ("default: a }", "default: a }, kind: string"),
        ("with: { account: $account }", "with: { account: $account, kind: x }"),
      ])
    #expect(
      try Self.faults("rules: none", old, new) == [
        "1:1: the flow `pay` (old.yaml:9:99, new.yaml:9:88) has no fact note, was optional string: its value in open nodes would be lost; write `{ to: pay }` to keep its open nodes, `{ popTo: SCREEN }`, `{ replace: FLOW }` or `remove`",
        "1:1: param `kind` of the flow `pay` (new.yaml:9:59) is new: open nodes of the flow need a value; write `pay: { params: { kind: VALUE } }`",
      ])
    let text = "flows: { pay: { params: { kind: $account }, facts: { amount: 1, total: $fact.amount } } }"
    #expect(
      try Self.load(text, old, new).migration.flows == [
        "pay": .keep(
          as: "pay", params: ["kind": .reference(.param("account"))],
          facts: ["amount": .literal(1), "total": .reference(.flowFact("amount"))])
      ])
    #expect(
      try Self.faults("flows: { pay: { params: { kind: x }, facts: { totl: 1, amount: $fact.total } } }", old, new) == [
        "1:47: the flow `pay` has no fact `totl`; did you mean `total`?",
        "1:64: there is no fact `total`; the definition declares `accessToken`",
      ])
    let draft = try draft(old, new)
    #expect(draft.contains("pay: { params: { kind: $TODO? } }"), "\(draft)")
  }

  @Test func `no document is needed where nothing has to be said`() throws {
    let same = try Self.source(Self.old)
    let more = try Self.source(Self.edited(Self.old, [("  home:\n", "  home:\n  more:\n")]))
    let empty = try MigrationLoader.empty(from: same, to: more, names: (old: "old.yaml", new: "new.yaml"))
    #expect(empty == LoadedMigration(migration: Migration(), canonical: "{}", from: same.loaded.hash, to: more.loaded.hash))
    #expect(try Self.load("screens:\nflows: {}\n", Self.old, Self.old).migration == Migration())
  }

  @Test func `the canonical text has neither paths nor comments, and is read as the same migration`() throws {
    let loaded = try Self.load("# A comment.\n" + Self.document)
    #expect(
      !loaded.canonical.contains("bank-1.yaml") && loaded.canonical.hasPrefix(#"{"facts":{"premium":{"to":"tier"},"visits":"remove"},"#))
    let (old, new) = (try Self.source(Self.old).loaded, try Self.source(Self.new).loaded)
    #expect(loaded.from == old.hash && loaded.to == new.hash)
    #expect(try MigrationLoader.load(canonical: loaded.canonical, from: old, to: new) == loaded)
    #expect(try Self.load(loaded.canonical) == loaded)
  }

  @Test func `a stored document is readable although changes that it does not mention need a line now`() throws {
    let (old, new) = (try Self.source(Self.old).loaded, try Self.source(Self.new).loaded)
    #expect(try MigrationLoader.load(canonical: "{}", from: old, to: new).migration == Migration())
    #expect(throws: InvalidDefinition.self) { try MigrationLoader.load(canonical: #"{"screens":1}"#, from: old, to: new) }
  }

  @Test func `the paths of the definitions are read without the rest`() throws {
    let paths = try MigrationLoader.paths(file: "a.yaml", text: Self.document + "\nnonsense: 1")
    #expect(paths.from == "bank-1.yaml" && paths.to == "bank.yaml")
    let none = try MigrationLoader.paths(file: "a.yaml", text: "rules: none")
    #expect(none.from == nil && none.to == nil)
    #expect(
      throws: InvalidDefinition(diagnostics: [
        Diagnostic(.error, file: "a.yaml", line: 1, column: 7, "`from` must be a string, not an integer")
      ])
    ) {
      try MigrationLoader.paths(file: "a.yaml", text: "from: 1")
    }
  }

  @Test func `both definitions must be of the same app`() throws {
    #expect(
      try Self.faults("{}", Self.old, Self.edited(Self.old, [("app: bank", "app: shop")])) == [
        "1:1: old.yaml belongs to the app bank, but new.yaml to shop"
      ])
  }
}

/// A replacement in the complete document, and the expected messages.
struct MigrationFault: Sendable, CustomTestStringConvertible {
  var edit: (String, String)
  var said: [String]
  var testDescription: String { edit.1 }

  init(_ from: String, _ to: String, _ said: String...) {
    edit = (from, to)
    self.said = said
  }
}

extension `Migration documents` {
  private static let nodeForms = "`{ to: SCREEN }`, `{ popTo: SCREEN }`, `{ replace: SCREEN }` or `remove`"
  private static let gonePromo =
    "the screen `promo` (old.yaml:11:3) does not exist in new.yaml: specify how to migrate its open nodes: \(nodeForms)"
  private static let goneSum =
    "param `sum` of the screen `transfer` (old.yaml:10:25) does not exist in new.yaml: the value in open nodes of the screen would be lost; its new name may "
    + "be `amount`; read it as `$sum` in `params` of `transfer`, or write `transfer: { drop: [sum] }`"
  private static let readable =
    "cannot be read by a migration; a value must be a literal, `$PARAM`, `$fact.NAME`, or a list or map of these"

  @Test(arguments: [
    // Structure
    MigrationFault("rules: run", "rules: always", "3:8: `rules` must be `run` or `none`, not `always`"),
    MigrationFault("rules: run", "rule: run", "3:1: a migration has no member `rule`; did you mean `rules`?"),
    MigrationFault(
      "rules: run", "effects: {}",
      "3:1: a migration has no member `effects`; the members are `from`, `to`, `rules`, `screens`, `flows`, `steps`, `facts` and `values`"),
    MigrationFault("to: bank.yaml", "to: [bank.yaml]", "2:5: `to` must be a string, not a list"),
    MigrationFault(
      "  promo: { popTo: home }", "  promo: TODO", "6:10: the line of the screen `promo` must be \(nodeForms), not `TODO`"),
    MigrationFault("  promo: { popTo: home }", "  promo:", "6:9: the line of the screen `promo` must be \(nodeForms), not `null`"),
    MigrationFault("  poll: remove", "  poll: 1", "14:9: the line of the step `poll` must be `{ to: STEP }` or `remove`, not `1`"),
    MigrationFault(
      "  visits: remove", "  visits: drop", "17:11: the line of the fact `visits` must be `{ to: FACT }` or `remove`, not `drop`"),
    MigrationFault(
      "{ popTo: home }", "{ popto: home }", "6:12: the line of the screen `promo` has no member `popto`; did you mean `popTo`?"),
    MigrationFault(
      "{ to: store }", "{ to: store, start: {} }",
      "10:22: the line of the flow `shop` has no member `start`; the members are `to`, `params`, `drop`, `facts`, `popTo`, `replace` and `with`"
    ),
    MigrationFault(
      "{ popTo: home }", "{ to: home, popTo: home }",
      "6:22: `to` and `popTo` cannot be combined; the line of the screen `promo` must be \(nodeForms)"),
    MigrationFault(
      "{ popTo: home }", "{ to: home, with: {} }",
      "6:22: `to` and `with` cannot be combined; the line of the screen `promo` must be \(nodeForms)"
    ),
    MigrationFault("{ popTo: home }", "{ with: { tab: 1 } }", "6:12: `with` is allowed only with `replace`: `{ replace: NAME, with: … }`"),
    // Names
    MigrationFault("  transfer: {", "  transfr: {", "5:3: there is no screen `transfr` in old.yaml; did you mean `transfer`?"),
    MigrationFault(
      "  poll: remove", "  poll: remove\n  transfer: remove",
      "15:3: there is no step `transfer` in old.yaml, only in new.yaml; the declared ones are `begin`, `pay`, `poll`"),
    MigrationFault("{ to: payment,", "{ to: paiment,", "5:19: there is no screen `paiment` in new.yaml; did you mean `payment`?"),
    MigrationFault(
      "{ popTo: home }", "{ popTo: promo }",
      "6:19: there is no screen `promo` in new.yaml, only in old.yaml; the declared ones are `home`, `payment`, `start`"),
    MigrationFault(
      "{ popTo: home }", "{}",
      "6:3: there is no screen `promo` in new.yaml, only in old.yaml; the declared ones are `home`, `payment`, `start`"),
    MigrationFault("{ popTo: home }", "{ replace: stor }", "6:21: there is no screen or flow `stor` in new.yaml; did you mean `store`?"),
    MigrationFault(
      "{ popTo: home }", "{ replace: other }",
      "6:21: there is no screen or flow `other` in new.yaml; the declared ones are `home`, `payment`, `start`, `area`, `main` and `store`"),
    MigrationFault("{ to: transfer, params", "{ to: [], params", "13:14: `to` must be a string, not a list"),
    MigrationFault("  level: $fact", "  levl: $fact", "19:3: there is no fact `levl` in new.yaml; did you mean `level`?"),
    MigrationFault("{ to: tier }", "{ to: tir }", "16:18: there is no fact `tir` in new.yaml; did you mean `tier`?"),
    // Params
    MigrationFault("amount: $sum, tag", "amunt: $sum, tag", "5:38: the screen `payment` has no param `amunt`; did you mean `amount`?"),
    MigrationFault(
      "amount: $sum, tag", "amount: ten, tag", "5:3: \(goneSum)",
      "5:46: `amount` of the screen `payment` must be of type integer, not string"),
    MigrationFault("amount: $sum, tag", "amount: $summ, tag", "5:46: there is no param `summ`; did you mean `sum`?"),
    MigrationFault(
      "amount: $sum, tag", "amount: $note, tag", "5:3: \(goneSum)",
      "5:46: `amount` of the screen `payment` must be of type integer, not string"
    ),
    MigrationFault("tag: null", "tag: $content.a", "5:57: `$content.a` \(readable)"),
    MigrationFault("tag: null", "tag: $content(promo).a", "5:57: `$content(promo).a` \(readable)"),
    MigrationFault("tag: null", "tag: $screen.sum", "5:57: `$screen.sum` \(readable)"),
    MigrationFault("tag: null", "tag: $result", "5:57: `$result` \(readable)"),
    MigrationFault("tag: null", "tag: $oauth.authorizeUrl", "5:57: `$oauth.authorizeUrl` \(readable)"),
    MigrationFault(
      "tag: null", "tag: $fact.accessToken", "5:57: the access token cannot be read; a load or message sends it with `bearer: accessToken`"),
    MigrationFault("tag: null", "tag: $fact.appState", "5:57: the old definition has no fact `appState`"),
    MigrationFault("drop: [note]", "drop: [note?]", "5:72: there is no param `note?`: write `note`"),
    MigrationFault("drop: [note]", "drop: [note, sum]"),
    MigrationFault(
      "with: { tab: 1, from: [$page, { size: $fact.size }] }", "with: { tab: $page }",
      "7:20: the screen `start` requires `from: any` in `with`"),
    // Flows
    MigrationFault(
      "{ to: store }", "{ to: area }",
      "10:11: the flow `shop` has `stack` in old.yaml, but `area` has `switch` in new.yaml, so its open nodes cannot be kept; use "
        + "`{ popTo: SCREEN }`, `{ replace: FLOW }` or `remove`"),
    MigrationFault(
      "  area: { to: area }", "  area: remove\n  main: remove",
      "12:9: `main` is the root flow and cannot be removed; use `{ to: FLOW }` or `{ replace: FLOW }`"),
    // Facts
    MigrationFault(
      "  visits: remove", "  visits: remove\n  accessToken: remove",
      "18:3: `accessToken` is built in, and migrations always keep its value; remove this line"),
    MigrationFault(
      "  level: $fact", "  accessToken: x\n  level: $fact",
      "19:3: `accessToken` is built in, and migrations always keep its value; remove this line"),
    MigrationFault(
      "{ to: tier }", "{ to: accessToken }", "16:18: `accessToken` is built in, and migrations always keep its value; remove this line"),
    MigrationFault(
      "visits: remove", "visits: { to: tier }",
      "17:17: the value of `visits` is of type integer, not boolean: replace this line with `values: { tier: VALUE }`, where `$fact.visits` is the old value"
    ),
    MigrationFault("visits: remove", "visits: {}", "17:11: the line of the fact `visits` needs `to`"),
    MigrationFault(
      "visits: remove", "visits: { to: level }", "17:3: `level` gets a value from this line and in `values`; remove one of the two"),
    MigrationFault(
      "visits: remove\nvalues:\n  level: $fact.visits", "visits: { to: level }\n  size: { to: level }",
      "18:3: `visits` is already migrated to `level`; write `remove`, or `{ to: FACT }` with another fact"),
    MigrationFault(
      "level: $fact.visits", "level: $visits", "19:10: there is no param `visits`: a value can read only facts, as `$fact.NAME`"),
    MigrationFault("level: $fact.visits", "level: $fact.visit", "19:10: there is no fact `visit`; did you mean `visits`?"),
    MigrationFault("level: $fact.visits", "size: xl", "19:9: the fact `size` must be one of s, m, l"),
    MigrationFault("level: $fact.visits", "size: null"),
    // Several faults are reported in the order of the file.
    MigrationFault(
      "  promo: { popTo: home }\n", "", "4:1: \(gonePromo)"),
    MigrationFault(
      "steps:\n", "steps: []\nremoved:\n", "12:8: `steps` must be a map with a line for each step, not a list",
      "13:1: a migration has no member `removed`; the members are `from`, `to`, `rules`, `screens`, `flows`, `steps`, `facts` and `values`"),
  ])
  func `a fault is reported with what would be valid`(fault: MigrationFault) throws {
    let faults = try Self.faults(Self.edited(Self.document, [fault.edit]))
    #expect(faults == fault.said)
  }

  @Test func `a renamed fact must not take the name of another one that stays`() throws {
    let text = "facts:\n  visits: { to: count }"
    let old = Self.edited(Self.old, [("  visits:", "  count: integer\n  visits:")])
    let new = Self.edited(Self.old, [("  visits: {", "  count: {")])
    #expect(
      try Self.faults(text, old, new) == [
        "2:3: old.yaml also has a fact `count`, whose value would be lost: add a line for `count`, `{ to: FACT }` or `remove`"
      ])
    #expect(try Self.faults(text + "\n  count: remove", old, new) == [])
  }

  @Test func `facts of the app and of the environment are not written`() throws {
    let new = Self.edited(
      Self.old,
      [
        ("  visits:", "  url: { type: string, env: URL }\n  visits:"),
        ("flows:", "rules: [{ when: { fact: appState, is: inactive }, send: begin }]\nflows:"),
      ])
    #expect(
      try Self.faults("values: { url: x, appState: inactive }", Self.old, new) == [
        "1:11: the fact `url` is read from the environment variable `URL`, so a migration cannot set it; remove this line",
        "1:19: only the action `appState` writes `appState`",
      ])
  }
}

/// Edits of the old definition, an incomplete document, the expected report, and a complete document.
struct OpenChange: Sendable, CustomTestStringConvertible {
  var edits: [(String, String)]
  var poor: String
  var said: [String]
  var rich: String
  var testDescription: String { rich }

  init(_ edits: (String, String)..., poor: String = "{}", said: String..., rich: String) {
    self.edits = edits
    self.poor = poor
    self.said = said
    self.rich = rich
  }
}

extension `Migration documents` {
  @Test(arguments: [
    OpenChange(
      ("  promo: { meta: spring }\n", ""),
      said:
        "1:1: the screen `promo` (old.yaml:11:3) does not exist in new.yaml: specify how to migrate its open nodes: `{ to: SCREEN }`, `{ popTo: SCREEN }`, "
        + "`{ replace: SCREEN }` or `remove`", rich: "screens: { promo: { popTo: home } }"),
    OpenChange(
      ("  promo: {", "  offer: {"), poor: "screens:\n  home: {}",
      said:
        "1:1: the screen `promo` (old.yaml:11:3) does not exist in new.yaml: specify how to migrate its open nodes: `{ to: SCREEN }`, `{ popTo: SCREEN }`, "
        + "`{ replace: SCREEN }` or `remove`; its new name may be `offer`", rich: "screens: { promo: { to: offer } }"),
    OpenChange(
      ("page: optional integer }", "page: optional integer, tab: integer }"), poor: "screens:\n  news: {}",
      said:
        "2:3: param `tab` of the screen `news` (new.yaml:12:45) is new: open nodes of the screen need a value; write `news: { params: { tab: VALUE } }`",
      rich: "screens: { news: { params: { tab: 1 } } }"),
    OpenChange(
      ("{ page: optional integer }", "{}"),
      said:
        "1:1: param `page` of the screen `news` (old.yaml:12:21) does not exist in new.yaml: the value in open nodes of the screen would be lost; read it as "
        + "`$page` in `params` of `news`, or write `news: { drop: [page] }`", rich: "screens: { news: { drop: page } }"),
    OpenChange(
      ("{ page: optional integer }", "{ page: integer }"),
      said:
        "1:1: param `page` of the screen `news` (old.yaml:12:21, new.yaml:12:21) is integer, was optional integer: the value in open nodes of the screen may "
        + "be missing; write `news: { params: { page: VALUE } }`", rich: "screens: { news: { params: { page: 1 } } }"),
    // The screen has another name and other params in the new definition.
    OpenChange(
      ("  news: { params: { page: optional integer } }", "  paper: { params: { page: integer, tab: integer } }"),
      poor: "screens: { news: { to: paper } }",
      said:
        "1:12: param `tab` of the screen `paper` (new.yaml:12:37) is new: open nodes of the screen need a value; write `news: { params: { tab: VALUE } }`",
      "1:12: param `page` of the screen `paper` (old.yaml:12:21, new.yaml:12:22) is integer, was optional integer: the value in open nodes of the screen may "
        + "be missing; write `news: { params: { page: VALUE } }`", rich: "screens: { news: { to: paper, params: { page: 1, tab: $page } } }"
    ),
    OpenChange(
      ("  news: { params: { page: optional integer } }", "  paper:"), poor: "screens: { news: { to: paper } }",
      said:
        "1:12: param `page` of the screen `news` (old.yaml:12:21) does not exist in new.yaml: the value in open nodes of the screen would be lost; read it as "
        + "`$page` in `params` of `news`, or write `news: { drop: [page] }`", rich: "screens: { news: { to: paper, drop: [page] } }"),
    // The screen exists in both definitions, but the document maps it to another screen.
    OpenChange(
      ("{ page: optional integer }", "{}"), poor: "screens: { news: { to: home } }",
      said:
        "1:12: param `page` of the screen `news` (old.yaml:12:21) does not exist in new.yaml: the value in open nodes of the screen would be lost; read it as "
        + "`$page` in `params` of `news`, or write `news: { drop: [page] }`", rich: "screens: { news: remove }"),
    // Flows
    OpenChange(
      ("shop: { stack: home", "store: { tabs: [home]"),
      ("[shop]", "[store]"), poor: "flows: { area: { to: area } }",
      said:
        "1:1: the flow `shop` (old.yaml:20:3) does not exist in new.yaml: specify how to migrate its open nodes: `{ to: FLOW }`, `{ popTo: SCREEN }`, "
        + "`{ replace: FLOW }` or `remove`", rich: "flows: { shop: { replace: store }, area: { to: area } }"),
    OpenChange(
      ("shop: { stack: home }", "shop: { tabs: [home] }"),
      said:
        "1:1: the flow `shop` (old.yaml:20:11, new.yaml:20:11) has container tabs, was stack: open nodes of this flow were created with the old container; write "
        + "`{ popTo: SCREEN }`, `{ replace: FLOW }` or `remove`", rich: "flows: { shop: { replace: shop } }"),
    OpenChange(
      ("switch: [shop] }", "switch: [main] }"),
      said:
        "1:1: the flow `area` (old.yaml:21:11, new.yaml:21:11) has children without shop: an open switch may show a child that the new definition does not allow; write "
        + "`{ to: area }` to keep its open nodes, `{ popTo: SCREEN }`, `{ replace: FLOW }` or `remove`",
      rich: "flows: { area: { to: area } }"),
    // Steps
    OpenChange(
      ("  poll:\n", ""), poor: "rules: none\nsteps:\n",
      said:
        "2:1: the step `poll` (old.yaml:17:3) does not exist in new.yaml: specify how to migrate posts, timers and calls with it: `{ to: STEP }` or `remove`",
      rich: "steps: { poll: { to: begin } }"),
    OpenChange(
      ("  pay: { sum: integer, note: optional string }", "  pay: { amount: integer }"),
      said:
        "1:1: param `amount` of the step `pay` (new.yaml:16:3) is new: posts, timers and calls that were created with the old definition need a value; write "
        + "`pay: { params: { amount: VALUE } }`",
      "1:1: param `note` of the step `pay` (old.yaml:16:3) does not exist in new.yaml: the value in posts, timers and calls that were created with the old "
        + "definition would be lost; read it as `$note` in `params` of `pay`, or write `pay: { drop: [note] }`",
      "1:1: param `sum` of the step `pay` (old.yaml:16:3) does not exist in new.yaml: the value in posts, timers and calls that were created with the old "
        + "definition would be lost; its new name may be `amount`; read it as `$sum` in `params` of `pay`, or write `pay: { drop: [sum] }`",
      rich: "steps: { pay: { params: { amount: $sum }, drop: [note] } }"),
    // Facts
    OpenChange(
      ("  visits: { type: integer, default: 0 }\n", ""),
      said:
        "1:1: the fact `visits` (old.yaml:6:3) does not exist in new.yaml: specify how to migrate its value: `{ to: FACT }` or `remove`, or read it as "
        + "`$fact.visits` in `values`", rich: "facts: { visits: remove }"),
    OpenChange(
      ("  visits: { type: integer, default: 0 }", "  count: any"),
      said:
        "1:1: the fact `visits` (old.yaml:6:3) does not exist in new.yaml: specify how to migrate its value: `{ to: FACT }` or `remove`, or read it as "
        + "`$fact.visits` in `values`", rich: "values: { count: { was: $fact.visits } }"),
    OpenChange(
      ("in: [s, m, l]", "in: [m, l]"),
      said:
        "1:1: the fact `size` (old.yaml:7:3, new.yaml:7:3) is string, one of m, l, default m, was string, one of s, m, l, default m: its value in "
        + "sessions may be s but must be one of m, l; write `values: { size: VALUE }`, or `facts: { size: remove }` to drop the old value",
      rich: "facts: { size: remove }"),
    OpenChange(
      ("visits: { type: integer,", "visits: { type: string,"), ("default: 0", "default: '0'"),
      said:
        "1:1: the fact `visits` (old.yaml:6:3, new.yaml:6:3) is string, default 0, was integer, default 0: its value in sessions is of type "
        + "integer, not string; write `values: { visits: VALUE }`, or `facts: { visits: remove }` to drop the old value",
      rich: "values: { visits: many }"),
  ])
  func `a change that running sessions would feel needs a line`(change: OpenChange) throws {
    let new = Self.edited(Self.old, change.edits)
    #expect(try Self.faults(change.poor, Self.old, new) == change.said)
    #expect(try Self.faults(change.rich, Self.old, new) == [])
    #expect(DefinitionDiff(from: try Self.source(Self.old), to: try Self.source(new)).count(.migration) > 0)
  }

  @Test func `without a line there is a fault for each change that needs one, and in a definition that is the same there is none`() throws {
    let diff = DefinitionDiff(from: try Self.source(Self.old), to: try Self.source(Self.new))
    #expect(try Self.faults("{}").count == diff.count(.migration))
    #expect(try Self.faults("{}", Self.old, Self.old) == [])
  }

  // MARK: drafts

  private func draft(_ old: String, _ new: String) throws -> String {
    MigrationLoader.draft(from: try Self.source(old), to: try Self.source(new), names: (old: "bank-1.yaml", new: "../bank.yaml"))
  }

  @Test func `a draft in which parts are only renamed is accepted as it is`() throws {
    let new = Self.edited(
      Self.old,
      [
        ("promo: {", "offer: {"), ("shop: {", "store: {"),
        ("switch: [shop]", "switch: [store]"),
        ("page: optional integer", "sheet: optional integer"), ("premium: {", "tier: {"), ("  poll:\n", "  \"null\":\n"),
      ])
    let text = try draft(Self.old, new)
    #expect(
      text == """
        # Migrates sessions from bank-1.yaml to ../bank.yaml. Paths are relative to this file.
        from: bank-1.yaml
        to: ../bank.yaml
        rules: none # run: all rules of the new definition are evaluated once
        screens:
          news: { params: { sheet: $page } }
          promo: { to: offer }
        flows:
          area: { to: area }
          shop: { to: store }
        steps:
          poll: { to: "null" }
        facts:
          premium: { to: tier }

        """)
    #expect(try Self.faults(text, Self.old, new) == [])
  }

  @Test func `a draft with open decisions is refused until each of them is made`() throws {
    let new = Self.edited(
      Self.old,
      [
        ("  promo: { meta: spring }\n", ""), ("sum: integer, note: optional string } }", "sum: integer, tag: integer } }"),
        ("shop: { stack: home }", "shop: { tabs: [home] }"),
        ("switch: [shop]", "switch: [main]"), ("  poll:\n", ""),
        ("  visits: { type: integer, default: 0 }\n", ""), ("in: [s, m, l]", "in: [m, l]"),
      ])
    let text = try draft(Self.old, new)
    #expect(
      text == """
        # Migrates sessions from bank-1.yaml to ../bank.yaml. Paths are relative to this file.
        # Replace each entry below a TODO.
        from: bank-1.yaml
        to: ../bank.yaml
        rules: none # run: all rules of the new definition are evaluated once
        screens:
          # TODO: open nodes of this screen need another screen, or must be popped, replaced or removed: `{ to: SCREEN }`, `{ popTo: SCREEN }`, `{ replace: SCREEN }` or `remove`
          promo: TODO
          # TODO: the value in open nodes of the screen would be lost: drop `note`, or read it as `$note` in `params`
          # TODO: param tag, integer: open nodes of the screen need a value
          transfer: { params: { tag: $TODO? }, drop: [note?] }
        flows:
          # TODO: children without shop: an open switch may show a child that the new definition does not allow: `{ to: area }` to keep its open nodes, \
        `{ popTo: SCREEN }`, `{ replace: FLOW }` or `remove`
          area: TODO
          # TODO: container tabs, was stack: open nodes of this flow were created with the old container: `{ popTo: SCREEN }`, `{ replace: FLOW }` or `remove`
          shop: TODO
        steps:
          # TODO: posts, timers and calls that were created with the old definition need another step: `{ to: STEP }` or `remove`
          poll: TODO
        facts:
          # TODO: its value in sessions would be lost: `{ to: FACT }` or `remove`
          visits: TODO
        values:
          # TODO: string, one of m, l, default m, was string, one of s, m, l, default m: its value in sessions may be s but must be one of m, l
          size: $TODO?

        """)
    let decisions = [
      ("promo: TODO", "promo: { popTo: home }"), ("$TODO? }", "1 }"), ("[note?]", "[note]"), ("area: TODO", "area: remove"),
      ("shop: TODO", "shop: remove"), ("poll: TODO", "poll: remove"), ("visits: TODO", "visits: remove"), ("size: $TODO?", "size: m"),
    ]
    #expect(try Self.faults(text, Self.old, new).count == decisions.count)
    for index in decisions.indices {
      var all = decisions
      all.remove(at: index)
      #expect(try Self.faults(Self.edited(text, all), Self.old, new).count == 1, "\(decisions[index].0)")
    }
    #expect(try Self.faults(Self.edited(text, decisions), Self.old, new) == [])
  }

  @Test func `a draft does not guess between two removed parts that may have the same new name`() throws {
    let new = Self.edited(Self.old, [("  promo: { meta: spring }\n  ", "  "), ("  ads: { meta: loud }\n", "  offer: { meta: loud }\n")])
    let old = Self.edited(Self.old, [("spring", "loud")])
    let text = try draft(old, new)
    #expect(text.contains("  promo: TODO\n") && text.contains("  ads: TODO\n"))
  }

  @Test func `a draft is one line for each decision whatever texts the definitions contain`() throws {
    let old = Self.edited(Self.old, [("in: [s, m, l]", "in: [\"s\\nfacts: {}\", m, l]")])
    let text = try draft(old, Self.edited(Self.old, [("in: [s, m, l]", "in: [m, l]")]))
    #expect(text.split(separator: "\n").count == 8 && text.contains("may be s facts: {} but must be one of m, l"))
  }
}
