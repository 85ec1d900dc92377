package import CairnCore

/// A link of a definition, as responses describe it.
package struct LinkBody: DescribedBody, Hashable, Sendable {
  /// The index among the definition's links, from 0. The first link that matches a URL is used.
  package var index: Int
  package var path: String
  package var hosts: [String]
  package var schemes: [String]
  package var query: [String]
  /// The steps that the link sends, in order.
  package var steps: [StepTemplate]
  /// Whether the link has a condition (`requires`). The link is held while the condition is false.
  package var isGuarded: Bool
  /// The values that the link takes from the URL, by name; `nil` if no URL was given.
  package var values: [String: String]?
  /// The id of the held link that opening the URL would create; `nil` if the link would not be held.
  package var held: LinkID?

  /// Creates the body for a link. `values` are the values that the link takes from a URL; `nil` if no URL was given.
  package init(_ link: LinkDefinition, at index: Int, values: [String: String]? = nil) {
    self.index = index
    path = link.pathText
    hosts = link.hosts
    schemes = link.schemes
    query = link.query
    steps = link.steps
    isGuarded = link.requires != nil
    self.values = values
  }

  /// Creates the body for the link of `definition` that matched a URL.
  package init(_ taken: TakenLink, of definition: Definition) {
    self.init(definition.links[taken.index], at: taken.index, values: taken.values)
  }

  /// Visits the members. As in a definition file, a single step is written as `broadcast`, or as `step` with an optional `to`; several
  /// steps are written as `steps`.
  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    let only = body?.steps.count == 1 ? body?.steps.first : nil
    let isBroadcast = only?.to == .all
    visitor.maybe("broadcast", isBroadcast ? only?.step : nil)
    visitor.always("guarded", body?.isGuarded, "Whether the link has a condition; the link is held while the condition is false.")
    visitor.maybe("held", body?.held)
    visitor.maybe("hosts", body?.hosts.unlessEmpty)
    visitor.always(
      "index", body?.index, "Index among the definition's links, from 0. The first link that matches a URL is used.", as: .whole(from: 0))
    visitor.always("path", body?.path)
    visitor.maybe("query", body?.query.unlessEmpty)
    visitor.maybe("schemes", body?.schemes.unlessEmpty)
    visitor.maybe("step", isBroadcast ? nil : only?.step)
    visitor.maybe("steps", only == nil ? body?.steps.map(\.step) : nil)
    visitor.maybe("to", isBroadcast ? nil : only?.to?.rawValue)
    visitor.maybe("values", body?.values, "The values that the link takes from the URL, by name.", as: .map(of: .text))
  }

  package static var about: String { "A link of a definition." }
  package static var firstRequired: [String] { ["index", "path"] }
}
