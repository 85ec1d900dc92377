import CairnCore

/// Reads the requests of loads, and their defaults.
struct RequestReader: PartReader {
  let context: ReaderContext

  /// Reads `get`, `post`, `put` or `delete` with its members. Returns `nil` if the URL is invalid.
  func request(_ method: HTTPMethod, _ element: Element, _ fields: Fields, in scope: Surroundings) -> LoadRequest? {
    let bearer = hasBearer(fields)
    let headers = self.headers.headers(fields["headers"], hasBearer: bearer, in: scope.readingSecrets)
    var body: Expression?
    if let element = fields["body"] {
      body = expressions.expression(element, in: scope.readingSecrets)
      if !method.takesBody {
        report("`body` is allowed only with `post` and `put`; `\(method.rawValue)` sends none", at: fields.position(of: "body"))
      }
    }
    let polling = polling(method, fields, in: scope)
    let all = headers.merging(context.loadDefaults.headers)
    let sent = [body].compactMap(\.self) + headers.values.map(\.value)
    let isSecret = bearer || !all.variables.isEmpty || sent.contains { secrets.readsSecret($0, in: scope) }
    guard let url = urls.url(element, "`\(method.rawValue)`", in: scope, isSecret: isSecret) else { return nil }
    var request = LoadRequest(
      method, url, bearer: bearer, body: body, headers: all.values, variables: all.variables,
      timeout: timeout(fields, isPolling: polling != nil), retry: retry(fields["retry"]), polling: polling,
      secretMembers: secretMembers(fields))
    if polling == nil, fields["timeout"] == nil { request.timeout = context.loadDefaults.timeout }
    // The default retry is not applied to methods that are not idempotent (RFC 9110, 9.2.2). Such a load must declare `retry` itself.
    if polling == nil, fields["retry"] == nil, method != .post { request.retry = context.loadDefaults.retry }
    return request
  }

  /// Reports members of a load with `value` that only requests may have.
  func checkValue(_ fields: Fields) {
    for member in ["bearer", "body", "headers", "timeout", "retry", "every", "until", "secret"] where fields[member] != nil {
      report(
        "`\(member)` is allowed only with `get`, `post`, `put` and `delete`; a load with `value` sends no request",
        at: fields.position(of: member))
    }
  }

  /// Reads `secret`: paths of members of the response. Invalid paths are reported and omitted.
  private func secretMembers(_ fields: Fields) -> [String] {
    guard let element = fields["secret"] else { return [] }
    if fields["every"] != nil {
      report("`secret` is not allowed with `every`, because the secrets of two responses cannot be compared", at: element.position)
    }
    let paths = texts(element, "a member in `secret`")
    if paths.isEmpty { report("`secret` needs at least one member of the response, like `code`", at: element.position) }
    return paths.filter { path in
      let isPath = !path.split(separator: ".", omittingEmptySubsequences: false).contains { $0.isEmpty || $0.hasPrefix("$") }
      if !isPath { report("a member in `secret` must be a path like `order.code`, not `\(path)`", at: element.position) }
      return isPath
    }
  }

  /// Reads `loadDefaults: { timeout, retry, headers, unauthorized }`. Stores the defaults in the context, and returns the step for
  /// `unauthorized`; `nil` if this member is missing, or after reporting an error.
  func loadDefaults(_ element: Element?) -> StepTemplate? {
    guard let element, !element.isNull, let fields = fields(of: element, "`loadDefaults`", .loadDefaults) else { return nil }
    let scope = Surroundings("`loadDefaults` cannot read params")
    context.loadDefaults.timeout = timeout(fields, isPolling: false)
    context.loadDefaults.retry = retry(fields["retry"])
    context.loadDefaults.headers = headers.headers(fields["headers"], hasBearer: false, in: scope)
    return fields["unauthorized"].flatMap { steps.step($0, in: scope) }
  }

