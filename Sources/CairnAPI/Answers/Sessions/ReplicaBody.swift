package import CairnCore

/// The part of a session for an engine in a client: its state, or the difference of an entry. Both are sent as JSON in a string. A client
/// that parsed them with the response could lose the order of members and the precision of integers beyond 2^53.
package indirect enum ReplicaBody: JSONWritable, Sendable {
  case whole(Whole)
  /// The changes of an entry to the state, in `ReplicaFormat`.
  case difference([UInt8])

  /// A state with the data that a client needs to run its actions on it.
  package struct Whole: Sendable {
    /// The hash of the session's definition.
    package var definition: String
    package var revision: Int
    /// The number of the client's newest action that the state contains; `nil` if the request names no client, or if the client is unknown.
    package var last: WideInt?
    /// The state in `ReplicaFormat`.
    package var state: [UInt8]
    /// The names of omitted values: `Definition.withheldNames(hasEnvironment:)`.
    package var withheld: [String]

    package init(definition: String, revision: Int, last: WideInt?, state: [UInt8], withheld: [String]) {
      self.definition = definition
      self.revision = revision
      self.last = last
      self.state = state
      self.withheld = withheld
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .whole(let whole):
      writer.member("definition", whole.definition)
      writer.member("engine", Reducer.engine)
      writer.member("format", ReplicaFormat.version)
      writer.member("last", ifPresent: whole.last)
      writer.member("revision", whole.revision)
      writer.member("state", String(decoding: whole.state, as: UTF8.self))
      writer.member("withheld", whole.withheld)
    case .difference(let difference):
      writer.member("difference", String(decoding: difference, as: UTF8.self))
      writer.member("format", ReplicaFormat.version)
    }
    writer.endObject()
  }
}

extension Definition {
  /// The sorted names of the values that a session's state omits. A hidden fact is listed by its name, which has no dot. A secret param or
  /// fact of a flow is listed as `STEP.NAME`, `SCREEN.NAME` or `FLOW.NAME`. `oauth.state` is listed if the definition has `oauth`, and
  /// `environment.*` if the state has values of the environment.
  package func withheldNames(hasEnvironment: Bool) -> [String] {
    var names = Set(facts.filter { !$0.value.isShown }.keys)
    let owners =
      steps.map { ($0.key, $0.value.params) } + screens.map { ($0.key, $0.value.params) } + flows.map { ($0.key, $0.value.params) }
      + flows.map { ($0.key, $0.value.facts) }
    for (owner, params) in owners {
      for (name, param) in params where param.isSecret { names.insert("\(owner).\(name)") }
    }
    if oauth != nil { names.insert("oauth.state") }
    if hasEnvironment { names.insert("environment.*") }
    return names.sorted()
  }
}
