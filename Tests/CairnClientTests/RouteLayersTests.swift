import CairnClient
import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite struct `A tree as path, sheets and tabs` {
  private typealias Tap = (name: String, params: [String: Value])

  /// The apps of the random test, each with the steps that it posts.
  private static let apps: [(app: String, taps: [Tap])] = [
    (
      "delivery",
      [
        ("restaurantPicked", ["restaurantId": 1]), ("dishPicked", ["dishId": 2]), ("checkoutRequested", [:]), ("loginNeeded", [:]),
        ("orderPicked", ["orderId": 3]), ("trackingRequested", [:]), ("chatRequested", [:]), ("chatClosed", [:]),
        ("addressesRequested", [:]), ("addressPicked", ["addressId": "home"]), ("phoneEntered", ["phone": "0171"]),
        ("addressChangeRequested", [:]), ("addressConfirmed", [:]), ("slotPicked", ["slot": "noon"]), ("discardConfirmed", [:]),
        ("discardDeclined", [:]), ("promoClosed", [:]),
      ]
    ),
    ("shop", [("productIsPicked", ["productId": 7]), ("termsAreRequired", [:]), ("termsAreClosed", [:])]),
    (
      "rxflow-demo",
      [
        ("loginIsRequired", [:]), ("userIsLoggedIn", [:]), ("apiKeyIsRequired", [:]), ("apiKeyIsConfirmed", [:]),
        ("movieIsPicked", ["withId": 1]), ("castIsPicked", ["withId": 1]), ("settingsAreRequired", [:]), ("settingsAreComplete", [:]),
        ("aboutIsRequired", [:]), ("aboutIsComplete", [:]),
      ]
    ),
  ]

  @Test func `overlays are beside the layers, and are closed by their node`() throws {
    var drive = try Drive(app: "overlays", in: Drive.acceptance, creation: Creation(manualClock: true))
    for step in ["toasted", "sheetOpened"] { drive.step(step) }
    let layers = RouteLayers(drive.tree)
    let overlay = try #require(layers.overlays.first)
    #expect(layers.layers.map(\.id) == [drive.tree.id] + [drive.tree.presented].compactMap { $0?.id })
    #expect(layers.overlays.map(\.slot) == ["top"] && overlay.screen.name == "banner" && layers.front.id == drive.tree.presented?.id)
    try post(overlay.dismissal, to: &drive)
    #expect(RouteLayers(drive.tree).overlays == [] && drive.tree.presented?.name == "sheet")
  }

  @Test func `a modal that has come in front again is over a newer one`() {
    var home = Tree(id: NodeID(2), kind: .screen, name: "home")
    home.presented = Tree(id: NodeID(4), kind: .screen, name: "note")
    var call = Tree(id: NodeID(3), kind: .screen, name: "call")
    var tree = Tree(id: NodeID(1), kind: .stack, name: "main")
    tree.children = [home]
    tree.presented = call
    #expect(RouteLayers(tree).front.id == NodeID(4))
    call.order = 5
    tree.presented = call
    #expect(RouteLayers(tree).front.id == NodeID(3))
  }

  private func user(_ app: String) throws -> Drive { try Drive(app: app, creation: Creation(hasToken: true)) }

  private func post(_ action: SessionAction?, to drive: inout Drive) throws {
    let json = try #require(action).json
    let read = try JSONDocument.read(Array(JSONEncoder().encode(json)), depthLimit: 64) { Action(posted: $0) }
    drive.run(try #require(read))
  }

  /// A layer in one line: `*` marks the selected tab, and `;` separates the root of a stack from the items above it.
  private func text(_ content: RouteContent?) -> String {
    switch content {
    case .screen(let screen)?: screen.name
    case .stack(let stack)?: "[\(text(stack.root)); \(stack.path.map { text(stack[$0]) }.joined(separator: ", "))]"
    case .tabs(let tabs)?:
      "<" + tabs.tabs.enumerated().map { ($0 == tabs.selected ? "*" : "") + $1.name + text($1.content) }.joined(separator: " ") + ">"
    case .panes(_, let panes)?: "{\(panes.map(text).joined(separator: " | "))}"
    case .nothing?, nil: "-"
    }
  }

  private func lines(_ layers: RouteLayers) -> [String] {
    layers.layers.enumerated().map { $0 == 0 ? text($1.content) : "\($1.style) \(text($1.content))" }
  }

  /// The visible screens, and the screens under them in their stacks.
  private func screens(_ content: RouteContent) -> [NodeID] {
    switch content {
    case .screen(let screen): [screen.id]
    case .stack(let stack): stack.items.flatMap(screens)
    case .tabs(let tabs): screens(tabs.tabs[tabs.selected].content)
    case .panes(_, let panes): panes.flatMap(screens)
    case .nothing: []
    }
  }

  @Test func `tabs have a path each, and modals cover each other in order`() throws {
    var drive = try user("delivery")
    drive.step("restaurantPicked", ["restaurantId": 1])
    drive.step("dishPicked", ["dishId": 2])
    #expect(lines(RouteLayers(drive.tree)) == ["<*home[restaurantList; restaurant, dish] orders[orderList; ] profile[profileHome; ]>"])
    drive.step("checkoutRequested")
    drive.step("addressConfirmed")
    try post(.dismiss(), to: &drive)
    let layers = RouteLayers(drive.tree)
    #expect(
      lines(layers) == [
        "<*home[restaurantList; restaurant, dish] orders[orderList; ] profile[profileHome; ]>", "fullScreen [address; timeSlot]",
        "alert discard",
      ])
    let checkout = try #require(layers.modal(over: layers.root, .fullScreen))
    #expect(checkout.id == drive.id("checkout") && layers.modal(over: layers.root, .sheet, .alert) == nil)
    #expect(layers.modal(over: checkout, .alert) == layers.front && layers.modal(over: layers.front, .sheet, .alert) == nil)
    #expect(checkout.dismissal == .dismiss(checkout.id).from(checkout.content.end))
  }

  @Test func `a path that the user shortens is a pop, and any other path is nothing`() throws {
    var drive = try user("shop")
    for id in 7...9 { drive.step("productIsPicked", ["productId": .integer(id)]) }
    guard case .stack(let stack) = RouteLayers(drive.tree).root.content else { throw NeverCame() }
    let path = stack.path
    #expect(path.count == 3 && stack.root?.id == drive.id("home"))
    let front = path[path.count - 1]
    #expect(stack.action(for: Array(path.prefix(2))) == .pop(path[2]).from(front))
    #expect(stack.action(for: [path[0]]) == .pop(path[1]).from(front))
    #expect(stack.action(for: []) == .pop(path[0]).from(front))
    for other in [path, path + [path[0]], Array(path.suffix(1)), [path[1], path[0]]] { #expect(stack.action(for: other) == nil) }
    try post(stack.action(for: [path[0]]), to: &drive)
    #expect(drive.sketch == "main[home, product(productId: 7)]")
  }

  @Test func `a stack in a stack is one path, and leaving its lowest screen removes it`() throws {
    var drive = try Drive(
      """
      app: nested
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: { emits: [go] }, first: { emits: [on] }, second: {} }
      steps: { go: , on: }
      flows:
        main: { stack: home, handle: { go: { push: { flow: wizard } } } }
        wizard: { stack: first, handle: { on: { push: second } } }
      """)
    drive.step("go")
    drive.step("on")
    #expect(drive.sketch == "main[home, wizard[first, second]]" && lines(RouteLayers(drive.tree)) == ["[home; first, second]"])
    guard case .stack(let stack) = RouteLayers(drive.tree).root.content else { throw NeverCame() }
    #expect(stack.action(for: [drive.id("first")]) == .pop(drive.id("second")).from(stack.path.last))
    #expect(stack.action(for: []) == .pop(drive.id("wizard")).from(stack.path.last))
    try post(stack.action(for: []), to: &drive)
    #expect(drive.sketch == "main[home]")
  }

  @Test func `panes are beside each other`() throws {
    var drive = try Drive(
      """
      app: panes
      language: 1
      compat: { emits: any }
      root: { flow: mail }
      screens: { a: {}, b: {}, list: {} }
      steps: { more: , fill: }
      flows:
        mail: { split: [], handle: { more: { push: b }, fill: { set: { master: [list], detail: a } } } }
      """)
    #expect(lines(RouteLayers(drive.tree)) == ["{}"])
    drive.step("fill")
    drive.step("more")
    #expect(drive.sketch == "mail{master[list, b] | a}")
    #expect(lines(RouteLayers(drive.tree)) == ["{[list; b] | a}"])
  }

  @Test func `a switch has the content of its child`() throws {
    let drive = try Drive(app: "qiita")
    #expect(drive.sketch == "root{login[loginTop]}")
    #expect(lines(RouteLayers(drive.tree)) == ["[loginTop; ]"])
  }

  @Test func `a tap on a tab selects it, and another tap may pop it`() throws {
    var drive = try user("delivery")
    drive.step("restaurantPicked", ["restaurantId": 1])
    func tabs() throws -> RouteTabs {
      guard case .tabs(let tabs) = RouteLayers(drive.tree).root.content else { throw NeverCame() }
      return tabs
    }
    #expect(try tabs().selected == 0 && tabs().action(for: 3) == nil && tabs().action(for: -1) == nil)
    try post(tabs().action(for: 0), to: &drive)
    #expect(lines(RouteLayers(drive.tree)) == ["<*home[restaurantList; ] orders[orderList; ] profile[profileHome; ]>"])
    try post(tabs().action(for: 2), to: &drive)
    #expect(try tabs().selected == 2 && tabs().action(for: 2) == .select(tab: 2, in: tabs().id).from(tabs().tabs[2].content.end))
  }

  @Test(arguments: Self.apps.map(\.app))
  func `in every state the screens are the visible routes, and every shorter path is reached`(app: String) throws {
    let taps = try #require(Self.apps.first { $0.app == app }).taps
    var random = Chance(seed: 7)
    var drive = try user(app)
    var reached = 0
    for _ in 0..<600 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: try post(.back, to: &drive)
      case 1: try post(.dismiss(), to: &drive)
      case 2: try post(.select(tab: Int.random(in: 0..<3, using: &random)), to: &drive)
      default:
        let tap = try #require(taps.randomElement(using: &random))
        drive.step(tap.name, tap.params)
      }
      let layers = RouteLayers(drive.tree)
      #expect(layers.layers.flatMap { screens($0.content) } == drive.reducer.routes(of: drive.state).map(\.id), "\(drive.sketch)")
      reached += layers.layers.count - 1
      guard let stack = frontStack(layers.front.content) else { continue }
      if stack.path.count > 4 { try post(.popToRoot, to: &drive) }
      for count in 0..<stack.path.count {
        var other = drive
        try post(stack.action(for: Array(stack.path.prefix(count))), to: &other)
        guard other.refusal == nil else { continue }
        let now = frontStack(RouteLayers(other.tree).front.content)
        #expect(now?.path == Array(stack.path.prefix(count)), "\(drive.sketch) → \(other.sketch)")
        reached += 1
      }
    }
    #expect(reached > 50 && drive.broken == [], "modals and shorter paths: \(reached)")
  }

  private func frontStack(_ content: RouteContent) -> RouteStack? {
    switch content {
    case .stack(let stack): stack
    case .tabs(let tabs): frontStack(tabs.tabs[tabs.selected].content)
    default: nil
    }
  }
}