  private func hasBearer(_ fields: Fields) -> Bool {
    guard let bearer = fields["bearer"] else { return false }
    if bearer.text != FactDefinition.accessToken {
      report("`bearer` must be `accessToken`, not \(described(bearer))", at: bearer.position)
    }
    return true
  }

  private func timeout(_ fields: Fields, isPolling: Bool) -> Int? {
    guard let element = fields["timeout"], let timeout = duration(element, "`timeout`", atLeast: 100) else { return nil }
    if !isPolling, timeout > context.limits.longestLoad {
      reportUnlessStored(
        "`timeout` must be at most \(DurationText.written(context.limits.longestLoad)); for a result that takes longer, add `every`, so that the load polls",
        at: element.position)
    }
    return timeout
  }

  /// Reads `retry`: the number of attempts after the first, or `{ count, backoff }`. Returns `nil` if the member is missing, or after
  /// reporting an error.
  private func retry(_ element: Element?) -> Retry? {
    guard let element else { return nil }
    var retry = Retry(count: 0)
    var count = element
    if element.members != nil {
      guard let fields = fields(of: element, "`retry`", .retry), let given = fields["count"] else { return nil }
      count = given
      retry.backoff = duration(fields["backoff"], "`backoff`", atLeast: 100) ?? retry.backoff
    }
    guard case .scalar(.integer(let number)) = count.content, (1...Retry.limit).contains(number) else {
      report("`retry` must be a number of retries from 1 to \(Retry.limit), not \(described(count))", at: count.position)
      return nil
    }
    retry.count = number
    return retry
  }

  private func polling(_ method: HTTPMethod, _ fields: Fields, in scope: Surroundings) -> Polling? {
    guard let element = fields["every"] else {
      if fields["until"] != nil {
        report("`until` is allowed only with `every`, because it ends the polling", at: fields.position(of: "until"))
      }
      return nil
    }
    if method != .get {
      report(
        "`every` is allowed only with `get`, because requests with other methods must not be repeated", at: fields.position(of: "every"))
    }
    if fields["retry"] != nil {
      report(
        "`retry` is not allowed with `every`, because polling repeats a failed request anyway; remove it", at: fields.position(of: "retry"))
    }
    let every = duration(element, "`every`", atLeast: max(1_000, context.limits.shortestTimer))
    let until = fields["until"].flatMap { conditions.condition($0, in: scope.withResult) }
    if let until, let element = fields["until"] { checkUntil(until, at: element.position) }
    return every.map { Polling(every: $0, until: until) }
  }

  private func checkUntil(_ until: Guard, at position: Position) {
    if let set = names.exceedingSet(until.sets) {
      reportUnlessStored(
        "the uses of sets in `until` exceed \(DeclaredNames.mostSpelled >> 20) MiB in total, here with the set `\(set)`; use smaller sets, or use them "
          + "less often", at: position)
    }
    if !until.isOfResult {
      report("`until` is evaluated for each response, so it can read only `result` and facts", at: position)
    } else if !until.namesResult {
      report("`until` must test `result`", at: position)
    }
  }
}

extension Guard {
  /// The sets of values with which the condition compares, once per use.
  fileprivate var sets: [ValueSet] {
    switch self {
    case .result(_, .among(let set)), .fact(_, .among(let set)): [set]
    case .all(let guards), .any(let guards): guards.flatMap(\.sets)
    case .not(let inner): inner.sets
    default: []
    }
  }

  /// Whether the condition reads only results and facts, so that it can be evaluated for each response.
  fileprivate var isOfResult: Bool {
    switch self {
    case .result, .fact: true
    case .all(let guards), .any(let guards): guards.allSatisfy(\.isOfResult)
    case .not(let inner): inner.isOfResult
    default: false
    }
  }

  fileprivate var namesResult: Bool {
    switch self {
    case .result: true
    case .all(let guards), .any(let guards): guards.contains(where: \.namesResult)
    case .not(let inner): inner.namesResult
    default: false
    }
  }
}
