import CairnCore
import Testing

/// The parts of operations that lint and the graph read.
@Suite struct `Parts of operations` {
  private static let page = Contribution(
    .screen("page"), with: ["id": .reference(.param("id"))], load: Load(.value(.reference(.fact("a"))), then: StepTemplate("came")),
    after: [Timer(delay: 1, step: StepTemplate("late"))], steps: NodeSteps(removed: StepTemplate("gone")), content: .reference(.fact("b")))
  private static let child = Contribution(.flow("child"), start: [StepTemplate("begin")])

  @Test func `an operation lists the places of its nodes`() {
    let rows: [(Operation, [Arrival.Way])] = [
      (.push(Self.page), [.pushed]), (.replace(Self.page), [.replacing]), (.set([Self.page, Self.child]), [.stacked, .stacked]),
      (.present(Self.page, style: .alert, on: .screen, replace: false), [.presented(.alert, on: .screen)]),
      (.tabs([Self.child]), [.tab]), (.split(master: [Self.page], detail: Self.page), [.master, .detail]), (.detail(Self.page), [.detail]),
      (.show(flow: "child", screen: nil), [.child]), (.show(flow: "child", screen: Self.page), [.child, .onChild(flow: "child")]),
      (.pop(count: 1), []), (.none, []),
    ]
    for (operation, ways) in rows { #expect(operation.parts.makes.map(\.way) == ways) }
    let born =
      FlowDefinition(container: .oneOf, initialChildren: .root(Self.child)).arrivals
      + FlowDefinition(container: .stack, initialChildren: .root(Self.page)).arrivals
    #expect(born.map(\.way) == [.child, .pushed])
    #expect(FlowDefinition(container: .tabs, initialChildren: .tabs([Self.child, Self.child])).arrivals.map(\.way) == [.tab, .tab])
  }

  @Test func `an operation lists every step that it may send, including those of its nodes, loads and timers`() {
    func steps(_ operation: Operation) -> [String] { operation.parts.templates.map(\.step) }
    #expect(steps(.push(Self.page)) == ["late", "gone", "came"])
    #expect(steps(.show(flow: "child", screen: Self.page)) == ["late", "gone", "came"])
    #expect(steps(.tabs([Self.child])) == ["begin"])
    #expect(steps(.end(StepTemplate("over"))) == ["over"] && steps(.forward(StepTemplate("on", to: .current))) == ["on"])
    #expect(Operation.end(StepTemplate("over")).parts.sends.map(\.to) == [.parent])
    #expect(steps(.load(Load(.value(.literal(1)), then: StepTemplate("a"), otherwise: StepTemplate("b")), on: .flow)) == ["a", "b"])
    let submission = Submission(
      LoadRequest(.post, .literal("u")), key: .reference(.param("k")), then: StepTemplate("a"), otherwise: StepTemplate("b"))
    #expect(steps(.submit(submission)) == ["a", "b"])
    #expect(Operation.submit(submission).parts.expressions.flatMap(\.references) == [.param("k")])
    #expect(steps(.after(Timer(delay: 1, step: StepTemplate("late")), on: .screen)) == ["late"])
  }

  @Test func `an operation lists the values that it reads and the facts that it writes`() {
    func references(_ operation: Operation) -> [Reference] { operation.parts.expressions.flatMap(\.references) }
    #expect(references(.push(Self.page)) == [.param("id"), .fact("b"), .fact("a")])
    #expect(references(.select(.index(.reference(.param("tab"))))) == [.param("tab")])
    #expect(
      references(
        .content([ContentEdit(path: [.literal("rows"), .reference(.param("row"))], change: .add(.reference(.fact("step"))))], of: nil))
        == [.param("row"), .fact("step")])
    let write = Operation.write(["b": .reference(.fact("a")), "a": .literal(1)])
    #expect(write.parts.writes == ["a", "b"] && references(write) == [.fact("a")])
    #expect(Operation.clear(["x"]).parts.writes == ["x"])
  }

  @Test func `an operation lists the nodes that it requires and those that it may remove`() {
    let page = Place.screen("page", with: ["id": .reference(.param("id"))])
    let reads = [Expression.reference(.param("id"))]
    #expect(Operation.reveal(page).parts == OperationParts(reads: reads, goals: [.front(page)], removals: [.covers]))
    #expect(Operation.bring(page).parts == OperationParts(reads: reads, goals: [.raised(page)]))
    #expect(Operation.popTo(page).parts == OperationParts(reads: reads, goals: [.back(page)], removals: [.nodes]))
    #expect(Operation.remove(page, all: true).parts == OperationParts(reads: reads, goals: [.removed(page)], removals: [.nodes]))
    #expect(Operation.remove(page).parts.removals == [.nodes, .modal])
    #expect(Operation.select(.flow(.flow("child"))).parts == OperationParts(goals: [.tab(.flow("child"))]))
    #expect(Operation.dismiss(nil).parts.removals == [.modal])
    #expect(Operation.end(StepTemplate("over")).parts.removals == [.flow])
    #expect(Operation.present(Self.page, style: .sheet, on: .flow, replace: true).parts.removals == [.covers])
    #expect(Operation.push(Self.page).parts.removals == [] && Operation.none.parts == OperationParts())
    #expect(Operation.forget.parts == OperationParts() && Operation.proceed.parts == OperationParts())
  }
}
