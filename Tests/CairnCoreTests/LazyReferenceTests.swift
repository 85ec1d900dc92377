import CairnTesting
import Synchronization
import Testing

@testable import CairnCore

@Suite struct `Lazy references` {
  @Test func `an object is created once, on first use`() {
    let count = Count()
    let owner = Owner()
    #expect(count.created == 0)
    let first = owner.object { Counted(count, 1) }
    #expect(owner.object { Counted(count, 2) } === first)
    #expect(first.number == 1 && count.created == 1)
  }

  @Test func `the object is released with its owner`() {
    let count = Count()
    do {
      let owner = Owner()
      _ = owner.object { Counted(count, 1) }
      #expect(count.alive == 1)
    }
    #expect(count.alive == 0)
    do { _ = Owner() }
    #expect(count.created == 1)
  }

  @Test func `an object stays alive after its owner while it is referenced`() {
    let count = Count()
    let object = Owner().object { Counted(count, 1) }
    #expect(object.number == 1 && count.alive == 1)
  }

  @Test func `threads that use the reference simultaneously get the same object, completely initialised`() async throws {
    for _ in 0..<500 {
      let count = Count()
      await askAtOnce(count)
      // A task that has ended may hold its captures for a moment longer.
      try await waitInTask(for: "the object to go with its owner") { count.alive == 0 }
    }
  }

  private func askAtOnce(_ count: Count) async {
    let owner = Owner()
    await withTaskGroup(of: Counted.self) { group in
      for number in 0..<4 { group.addTask { owner.object { Counted(count, number) } } }
      let object = owner.object { Counted(count, 4) }
      #expect(object.text == "object \(object.number)")
      for await other in group { #expect(other === object) }
    }
    #expect(count.alive == 1, "an object that came too late is released")
  }
}

/// The owner of the lazily created object.
private final class Owner: Sendable {
  private let reference = LazyReference<Counted>()

  func object(orCreate create: () -> Counted) -> Counted { reference.with(orCreate: create) { $0 } }
}

/// Counts the created objects and the living objects.
private final class Count: Sendable {
  private let initialArrivals = Atomic<Int>(0)
  private let deaths = Atomic<Int>(0)

  var created: Int { initialArrivals.load(ordering: .sequentiallyConsistent) }
  var alive: Int { created - deaths.load(ordering: .sequentiallyConsistent) }

  func add() { initialArrivals.add(1, ordering: .sequentiallyConsistent) }
  func remove() { deaths.add(1, ordering: .sequentiallyConsistent) }
}

/// An object that registers itself in a `Count`.
private final class Counted: Sendable {
  let number: Int
  let text: String
  private let count: Count

  init(_ count: Count, _ number: Int) {
    self.number = number
    text = "object \(number)"
    self.count = count
    count.add()
  }

  deinit { count.remove() }
}
