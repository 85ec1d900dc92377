import Testing

@testable import CairnCore

@Suite struct `Slab of elements` {
  @Test func `slots are numbered in order, over many pages`() {
    var slab = Slab<String>()
    for number in 0..<100 { #expect(slab.append("\(number)") == Int32(number)) }
    #expect(slab.count == 100)
    for number in 0..<100 { #expect(slab[Int32(number)] == "\(number)") }
  }

  @Test(arguments: [1, 31, 32, 33, 64, 70]) func `two copies that are extended differently are independent`(common: Int) {
    var base = Slab<Int>()
    for number in 0..<common { _ = base.append(number) }
    var (one, other) = (base, base)
    for number in 0..<50 {
      #expect(one.append(1_000 + number) == other.append(2_000 + number))
    }
    for number in 0..<50 {
      #expect(one[Int32(common + number)] == 1_000 + number)
      #expect(other[Int32(common + number)] == 2_000 + number)
    }
    for number in 0..<common { #expect(one[Int32(number)] == number && other[Int32(number)] == number && base[Int32(number)] == number) }
    #expect(base.count == common)
  }

  @Test func `the shared prefix of two versions is known`() {
    var base = Slab<Int>()
    for number in 0..<64 { _ = base.append(number) }
    var (one, other) = (base, base)
    #expect(one.shared(with: other) == 64)
    _ = one.append(64)
    _ = other.append(65)
    #expect(one.shared(with: other) == 64)
    #expect(one.shared(with: Slab()) == 0)
  }

  @Test func `a slab releases its elements`() {
    final class Mark: Sendable {}
    weak var mark: Mark?
    do {
      var slab = Slab<Mark>()
      let made = Mark()
      mark = made
      _ = slab.append(made)
      let other = slab
      _ = slab.append(Mark())
      #expect(other[0] === made)
    }
    #expect(mark == nil)
  }
}
