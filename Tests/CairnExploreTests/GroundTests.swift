import Testing

@testable import CairnExplore

@Suite struct `Storage of explored states` {
  private func fingerprint(_ number: UInt64) -> StateFingerprint { StateFingerprint(high: 0, low: number) }

  /// A storage with `count` states, each of which was found from the previous one.
  private func ground(_ count: Int, claims: Int = 0) -> Ground {
    var ground = Ground(claims: claims)
    for number in 0..<count {
      _ = ground.add(
        fingerprint(UInt64(number)), .init(state: UInt32(max(0, number - 1)), move: 0, depth: UInt16(number)), isStart: number == 0)
    }
    return ground
  }

  @Test func `a known state keeps its number and its origin`() {
    var ground = ground(2)
    let again = ground.add(fingerprint(1), .init(state: 0, move: 9, depth: 9))
    #expect(again.number == 1 && !again.isNew && ground.count == 2)
    #expect(ground.origins[1].depth == 1 && ground.origins[1].move == 0)
    #expect(ground.number(of: fingerprint(1)) == 1 && ground.number(of: fingerprint(7)) == nil)
    #expect(ground.traits[0] == .isStart && ground.traits[1] == [])
  }

  @Test func `marks are added to the existing ones`() {
    var ground = ground(1)
    ground.mark(0, .isExpanded)
    ground.mark(0, .isAlive)
    #expect(ground.traits[0] == [.isStart, .isExpanded, .isAlive])
  }

  @Test func `an edge keeps its state and its cause`() {
    for maker in [Move.Maker.user, .nature, .login, .outside, .device] {
      for state in [0, 1, 7, UInt32(Ground.most)] {
        let arrow = Ground.Arrow(to: state, by: maker)
        #expect(arrow.state == Int(state) && arrow.maker == maker)
      }
    }
  }

  @Test func `a state without moves has no edges`() {
    var ground = ground(4)
    ground.append([.init(to: 1, by: .user)], of: 0)
    ground.append([.init(to: 0, by: .user), .init(to: 3, by: .nature)], of: 2)
    #expect((0..<4).map { ground.arrows(of: $0).map(\.state) } == [[1], [], [0, 3], []])
  }

  @Test func `backward reachability follows only edges of the given causes`() {
    var ground = ground(5)
    ground.append([.init(to: 1, by: .user)], of: 0)
    ground.append([.init(to: 2, by: .nature)], of: 1)
    ground.append([.init(to: 0, by: .outside)], of: 2)
    ground.append([.init(to: 3, by: .user)], of: 3)
    let goals = [false, false, true, false, false]
    #expect(ground.backwards(from: goals) { _ in true } == [true, true, true, false, false])
    #expect(ground.backwards(from: goals) { $0 == .user } == [false, false, true, false, false])
    #expect(ground.backwards(from: goals) { $0 != .outside } == [true, true, true, false, false])
    #expect(ground.backwards(from: [false, false, false, false, true]) { _ in true } == [false, false, false, false, true])
  }

  @Test func `each claim has its own two bits per state`() {
    var ground = ground(2, claims: 70)
    #expect(Claims.words(of: 0) == 0 && Claims.words(of: 32) == 1 && Claims.words(of: 33) == 2 && Claims.words(of: 70) == 3)
    for number in [0, 31, 32, 69] {
      var words = [UInt64](repeating: 0, count: 3)
      words[Claims.word(of: number)] = Claims.begins(number)
      ground.mark(1, [], claims: words)
      words[Claims.word(of: number)] = Claims.ends(number)
      if number % 2 == 0 { ground.mark(0, [], claims: words) }
    }
    for number in 0..<70 {
      #expect(ground.claim(number, in: 1).begins == [0, 31, 32, 69].contains(number) && !ground.claim(number, in: 1).ends)
      #expect(ground.claim(number, in: 0).ends == [0, 32].contains(number) && !ground.claim(number, in: 0).begins)
    }
  }
}

@Suite struct `Parts that an exploration reached` {
  @Test func `for each part the state nearest to the start is kept`() {
    var one = Reached()
    one.screens = ["home": Location(state: 1)]
    var two = Reached()
    two.screens = ["home": Location(state: 5), "page": Location(state: 6)]
    two.judged = [3]
    one.add(two)
    #expect(one.screens["home"]?.state == 1 && one.screens["page"]?.state == 6 && one.judged == [3])
  }

  @Test func `two results are equal if they reached the same parts, in whatever state`() {
    var one = Reached()
    one.screens = ["home": Location(state: 1)]
    var two = Reached()
    two.screens = ["home": Location(state: 5)]
    #expect(one.isSame(as: two))
    two.branches = [0: Location(state: 1)]
    #expect(!one.isSame(as: two))
    (two.branches, two.resumed) = ([:], [0: Location(state: 1)])
    #expect(!one.isSame(as: two))
  }
}

@Suite struct `Parts of content that conditions read` {
  @Test func `a path is read up to a member that a param names`() {
    var part = Relevance.Part()
    #expect(part.isEmpty)
    part.read(["rows", "$id", "title"])
    #expect(!part.isWhole && part.members["rows"]?.isWhole == true && part.members["rows"]?.members.isEmpty == true)
    part.read(["name"], isAddedTo: true)
    #expect(part.members["name"]?.isAddedTo == true && part.members["name"]?.isWhole == false)
    part.read([])
    #expect(part.isWhole)
  }
}
