/// The links before one, by what they take; so that thousands of links are looked through in the time of as many.
struct LinksBefore {
  /// A shape of paths at an origin.
  private struct Place: Hashable {
    let origin: String
    let shape: LinkShape
  }

  private var masks: Set<LinkShape> = []
  private var first: [Place: Int] = [:]

  /// The first link that takes every URL of this shape at an origin.
  func taker(of shape: LinkShape, at origin: String) -> Int? {
    masks.compactMap { mask in shape.masked(by: mask).flatMap { first[Place(origin: origin, shape: $0)] } }.min()
  }

  mutating func add(_ index: Int, _ shape: LinkShape, at origin: String) {
    masks.insert(shape.mask)
    let place = Place(origin: origin, shape: shape)
    if first[place] == nil { first[place] = index }
  }
}
