package import CairnCore

/// The apps for which sessions can be started.
package struct AppsBody: DescribedBody, Decodable, Sendable {
  package var apps: [Item]

  package init(apps: [Item]) { self.apps = apps }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.always("apps", body?.apps)
  }

  package struct Item: DescribedBody, Decodable, Sendable {
    package var app: String
    package var definition: String

    package init(app: String, definition: String) {
      self.app = app
      self.definition = definition
    }

    package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
      visitor.always("app", body?.app)
      visitor.always("definition", body?.definition, "The definition's hash: 64 lowercase hexadecimal digits.")
    }
  }
}

/// The parts of an app's definition that clients and test tools need.
package struct AppBody: DescribedBody, Sendable {
  package var app: String
  /// The definition's hash.
  package var definition: String
  package var screens: [Screen]
  package var flows: [Flow]
  package var steps: [Step]
  package var facts: [Fact]
  /// The values of the sets to which steps and facts refer, by the sets' names; `nil` if no step or fact refers to a set.
  package var sets: [String: [Value]]?
  package var links: [Link]
  package var unhandled: String
  package var covered: String
  package var oauth: Bool

  package struct Screen: DescribedBody, Sendable {
    var screen: String
    /// The type of each param by name; the type of an optional param ends with `?`.
    var params: [String: String]
    /// The steps that the screen may emit, sorted; `nil` if the screen may emit any step.
    var emits: [String]?
    var meta: Value?

    package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
      visitor.maybe("emits", body?.emits, "The steps that the screen can emit; missing if it can emit any step.")
      visitor.maybe("meta", body?.meta, AppBody.aboutMeta, as: .shared(.value))
      visitor.always("params", body?.params, AppBody.aboutParams, as: SessionBody.typesByName)
      visitor.always("screen", body?.screen)
    }

    package static var firstRequired: [String] { ["screen"] }
  }

  package struct Flow: DescribedBody, Sendable {
    var flow: String
    var container: String
    /// The types of the params by name; `nil` if the flow has no params. A `screen` flow has the params of its screen.
    var params: [String: String]?
    /// The types of the flow's facts by name; `nil` if the flow has no facts.
    var facts: [String: String]?
    /// The steps that the flow handles, sorted.
    var handles: [String]
    /// The steps that every screen below the flow may emit, sorted; `nil` if the flow lists no steps.
    var emits: [String]?
    var meta: Value?

    package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
      visitor.always("container", body?.container, as: .words(Node.Kind.ofFlows.map(\.rawValue)))
      visitor.maybe("emits", body?.emits)
      visitor.maybe("facts", body?.facts, "The types of the flow's facts by name.", as: SessionBody.typesByName)
      visitor.always("flow", body?.flow)
      visitor.always("handles", body?.handles)
      visitor.maybe("meta", body?.meta, AppBody.aboutMeta, as: .shared(.value))
      visitor.maybe("params", body?.params, AppBody.aboutParams, as: SessionBody.typesByName)
    }

    package static var firstRequired: [String] { ["flow"] }
  }

  package struct Step: DescribedBody, Sendable {
    var step: String
    var params: [String: String]
    /// The allowed values of each param whose values are limited, by the param's name; `nil` if no param has limited values.
    var values: [String: AllowedValues]?
    /// Whether the step cannot be posted, because no screen or flow emits it.
    var `internal`: Bool
    /// `operator` if only operators may post the step; otherwise `nil`.
    var by: String?

    package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
      visitor.maybe("by", body?.by, "operator if only operators may post the step; otherwise missing.", as: .only("operator"))
      visitor.always("internal", body?.internal, "Whether the step cannot be posted, because no screen or flow emits it.")
      visitor.always("params", body?.params, AppBody.aboutParams, as: SessionBody.typesByName)
      visitor.always("step", body?.step)
      visitor.maybe(
        "values", body?.values, "The allowed values of each param whose values are limited, by the param's name.",
        as: .map(of: AllowedValues.schema))
    }

    package static var firstRequired: [String] { ["step", "params"] }
  }

  package struct Fact: DescribedBody, Sendable {
    var fact: String
    var type: String
    /// The allowed values; `nil` if every value of the type is allowed.
    var values: AllowedValues?
    /// `client` if the session's client may set the fact; otherwise `nil`.
    var by: String?

    package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
      visitor.maybe("by", body?.by, "client if the session's client may set the fact; otherwise missing.", as: .only("client"))
      visitor.always("fact", body?.fact)
      visitor.always("type", body?.type)
      visitor.maybe("values", body?.values, "The allowed values; missing if every value of the type is allowed.")
    }
  }

  package struct Link: DescribedBody, Sendable {
    var path: String
    var hosts: [String]
    var schemes: [String]
    var query: [String]
    /// The steps that the link sends, in order.
    var steps: [String]
    /// Whether a step of the link is sent to every flow of the tree.
    var broadcast: Bool
    /// Whether the link has a condition (`requires`). The link is held while the condition is false.
    var guarded: Bool

    package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
      visitor.always("broadcast", body?.broadcast)
      visitor.always("guarded", body?.guarded, "Whether the link has a condition; the link is held while the condition is false.")
      visitor.always("hosts", body?.hosts)
      visitor.always("path", body?.path)
      visitor.always("query", body?.query)
      visitor.always("schemes", body?.schemes)
      visitor.always("steps", body?.steps)
    }

    package static var firstRequired: [String] { ["path", "hosts", "schemes", "query", "steps"] }
  }

  package init(_ definition: Definition, hash: String) {
    app = definition.app
    self.definition = hash
    screens = definition.screens.sortedByKey.map { name, screen in
      Screen(screen: name, params: screen.params.mapValues(\.shortName), emits: screen.emits?.sorted(), meta: screen.meta)
    }
    flows = definition.flows.sortedByKey.map { name, flow in
      Flow(
        flow: name, container: flow.container.rawValue, params: flow.params.isEmpty ? nil : flow.params.mapValues(\.shortName),
        facts: flow.facts.isEmpty ? nil : flow.facts.mapValues(\.shortName), handles: flow.handle.keys.sorted(),
        emits: flow.emits.isEmpty ? nil : flow.emits.sorted(),
        meta: flow.meta)
    }
    steps = definition.steps.sortedByKey.map { name, step in
      let values = step.params.compactMapValues { $0.allowed.map(AllowedValues.init) }
      return Step(
        step: name, params: step.params.mapValues(\.shortName), values: values.isEmpty ? nil : values, internal: step.isInternal,
        by: step.isOperators ? "operator" : nil)
    }
    facts = definition.facts.sortedByKey.map { name, fact in
      Fact(fact: name, type: fact.type.shortName, values: fact.type.allowed.map(AllowedValues.init), by: fact.isClients ? "client" : nil)
    }
    let used = (definition.steps.values.flatMap(\.params.values) + definition.facts.values.map(\.type)).compactMap(\.allowed)
    let named = used.compactMap { set in set.name.map { ($0, set.values) } }
    sets = named.isEmpty ? nil : Dictionary(named) { first, _ in first }
    links = definition.links.map(Link.init)
    unhandled = definition.unhandled.rawValue
    covered = definition.covered.rawValue
    oauth = definition.oauth != nil
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.always("app", body?.app)
    visitor.always("covered", body?.covered, as: .words(Definition.Covered.self))
    visitor.always("definition", body?.definition, "The definition's hash.")
    visitor.always("facts", body?.facts)
    visitor.always("flows", body?.flows)
    visitor.always("links", body?.links)
    visitor.always("oauth", body?.oauth)
    visitor.always("screens", body?.screens)
    visitor.maybe(
      "sets", body?.sets, "The values of the sets to which steps and facts refer, by the sets' names.", as: .map(of: .list(of: .any)))
    visitor.always("steps", body?.steps)
    visitor.always("unhandled", body?.unhandled, as: .words(Definition.Unhandled.self))
  }

  package static var about: String { "The parts of an app's definition that clients and test tools need." }
  package static var firstRequired: [String] {
    ["app", "definition", "screens", "flows", "steps", "facts", "links", "unhandled", "covered"]
  }

  private static let aboutMeta = "The value of meta in the definition, unchanged. The service does not interpret it."
  private static let aboutParams = "The type of each param, by name; the type of an optional param ends with ?."
}

extension AppBody.Link {
  fileprivate init(_ link: LinkDefinition) {
    path = link.pathText
    hosts = link.hosts
    schemes = link.schemes
    query = link.query
    steps = link.steps.map(\.step)
    broadcast = link.steps.contains { $0.to == .all }
    guarded = link.requires != nil
  }
}
