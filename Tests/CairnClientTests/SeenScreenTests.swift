import CairnCore
import Testing

@testable import CairnClient

@Suite struct `Screen to which a step is bound` {
  private let seen = SeenScreen()

  private func tree(_ id: Int, _ kind: Node.Kind, _ children: [Tree] = []) -> Tree {
    var tree = Tree(id: NodeID(WideInt(id)), kind: kind, name: "t\(id)")
    if !children.isEmpty { tree.children = children }
    return tree
  }

  private func route(_ id: Int) -> RouteEntry { RouteEntry(id: NodeID(WideInt(id)), screen: "s") }

  @Test func `the response with the newest revision counts, in any order of arrival`() {
    let stack = tree(1, .stack, [tree(2, .screen), tree(3, .screen)])
    #expect(seen.node == nil)
    seen.note(5, route(3), stack)
    #expect(seen.node == NodeID(3))
    seen.note(4, route(2), stack)
    #expect(seen.node == NodeID(3), "an older answer came later")
    seen.note(5, route(2), stack)
    #expect(seen.node == NodeID(2), "two answers of one revision")
    seen.note(6, nil, stack)
    #expect(seen.node == nil, "nothing is visible")
  }

  @Test func `a response without a tree changes nothing`() {
    seen.note(5, route(3), tree(3, .screen))
    seen.note(6, nil, nil)
    #expect(seen.node == NodeID(3))
  }

  @Test func `a step is bound to a modal over a split, but not to one of two panes`() {
    var split = tree(1, .split, [tree(2, .stack, [tree(3, .screen)]), tree(4, .screen)])
    seen.note(1, route(3), split)
    #expect(seen.node == nil)
    split.presented = tree(5, .screen)
    seen.note(2, route(5), split)
    #expect(seen.node == NodeID(5))
    split.presented = nil
    split.levels = [tree(6, .stack, [tree(7, .screen)])]
    seen.note(3, route(7), split)
    #expect(seen.node == NodeID(7))
    split.kind = .stack
    split.isCollapsed = true
    seen.note(4, route(3), split)
    #expect(seen.node == NodeID(3), "a collapsed split shows one screen")
  }

  @Test func `a split inside another container has two visible panes too`() {
    seen.note(1, route(3), tree(9, .stack, [tree(1, .split, [tree(3, .screen), tree(4, .screen)])]))
    #expect(seen.node == nil)
  }

  @Test func `a step is not bound to a screen that is not in the tree`() {
    seen.note(1, route(8), tree(1, .stack, [tree(2, .screen)]))
    #expect(seen.node == nil)
  }

  @Test func `a change without navigation keeps the screen, and any other makes it unknown`() {
    seen.note(5, route(3), tree(3, .screen))
    seen.note(6, [.update(node: NodeID(3), Change.Update(ended: true))])
    #expect(seen.node == NodeID(3))
    seen.note(6, [.dismiss(node: NodeID(3))])
    #expect(seen.node == NodeID(3), "that revision is known already")
    seen.note(7, [.update(node: NodeID(3), Change.Update(ended: true)), .dismiss(node: NodeID(3))])
    #expect(seen.node == nil)
    seen.note(6, route(3), tree(3, .screen))
    #expect(seen.node == nil, "an older answer came later")
  }
}
