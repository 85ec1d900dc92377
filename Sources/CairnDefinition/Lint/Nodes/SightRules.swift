import CairnCore

/// The rules about pages that the user should see: a page must not open another page each time it is seen, and no modal may cover the page
/// that a link opens.
struct SightRules: LintTopic {
  let lint: Lint

  var findings: [Lint.Finding] { pagesThatCreateThemselves() + pagesThatReturn() + pagesUnderModals() }

  /// Reports handlers that create a page again each time that this page is seen. The new page is seen too, so every action that shows the
  /// page is refused as a loop.
  private func pagesThatCreateThemselves() -> [Lint.Finding] {
    operationsOfFlow.flatMap(\.self).compactMap { site in
      guard site.branch == 0, definition.flows[site.flow]?.handle[site.step]?.branches.first?.when == nil,
        let screen = site.parts.makes.lazy.map(\.contribution).first(where: {
          $0.screen != nil && definition.steps(of: $0).seen?.step == site.step
        })?.screen
      else { return nil }
      return Lint.Finding(
        position: places.value(of: site),
        message: "`\(site.step)` creates the screen `\(screen)` each time that screen is seen, which never ends; add a condition")
    }
  }

  /// Reports handlers that open a page each time that another page is seen. As soon as the user closes the opened page, the other page is
  /// seen again.
  private func pagesThatReturn() -> [Lint.Finding] {
    let seen = Set(makings.compactMap { definition.steps(of: $0.contribution).seen?.step })
    return operationsOfFlow.flatMap(\.self).compactMap { site -> Lint.Finding? in
      guard seen.contains(site.step), site.branch == 0, definition.flows[site.flow]?.handle[site.step]?.branches.first?.when == nil,
        let made = site.parts.makes.first(where: { $0.way.covers }),
        // A page that creates itself is already reported.
        made.contribution.screen == nil || definition.steps(of: made.contribution).seen?.step != site.step
      else { return nil }
      return Lint.Finding(
        position: places.value(of: site),
        message:
          "`\(site.step)` opens `\(Self.named(made))` whenever a page is seen, also when it has just been closed; add a condition, such as "
          + "one on `$seen.first`")
    }
  }

  private static func named(_ arrival: Arrival) -> String { arrival.contribution.target.name }

  /// Reports handlers of links and notifications that present a modal and then open a page below the modal, where the user does not see the
  /// page.
  private func pagesUnderModals() -> [Lint.Finding] {
    let taken = definition.notifications.take.compactMap { if case .step(let template) = $0.routing { template.step } else { nil } }
    let arriving = Set(definition.links.flatMap { $0.steps.map(\.step) } + taken + [definition.unmatched?.step].compactMap(\.self))
    let branches = Dictionary(grouping: operationsOfFlow.flatMap(\.self).filter { arriving.contains($0.step) }) {
      "\($0.flow) \($0.step) \($0.branch)"
    }
    return branches.sortedByKey.compactMap { _, sites in
      let sites = sites.sorted { $0.index < $1.index }
      guard let cover = sites.firstIndex(where: { $0.parts.makes.contains { $0.way.isCover } }),
        let page = sites[(cover + 1)...].first(where: { $0.parts.page != nil }), let opened = page.parts.page,
        let modal = sites[cover].parts.makes.first(where: { $0.way.isCover }).map(Self.named)
      else { return nil }
      return Lint.Finding(
        position: places.value(of: page),
        message:
          "`\(page.step)` opens `\(opened)` under `\(modal)`, which it has just presented, so the link's page is not seen; present `\(modal)` last"
      )
    }
  }
}

extension Arrival.Way {
  /// Whether the node is a modal that hides the page below it. An alert does not hide the page.
  fileprivate var isCover: Bool {
    switch self {
    case .presented(let style, _), .raised(let style, _): style != .alert
    default: false
    }
  }

  /// Whether the node hides another page, which is seen again when the node is removed.
  fileprivate var covers: Bool { isCover || self == .pushed }
}

extension OperationParts {
  /// The page that the operation creates in a container or brings to the front; `nil` if the operation does neither.
  fileprivate var page: String? {
    if let made = makes.last(where: { !$0.way.isModal && !$0.way.isOverlay }) { return made.contribution.target.name }
    return goals.lazy.compactMap { goal in
      switch goal {
      case .front(let place), .back(let place), .raised(let place), .tab(let place): place.name
      case .removed, .closed: nil
      }
    }.first
  }
}
