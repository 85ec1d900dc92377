extension Definition {
  /// Every load that it may start.
  package var loads: [Load] {
    let parts = flows.values.flatMap(\.handle.values).flatMap(\.branches).flatMap(\.operations).map(\.parts)
    let made = [root] + flows.values.flatMap(\.arrivals).map(\.contribution) + parts.flatMap(\.makes).map(\.contribution)
    return made.compactMap(\.load) + parts.flatMap(\.loads)
  }
}
