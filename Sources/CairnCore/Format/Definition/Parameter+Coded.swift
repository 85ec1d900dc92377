extension ParameterDefinition: Coded {
  package static var blank: ParameterDefinition { ParameterDefinition(.any) }

  package static func members<C: Coder & ~Copyable>(_ it: inout ParameterDefinition, _ coder: inout C) throws(C.Failure) {
    try coder.member("kind", &it.kind)
    try coder.flag("optional", &it.isOptional)
    try coder.flag("secret", &it.isSecret)
    try coder.member("in", &it.allowed)
    try coder.member("default", &it.defaultValue)
    var bounds = it.bounds?.stored
    try coder.member("bounds", &bounds)
    var item = it.bounds?.item
    try coder.member("of", &item)
    if C.reads { it.bounds = bounds.flatMap { ValueBounds(stored: $0, item: item) } }
  }
}

extension ParameterDefinition.Kind: CodedWord {
  package static var blank: ParameterDefinition.Kind { .any }
}

/// For a fact that clients do not see, only the kind of its type is written.
extension FactDefinition: Coded {
  package static var blank: FactDefinition { FactDefinition(type: .blank) }

  package static func members<C: Coder & ~Copyable>(_ it: inout FactDefinition, _ coder: inout C) throws(C.Failure) {
    var type = it.isShown ? it.type : ParameterDefinition(it.type.kind)
    try ParameterDefinition.members(&type, &coder)
    if C.reads { it.type = type }
    var isHidden = !it.isShown
    try coder.flag("hidden", &isHidden)
    it.isShown = !isHidden
    try coder.flag("clients", &it.isClients)
  }
}
