package import CairnCore

/// The allowed values of a param or fact: a list, or the name of a set whose values are in the member `sets` of the app.
package struct AllowedValues: SchemaProviding, Sendable {
  private let set: ValueSet

  init(_ set: ValueSet) { self.set = set }

  package func write(to writer: inout JSONWriter) {
    if let name = set.name { writer.string(name) } else { writer.array(set.values) }
  }

  package static var schema: Schema {
    .one(of: [.list(of: .any), Schema.text.about("The name of a set, whose values are in the app's member sets.")])
  }
}
