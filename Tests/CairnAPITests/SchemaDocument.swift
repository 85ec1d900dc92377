import CairnAPI
import CairnCore
import CairnTesting

/// All schemas of this module in one document, so that their references resolve.
enum SchemaDocument {
  /// Every schema with its name.
  static let schemas: [(name: String, schema: Schema)] =
    Component.allCases.map { ($0.rawValue, $0.schema) } + ActionRow.schemas
    + ChangeSchema.kinds.map { ($0.name, $0.schema) }

  static let value: Value = [
    "components": ["schemas": .object(Dictionary(schemas.map { ($0.name, $0.schema.value) }) { first, _ in first })]
  ]

  /// The errors of a value when it is compared with a component's schema. If `isWhole` is true, members that the schema does not name are errors too.
  static func faults(_ value: Value, _ component: Component, isWhole: Bool = true) -> [String] {
    SchemaCheck(document: self.value, isWhole: isWhole).faults(value, component.reference.value)
  }
}
