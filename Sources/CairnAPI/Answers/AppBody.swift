package import CairnCore

/// The apps that sessions can be started of.
package struct AppsBody: JSONWritable, Sendable {
  package var apps: [Item]

  package init(apps: [Item]) { self.apps = apps }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("apps", apps)
    writer.endObject()
  }

  package struct Item: JSONWritable, Sendable {
    package var app: String
    package var definition: String

    package init(app: String, definition: String) {
      self.app = app
      self.definition = definition
    }

    package func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("app", app)
      writer.member("definition", definition)
      writer.endObject()
    }
  }
}

/// The parts of an app's definition that a client needs.
package struct AppBody: JSONWritable, Sendable {
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

  package struct Screen: JSONWritable, Sendable {
    var screen: String
    /// Type by name, with `?` behind an optional one.
    var params: [String: String]
    /// The steps that it may emit, sorted; left out: any.
    var emits: [String]?
    var meta: Value?

    package func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("emits", ifPresent: emits)
      writer.member("meta", ifPresent: meta)
      writer.member("params", params)
      writer.member("screen", screen)
      writer.endObject()
    }
  }

  package struct Flow: JSONWritable, Sendable {
    var flow: String
    var container: String
    /// The steps that it handles, sorted.
    var handles: [String]
    /// The steps that all screens below the flow may emit, sorted; omitted if there are none.
    var emits: [String]?
    var meta: Value?

    package func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("container", container)
      writer.member("emits", ifPresent: emits)
      writer.member("flow", flow)
      writer.member("handles", handles)
      writer.member("meta", ifPresent: meta)
      writer.endObject()
    }
  }

  package struct Step: JSONWritable, Sendable {
    var step: String
    var params: [String: String]
    /// The values that a param may have, by name; left out: no param is limited to a set.
    var values: [String: [Value]]?
    /// Refused from outside.
    var `internal`: Bool

    package func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("internal", `internal`)
      writer.member("params", params)
      writer.member("step", step)
      writer.member("values", ifPresent: values)
      writer.endObject()
    }
  }

  package struct Fact: JSONWritable, Sendable {
    var fact: String
    var type: String
    /// The values that it may have; left out: all of its type.
    var values: [Value]?
    /// Who sets it beside the operator: `client`.
    var by: String?

    package func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("by", ifPresent: by)
      writer.member("fact", fact)
      writer.member("type", type)
      writer.member("values", ifPresent: values)
      writer.endObject()
    }
  }

  package struct Link: JSONWritable, Sendable {
    var path: String
    var hosts: [String]
    var schemes: [String]
    var query: [String]
    /// The steps that it becomes, in order.
    var steps: [String]
    /// Every living flow gets one of them.
    var broadcast: Bool
    /// It may be held until its guard holds.
    var guarded: Bool

    package func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("broadcast", broadcast)
      writer.member("guarded", guarded)
      writer.member("hosts", hosts)
      writer.member("path", path)
      writer.member("query", query)
      writer.member("schemes", schemes)
      writer.member("steps", steps)
      writer.endObject()
    }
  }

  package init(_ definition: Definition, hash: String) {
    app = definition.app
    self.definition = hash
    screens = definition.screens.sorted { $0.key < $1.key }.map { name, screen in
      Screen(screen: name, params: screen.params.mapValues(\.shortName), emits: screen.emits?.sorted(), meta: screen.meta)
    }
    flows = definition.flows.sorted { $0.key < $1.key }.map { name, flow in
      Flow(
        flow: name, container: flow.container.rawValue, handles: flow.handle.keys.sorted(),
        emits: flow.emits.isEmpty ? nil : flow.emits.sorted(),
        meta: flow.meta)
    }
    steps = definition.steps.sorted { $0.key < $1.key }.map { name, step in
      let values = step.params.compactMapValues(\.allowed)
      return Step(
        step: name, params: step.params.mapValues(\.shortName), values: values.isEmpty ? nil : values, internal: step.isInternal)
    }
    facts = definition.facts.sorted { $0.key < $1.key }.map { name, fact in
      Fact(fact: name, type: fact.type.shortName, values: fact.type.allowed, by: fact.isClients ? "client" : nil)
    }
    links = definition.links.map(Link.init)
    primitives = definition.primitives.rawValue
    unhandled = definition.unhandled.rawValue
    covered = definition.covered.rawValue
    oauth = definition.oauth != nil
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("app", app)
    writer.member("covered", covered)
    writer.member("definition", definition)
    writer.member("facts", facts)
    writer.member("flows", flows)
    writer.member("links", links)
    writer.member("oauth", oauth)
    writer.member("primitives", primitives)
    writer.member("screens", screens)
    writer.member("steps", steps)
    writer.member("unhandled", unhandled)
    writer.endObject()
  }
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
