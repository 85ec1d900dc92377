import CairnTesting
import Testing

@testable import CairnStore

@Suite struct `Slots of outgoing calls` {
  private func key(_ number: Int) -> EffectKey { EffectKey(session: "s\(number)", effect: 1) }

  private func place(_ app: String = "a", _ host: String = "h", _ session: String = "s") -> CallPlace {
    CallPlace(app: app, host: host, session: session)
  }

  /// Takes every call that may be sent and returns the keys.
  private func drain(_ queue: inout CallQueue) -> [EffectKey] {
    var keys: [EffectKey] = []
    while let key = queue.next() { keys.append(key) }
    return keys
  }

  @Test func `an app whose calls hang leaves as many slots as it takes`() {
    var queue = CallQueue(.init(all: 64))
    for number in 0..<200 { queue.add(key(number), at: place("a", "h\(number % 20)", "s\(number)")) }
    #expect(drain(&queue).count == 32)
    queue.add(key(500), at: place("b"))
    #expect(drain(&queue) == [key(500)])
    // Each further app gets half of the remaining slots.
    for number in 600..<800 { queue.add(key(number), at: place("c", "h\(number % 20)", "s\(number)")) }
    #expect(drain(&queue).count == 16)
    queue.add(key(900), at: place("d"))
    #expect(drain(&queue) == [key(900)])
  }

  @Test func `a host whose calls hang leaves slots for other hosts of the app`() {
    var queue = CallQueue(.init(all: 64))
    for number in 0..<100 { queue.add(key(number), at: place("a", "hole", "s\(number)")) }
    #expect(drain(&queue).count == 16)
    queue.add(key(500), at: place("a", "fine", "other"))
    #expect(drain(&queue) == [key(500)])
  }

  @Test func `hanging loads of one session leave slots for the other sessions`() {
    var queue = CallQueue(.init(all: 256))
    for number in 0..<80 { queue.add(key(number), at: place()) }
    #expect(drain(&queue).count == 16)
    queue.add(key(500), at: place("a", "h", "other"))
    #expect(drain(&queue) == [key(500)])
  }

  @Test func `sessions and apps take turns, in any order of their requests`() {
    var queue = CallQueue(.init(all: 4))
    queue.add(key(0), at: place("a", "h", "greedy"))
    #expect(drain(&queue) == [key(0)])
    for number in 1..<4 { queue.add(key(number), at: place("a", "h", "greedy")) }
    queue.add(key(10), at: place("a", "h", "modest"))
    queue.add(key(20), at: place("b", "h", "other"))
    #expect(drain(&queue) == [key(20)])
    var order: [EffectKey] = []
    var last = key(0)
    for _ in 0..<4 {
      queue.end(last)
      let left = drain(&queue)
      order += left
      last = left.first ?? last
    }
    #expect(order == [key(1), key(10), key(2), key(3)])
  }

  @Test func `a waiting call can be cancelled, and is not sent`() {
    var queue = CallQueue(.init(all: 4))
    for number in 0..<3 { queue.add(key(number), at: place()) }
    #expect(drain(&queue) == [key(0)])
    let known = [queue.end(key(1)), queue.end(key(1)), queue.end(key(0))]
    #expect(known == [true, false, true])
    #expect(drain(&queue) == [key(2)])
    #expect(queue.counts.byApp == ["a": .init(running: 1, waiting: 0)])
  }

  @Test func `with any calls and ends, no bound is exceeded, and no call waits while a slot is free`() {
    var chance = Chance(seed: 24)
    for _ in 0..<40 {
      let limits = CallQueue.Limits(all: Int.random(in: 1...40, using: &chance))
      var queue = CallQueue(limits)
      var places: [EffectKey: CallPlace] = [:]
      var running: Set<EffectKey> = []
      for number in 0..<400 {
        if Bool.random(using: &chance) || places.isEmpty {
          let app = "a\(chance.below(3))"
          let place = place(app, "h\(chance.below(3))", "\(app)-s\(chance.below(4))")
          places[key(number)] = place
          queue.add(key(number), at: place)
        } else if let key = places.keys.sorted(by: { $0.session < $1.session }).randomElement(using: &chance) {
          queue.end(key)
          places[key] = nil
          running.remove(key)
        }
        running.formUnion(drain(&queue))
        func count(_ fits: (CallPlace) -> Bool) -> Int { running.count { places[$0].map(fits) ?? false } }
        #expect(running.count <= limits.all)
        for (key, place) in places {
          let isFull =
            running.count >= limits.all || count { $0.app == place.app } >= max(1, limits.all - running.count)
            || count { $0.upstream == place.upstream } >= limits.upstream || count { $0.session == place.session } >= limits.session
          #expect(running.contains(key) || isFull)
        }
      }
      for key in places.keys { queue.end(key) }
      #expect(queue.counts.byApp.values.allSatisfy { $0 == .init(running: 0, waiting: 0) })
    }
  }
}

@Suite struct `Circuit breaker of a host` {
  @Test func `a host rests after many consecutive failures, and one trial call is sent after each rest`() {
    var breaker = Breaker()
    for _ in 0..<(Breaker.threshold - 1) { breaker.fail(at: 0) }
    #expect(breaker.wait(at: 0) == nil && !breaker.isOpen)
    breaker.fail(at: 100)
    #expect(breaker.wait(at: 100) == 1_000 && breaker.wait(at: 1_099) == 1)
    #expect(breaker.wait(at: 1_100) == nil)
    // The trial call fails or hangs. The next trial is sent after twice the pause.
    #expect(breaker.wait(at: 1_100) == 2_000)
    breaker.fail(at: 1_200)
    #expect(breaker.wait(at: 3_100) == nil)
    var time = 3_100
    for _ in 0..<8 {
      time += breaker.wait(at: time) ?? 0
      #expect(breaker.wait(at: time) == nil)
    }
    #expect(breaker.wait(at: time) == Breaker.longestRest)
  }
}

@Suite struct `The jitter of retries` {
  @Test func `the jitter is a function of the nonce and evenly distributed`() {
    let fractions = (0..<1_000).map { Jitter.fraction(of: "nonce-\($0)") }
    #expect(fractions == (0..<1_000).map { Jitter.fraction(of: "nonce-\($0)") })
    #expect(fractions.allSatisfy { (0..<1).contains($0) })
    for tenth in 0..<10 {
      let count = fractions.count { Int($0 * 10) == tenth }
      #expect((60...140).contains(count), "\(tenth): \(count)")
    }
  }
}
