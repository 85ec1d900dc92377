import CairnCore
import CairnTesting
import Testing

/// An app for the behaviour of the Application Coordinator sample that needs other screens than those of the app shop.
private let coordinator = """
  app: coordinator
  language: 1
  compat: { emits: any }
  root: { flow: top }
  screens: { x: {}, home: {}, y: {}, product: { params: { id: integer } }, sheet: {} }
  steps: { move: { id: integer }, sheetIsRequired: {} }
  flows:
    top:
      tabs: [ { flow: first }, { flow: second } ]
      handle: { move: [ { reveal: home }, { push: product, with: { id: $id } } ] }
    first: { stack: x, handle: { sheetIsRequired: { present: { flow: modal } } } }
    second: { stack: y }
    modal: { stack: sheet }
  links: [ { scheme: shop, path: "/products/{id}", send: move } ]
  notifications:
    suppress: [ { category: offer, when: { visible: product, with: { id: 5 } } } ]
  """

@Suite struct `Coordinator app, visible screens and reveal` {
  @Test func `nodes below home stay, and of two homes the one on top is revealed`() throws {
    var drive = try Drive(coordinator)
    for screen in ["home", "y"] { drive.run(.push(.init(screen))) }
    drive.run(.open(url: "shop://products/3"))
    #expect(drive.sketch == "top<*first[x, home, product(id: 3)], second[y]>")
    drive.run(.push(.init("home")))
    drive.run(.open(url: "shop://products/4"))
    // The URL opens in the lower flow in Flux. In Cairn, "nearest" always means the top flow.
    #expect(drive.sketch == "top<*first[x, home, product(id: 3), home, product(id: 4)], second[y]>")
    #expect(drive.broken == [])
  }

  @Test func `without a home a link is rejected and nothing changes`() throws {
    var drive = try Drive(coordinator)
    drive.step("sheetIsRequired")
    let before = drive.state
    drive.run(.open(url: "shop://products/3"))
    #expect(drive.outcome == "screen-not-found")
    #expect(drive.state == before)
  }

  @Test func `the top is that of a modal, or else that of the selected tab`() throws {
    var drive = try Drive(coordinator)
    drive.run(.push(.init("home")))
    drive.step("sheetIsRequired")
    drive.run(.push(.init("y")))
    #expect(drive.routes.last == "y")
    #expect(drive.sketch == "top<*first[x, home] ^ modal[sheet, y], second[y]>")
    drive.run(.dismiss(node: nil))
    #expect(drive.routes == ["x", "home"])
    drive.run(.select(.tab(1), node: nil))
    #expect(drive.routes == ["y"])
  }

  @Test func `from another tab under a modal, the home of the first tab is revealed`() throws {
    var drive = try Drive(coordinator.replacing("compat: {", with: "compat: { covered: accept,"))
    drive.run(.push(.init("home")))
    drive.step("sheetIsRequired")
    drive.run(.select(.tab(1), node: nil))
    drive.run(.open(url: "shop://products/3"))
    #expect(drive.sketch == "top<*first[x, home, product(id: 3)], second[y]>")
    #expect(drive.last.changes.map(\.name) == ["dismiss", "select", "push"])
    #expect(drive.broken == [])
  }

  @Test func `a suppression rule with a product applies only to that product`() throws {
    for (id, event) in [(5, Event.Kind.notificationSuppressed), (6, .notificationShown)] {
      var drive = try Drive(coordinator)
      drive.run(.push(.init("product", params: ["id": .integer(id)])))
      drive.run(.notification(url: nil, category: "offer", tap: false, appState: .foreground))
      #expect(drive.last.events.map(\.type) == [event])
      #expect(drive.last.outcome == .unchanged)
    }
  }
}
