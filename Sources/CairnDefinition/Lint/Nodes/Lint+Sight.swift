import CairnCore

extension Lint {
  /// Handlers that create a page again each time that it is seen: the new page is seen too, so every action that shows it is refused as a loop.
  func pagesMadeAnew() -> [Finding] {
    operationsOfFlow.flatMap(\.self).compactMap { site in
      guard site.branch == 0, definition.flows[site.flow]?.handle[site.step]?.branches.first?.when == nil,
        let screen = site.parts.makes.lazy.map(\.contribution).first(where: { seen(of: $0) == site.step })?.screen
      else { return nil }
      return Finding(
        position: places.value(of: site),
        message: "`\(site.step)` creates the screen `\(screen)` again whenever that is seen, which never ends; add a condition")
    }
  }

  /// The step that a new page sends when it is seen; `nil` if there is none, or if the node is a flow.
  private func seen(of contribution: Contribution) -> String? {
    guard let screen = contribution.screen.flatMap({ definition.screens[$0] }) else { return nil }
    return contribution.steps.withSight(of: screen.steps).seen?.step
  }
}
