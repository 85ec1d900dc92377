package import CairnCore

/// The apps that sessions can be started of.
package struct AppsBody: Encodable, Sendable {
  package var apps: [Item]

  package init(apps: [Item]) { self.apps = apps }

  package struct Item: Encodable, Sendable {
    package var app: String
    package var definition: String

    package init(app: String, definition: String) {
      self.app = app
      self.definition = definition
    }
  }
}

/// What an app's definition says to those who drive it.
package struct AppBody: Encodable, Sendable {
  package var app: String
  /// The definition's hash.
  package var definition: String
  package var screens: [Screen]
  package var flows: [Flow]
  package var steps: [Step]
  package var facts: [Fact]
  package var links: [Link]
  package var primitives: String
  package var unhandled: String
  package var covered: String
  package var oauth: Bool

  package struct Screen: Encodable, Sendable {
    var screen: String
    /// Type by name, with `?` behind an optional one.
    var params: [String: String]
    /// The steps that it may emit, sorted; left out: any.
    var emits: [String]?
    var meta: Value?
  }

  package struct Flow: Encodable, Sendable {
    var flow: String
    var container: FlowDefinition.Container
    /// The steps that it handles, sorted.
    var handles: [String]
    var meta: Value?
  }

  package struct Step: Encodable, Sendable {
    var step: String
    var params: [String: String]
    /// Refused from outside.
    var `internal`: Bool
  }

  package struct Fact: Encodable, Sendable {
    var fact: String
    var type: String
  }

  package struct Link: Encodable, Sendable {
    var path: String
    var hosts: [String]
    var schemes: [String]
    var query: [String]
    /// The steps that it becomes; of a broadcast one.
    var steps: [String]
    var broadcast: Bool
    /// It may be held until its guard holds.
    var guarded: Bool
  }

  package init(_ definition: Definition, hash: String) {
    app = definition.app
    self.definition = hash
    screens = definition.screens.sorted { $0.key < $1.key }.map { name, screen in
      Screen(screen: name, params: screen.params.mapValues(\.shortName), emits: screen.emits?.sorted(), meta: screen.meta)
    }
    flows = definition.flows.sorted { $0.key < $1.key }.map { name, flow in
      Flow(flow: name, container: flow.container, handles: flow.handle.keys.sorted(), meta: flow.meta)
    }
    steps = definition.steps.sorted { $0.key < $1.key }.map { name, step in
      Step(step: name, params: step.params.mapValues(\.shortName), internal: step.isInternal)
    }
    facts = definition.facts.sorted { $0.key < $1.key }.map { Fact(fact: $0, type: $1.type.shortName) }
    links = definition.links.map(Link.init)
    primitives = definition.primitives.rawValue
    unhandled = definition.unhandled.rawValue
    covered = definition.covered.rawValue
    oauth = definition.oauth != nil
  }
}

extension AppBody.Link {
  fileprivate init(_ link: LinkDefinition) {
    path =
      link.path.isEmpty
      ? "/"
      : link.path.map { segment in
        switch segment {
        case .literal(let text): "/\(text)"
        case .capture(let name): "/{\(name)}"
        }
      }.joined()
    hosts = link.hosts
    schemes = link.schemes
    query = link.query
    switch link.action {
    case .steps(let templates):
      steps = templates.map(\.step)
      broadcast = false
    case .broadcast(let template):
      steps = [template.step]
      broadcast = true
    }
    guarded = link.requires != nil
  }
}
