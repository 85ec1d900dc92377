import CairnCore

extension Lint {
  /// Handlers that create a page again each time that it is seen: the new page is seen too, so every action that shows it is refused as a loop.
  func pagesThatCreateThemselves() -> [Finding] {
    operationsOfFlow.flatMap(\.self).compactMap { site in
      guard site.branch == 0, definition.flows[site.flow]?.handle[site.step]?.branches.first?.when == nil,
        let screen = site.parts.makes.lazy.map(\.contribution).first(where: {
          $0.screen != nil && definition.steps(of: $0).seen?.step == site.step
        })?.screen
      else { return nil }
      return Finding(
        position: places.value(of: site),
        message: "`\(site.step)` creates the screen `\(screen)` each time that screen is seen, which never ends; add a condition")
    }
  }
}
