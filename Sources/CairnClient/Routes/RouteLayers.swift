public import CairnCore

/// A tree in the form of navigation views: the root, the modals over it in the order in which they cover each other, and the overlays.
///
/// The values have the types that SwiftUI's views need: `RouteStack.path` for a `NavigationStack`, `modal(over:_:)` for `sheet` and
/// `fullScreenCover`, `RouteTabs.selected` for a `TabView`. Each value also supplies the action to post when the user has changed the view.
public struct RouteLayers: Hashable, Sendable {
  /// The root, then the modals. Each layer covers the layers before it.
  public let layers: [RouteLayer]

  /// The overlays, the oldest first. They are shown over all layers that are not on a level, and cover none of them.
  public let overlays: [RouteOverlay]

  public init(_ tree: Tree) {
    overlays = (tree.overlays ?? []).map(RouteOverlay.init)
    layers = ([tree] + (tree.levels ?? [])).flatMap(Self.cover).map(RouteLayer.init)
  }

  /// The layer that no modal covers.
  public var front: RouteLayer { layers[layers.count - 1] }

  /// The layer under all modals.
  public var root: RouteLayer { layers[0] }

  /// The modal directly over a layer if it is presented in one of these styles; otherwise `nil`.
  public func modal(over layer: RouteLayer, _ styles: PresentationStyle...) -> RouteLayer? {
    guard let place = layers.firstIndex(where: { $0.id == layer.id }), place + 1 < layers.count else { return nil }
    let modal = layers[place + 1]
    return styles.contains(modal.style) ? modal : nil
  }

  /// A layer, then the newest modal over it, then the newest modal over that modal, and so on. Older modals over the same layer are
  /// omitted.
  private static func cover(_ layer: Tree) -> [Tree] {
    guard let newest = modals(in: layer).max(by: { $0.frontOrder < $1.frontOrder }) else { return [layer] }
    return [layer] + cover(newest)
  }

  private static func modals(in node: Tree) -> [Tree] {
    [node.presented].compactMap(\.self) + (node.children ?? []).flatMap(modals)
  }
}
