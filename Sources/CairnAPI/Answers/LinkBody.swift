package import CairnCore

/// A link of a definition, in the response that tries a URL.
package struct LinkBody: JSONWritable, Hashable, Sendable {
  /// Its place in the file, from 0: the first that takes a URL wins.
  package var index: Int
  package var path: String
  package var hosts: [String]
  package var schemes: [String]
  package var query: [String]
  /// The steps that the link becomes, in order.
  package var steps: [StepTemplate]
  /// It may have to wait until a condition holds.
  package var isGuarded: Bool
  /// The values of the URL by name; `nil` without a URL.
  package var values: [String: String]?
  /// The id under which it would be held; nil: it would not.
  package var held: LinkID?

  /// `values`: the values of a URL that the link accepts.
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

  /// The one of a definition that takes a URL.
  package init(_ taken: TakenLink, of definition: Definition) {
    self.init(definition.links[taken.index], at: taken.index, values: taken.values)
  }

  /// Writes the link as in a definition: `broadcast`, `step` and perhaps `to`, or `steps`. Empty members are omitted.
  package func write(to writer: inout JSONWriter) {
    let only = steps.count == 1 ? steps.first : nil
    let isBroadcast = only?.to == .all
    writer.beginObject()
    writer.member("broadcast", ifPresent: isBroadcast ? only?.step : nil)
    writer.member("guarded", isGuarded)
    writer.member("held", ifPresent: held)
    writer.member("hosts", ifPresent: hosts.isEmpty ? nil : hosts)
    writer.member("index", index)
    writer.member("path", path)
    writer.member("query", ifPresent: query.isEmpty ? nil : query)
    writer.member("schemes", ifPresent: schemes.isEmpty ? nil : schemes)
    writer.member("step", ifPresent: isBroadcast ? nil : only?.step)
    writer.member("steps", ifPresent: only == nil ? steps.map(\.step) : nil)
    writer.member("to", ifPresent: isBroadcast ? nil : only?.to?.rawValue)
    writer.member("values", ifPresent: values)
    writer.endObject()
  }
}
