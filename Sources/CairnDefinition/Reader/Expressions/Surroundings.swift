import CairnCore

/// The names that expressions and conditions can use in a part of the definition.
struct Surroundings {
  /// The params by name; `nil` if they are unknown and not checked.
  var params: [String: ParameterDefinition]?
  /// For messages: the owner of the params, or the reason why no params can be read.
  var owner: String
  /// Whether `owner` is the owner of the params. A message can then add that the owner has no params. False if `owner` is a reason.
  var isEmptyOwner = false
  /// The flow whose facts and params can be read; `nil` outside of flows.
  var flow: String?
  /// Whether a node exists whose content can be read.
  var hasContent = false
  /// Whether the step is a `seen` step, so that `$seen.first` can be read.
  var hasSight = false
  /// Whether the result of a load or flow can be read.
  var hasResult = false
  /// Whether the error of a failed load can be read.
  var hasError = false
  /// The members of the result, by name; `nil` if they are unknown and not checked.
  var result: [String: ParameterDefinition]?
  /// The paths of the secret members of a load's result.
  var secretResult: Set<String> = []
  /// The flow whose result is read, for messages.
  var resultOwner = ""
  /// Whether strings with `{name}` are templates.
  var hasTemplates = false
  /// Whether the expression belongs to the params or the content of a node to be created. Only there can `$oauth.authorizeUrl` be read,
  /// because the login is valid only while this node exists.
  var isPage = false
  /// Whether the params come from outside: captures of a link, or values of a notification. They are converted to the type of their receiver.
  var hasCaptures = false
  /// Whether the expression belongs to a migration. It can read only params and facts.
  var isMigration = false
  /// Whether secrets can be read, because the value is passed to a secret param or fact, or is sent in a request.
  var mayReadSecrets = false

  /// The words after `$` that never name params.
  static let words = ["content", "fact", "result", "oauth"]
  /// The words that can begin a path after `$`. `$screen`, `$flow` and `$seen` without a path are params with these names.
  static let beginnings = words + ["screen", "flow", "seen"]

  /// A scope without params. `why` explains their absence in messages.
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

  /// The scope inside a flow.
  func inside(_ flow: String?) -> Surroundings {
    var scope = self
    scope.flow = flow
    return scope
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

  /// The scope with the result of a flow.
  func with(result: [String: ParameterDefinition]?, of flow: String) -> Surroundings {
    var scope = withResult
    scope.result = result
    scope.resultOwner = flow
    return scope
  }

  /// The scope for the params and the content of a node to be created.
  var ofPage: Surroundings {
    var scope = self
    scope.isPage = true
    return scope
  }

  /// This scope for a value that may read secrets.
  var readingSecrets: Surroundings {
    var scope = self
    scope.mayReadSecrets = true
    return scope
  }

  var withTemplates: Surroundings {
    var scope = self
    scope.hasTemplates = true
    return scope
  }
}
