import CairnCore

/// The names that expressions and guards can use at a place.
struct Surroundings {
  /// By name; nil: not known, and not checked.
  var params: [String: ParameterDefinition]?
  /// Whose params they are, or why there are none, for messages.
  var owner: String
  /// `owner` could have params, and has none.
  var isEmptyOwner = false
  /// There is a node whose content can be read.
  var hasContent = false
  /// A load has come in.
  var hasResult = false
  /// A load has failed.
  var hasError = false
  /// The members of the result, by name; `nil` if they are unknown and not checked.
  var result: [String: ParameterDefinition]?
  /// Whose result it is, for messages.
  var resultOwner = ""
  /// Strings with `{name}` are templates.
  var hasTemplates = false
  /// Whether the expression belongs to a node that is made, which may be the page of a login and owns its OAuth state.
  var isPage = false
  /// The params are captures of a link: text, that is read as what it is given to.
  var hasCaptures = false

  /// The words behind `$` that are not params.
  static let words = ["content", "fact", "result", "oauth"]
  /// The first words of a path behind `$`. Only with a path: `$screen` is a param of that name.
  static let beginnings = words + ["screen"]

  /// A place without params.
  init(_ why: String) {
    params = [:]
    owner = why
  }

  init(params: [String: ParameterDefinition]?, of owner: String, hasContent: Bool = false) {
    self.params = params
    self.owner = owner
    isEmptyOwner = true
    self.hasContent = hasContent
  }

  var withResult: Surroundings {
    var scope = self
    scope.hasResult = true
    return scope
  }

  var withError: Surroundings {
    var scope = self
    scope.hasError = true
    return scope
  }

  /// With what a flow gives.
  func with(result: [String: ParameterDefinition]?, of flow: String) -> Surroundings {
    var scope = withResult
    scope.result = result
    scope.resultOwner = flow
    return scope
  }

  /// The same for the params and the content of a node that is made.
  var ofPage: Surroundings {
    var scope = self
    scope.isPage = true
    return scope
  }

  var withTemplates: Surroundings {
    var scope = self
    scope.hasTemplates = true
    return scope
  }
}
