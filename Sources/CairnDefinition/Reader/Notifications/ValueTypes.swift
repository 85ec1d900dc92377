import CairnCore

/// The types of a notification's values, derived from the uses of the values in the definition.
struct ValueTypes {
  private let names: DeclaredNames
  private var kinds: [String: Set<ParameterDefinition.Kind>] = [:]

  init(in notifications: NotificationDefinition, _ names: DeclaredNames) {
    self.names = names
    for taking in notifications.take {
      if case .step(let template) = taking.routing, let params = names.step(template.step)?.params { note(template.with, as: params) }
      if let condition = taking.when { note(condition) }
    }
    for suppression in notifications.suppress { note(suppression.when) }
  }

  /// The type that all uses of a value require; `nil` if the value is not used, or if its uses require different types.
  subscript(value: String) -> ParameterDefinition? {
    guard let kinds = kinds[value], kinds.count == 1 else { return nil }
    return kinds.first.map { ParameterDefinition($0) }
  }

  private mutating func note(_ with: [String: Expression], as params: [String: ParameterDefinition]) {
    for (name, expression) in with {
      if case .reference(.param(let value)) = expression, let type = params[name] { kinds[value, default: []].insert(type.kind) }
    }
  }

  private mutating func note(_ condition: Guard) {
    switch condition {
    case .visible(let screens, let with), .screen(let screens, let with):
      for screen in screens { note(with, as: names.params(ofScreen: screen) ?? [:]) }
    case .param(let name, .equals(.literal(let value))):
      if let kind = ParameterDefinition.Kind.allCases.first(where: { $0 != .any && ParameterDefinition($0).fault(of: value) == nil }) {
        kinds[name, default: []].insert(kind)
      }
    case .all(let guards), .any(let guards): for condition in guards { note(condition) }
    case .not(let inner): note(inner)
    case .content(_, _, let place?), .status(_, let place?):
      note(place.with, as: place.screen.flatMap { names.params(ofScreen: $0) } ?? [:])
    default: break
    }
  }
}
