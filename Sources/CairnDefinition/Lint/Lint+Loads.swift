import CairnCore

extension Lint {
  /// Reports loads that restart themselves without a delay. Each restart adds an entry to the journal.
  func loadsThatRestart() -> [Finding] {
    Restarts(definition).loops.compactMap { loop in
      let sites = operations.filter { $0.flow == loop.flow && $0.step == loop.step }
      func starts(_ site: OperationSite) -> Bool {
        (site.parts.loads + site.parts.makes.compactMap(\.contribution.load)).contains { load in
          load.templates.contains { $0.step == loop.end }
        }
      }
      guard let site = sites.first(where: starts) ?? sites.first(where: { !$0.parts.makes.isEmpty }) else { return nil }
      return Finding(
        position: places.value(of: site),
        message:
          "the load that `\(loop.flow)` starts at `\(loop.step)` restarts itself without a delay, by the step `\(loop.end)`. It therefore counts as a timer "
          + "of \(DurationText.written(Restarts.interval)); add `delay`, or start it elsewhere")
    }
  }

  /// Reports an `unauthorized` step in an app whose loads never send the token.
  func unauthorizedForNothing() -> [Finding] {
    guard definition.unauthorized != nil, !definition.loads.contains(where: { $0.request?.bearer ?? false }) else { return [] }
    return [
      Finding(
        position: places.name("loadDefaults", "unauthorized"),
        message: "`unauthorized` is never sent: no load has `bearer: accessToken`")
    ]
  }
}
