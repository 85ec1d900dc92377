/// The form of a definition for an engine in a client. It is the JSON of a valid definition whose names are resolved, so the reader need
/// not validate it.
///
/// It contains the parts that the engine needs to run clients' actions. It omits the sources of loads (hosts, paths, headers, bodies),
/// OAuth, notifications, the step for URLs that no link matches, the names of environment variables, and the values of facts that clients do not see.
public enum DefinitionFormat {
  /// The version of the format. A reader accepts only this version.
  public static let version = 3

  /// Writes a definition. Members that have their default value are omitted. Equal definitions have equal bytes. The values of a set are written
  /// once, so the number of bytes is proportional to the length of the definition's text.
  public static func bytes(_ definition: Definition) -> [UInt8] {
    JSONWriter.stored(isSorted: true, notesSets: true) { writer in Definition.write(definition, &writer) }
  }

  /// Reads a definition. Throws for another version and for anything that `bytes` cannot have written.
  public static func read(_ bytes: [UInt8]) throws(UnreadableFormat) -> Definition {
    try JSONElement.reading(bytes) { element throws(UnreadableFormat) in
      var definition = Definition.blank
      var reader = StoredReader(element, sets: try element["sets"]?.readSets() ?? [:])
      try Definition.code(&definition, &reader)
      return definition
    }
  }
}

extension Definition: Coded {
  package static var blank: Definition { Definition(app: "", root: .blank) }

  package static func members<C: Coder & ~Copyable>(_ it: inout Definition, _ coder: inout C) throws(C.Failure) {
    var format = WideInt(DefinitionFormat.version)
    try coder.member("format", &format)
    guard format == WideInt(DefinitionFormat.version) else { return try coder.reject("an unknown format") }
    try coder.member("app", &it.app)
    try coder.member("root", &it.root)
    try coder.member("unhandled", &it.unhandled, unless: .parent)
    try coder.member("covered", &it.covered, unless: .refuse)
    try coder.table("facts", &it.facts)
    try coder.table("screens", &it.screens)
    try coder.table("steps", &it.steps)
    try coder.list("rules", &it.rules)
    try coder.table("flows", &it.flows)
    try coder.list("links", &it.links)
    var hasOAuth = it.oauth != nil
    try coder.flag("oauth", &hasOAuth)
    if C.reads { it.oauth = hasOAuth ? .unknown : nil }
    try coder.member("heldLinks", &it.heldLinks, unless: 1)
    try coder.member("offlineFor", &it.offlineFor)
    try coder.sets("sets")
  }
}

extension Definition.Unhandled: CodedWord {
  package static var blank: Definition.Unhandled { .parent }
}

extension Definition.Covered: CodedWord {
  package static var blank: Definition.Covered { .refuse }
}

extension ScreenDefinition: Coded {
  package static var blank: ScreenDefinition { ScreenDefinition() }

  package static func members<C: Coder & ~Copyable>(_ it: inout ScreenDefinition, _ coder: inout C) throws(C.Failure) {
    try coder.table("params", &it.params)
    var emits = it.emits?.sorted()
    try coder.member("emits", &emits)
    if C.reads { it.emits = emits.map { Set($0) } }
    try coder.member("seen", &it.steps.seen)
    try coder.member("unseen", &it.steps.unseen)
    try coder.member("meta", &it.meta)
  }
}

extension StepDefinition: Coded {
  package static var blank: StepDefinition { StepDefinition() }

  package static func members<C: Coder & ~Copyable>(_ it: inout StepDefinition, _ coder: inout C) throws(C.Failure) {
    try coder.table("params", &it.params)
    try coder.flag("internal", &it.isInternal)
    try coder.flag("operators", &it.isOperators)
  }
}

extension Rule: Coded {
  package static var blank: Rule { Rule(when: .blank, step: .blank) }

  package static func members<C: Coder & ~Copyable>(_ it: inout Rule, _ coder: inout C) throws(C.Failure) {
    try coder.member("when", &it.when)
    try coder.member("step", &it.step)
  }
}

#if !CLIENT_ENGINE
  extension OAuthDefinition {
    /// A placeholder for the OAuth provider in a definition that was read, because clients do not receive the provider's data.
    fileprivate static let unknown = OAuthDefinition(
      authorizationEndpoint: Variable(nil), tokenEndpoint: Variable(nil), clientID: Variable(nil), redirectURL: Variable(nil))
  }
#endif
