/// The links that precede a link, indexed by shape. A lookup takes time proportional to the number of masks (`LinkShape.mask`), not of links.
struct LinksBefore {
  /// A shape of a path, together with an origin.
  private struct Place: Hashable {
    let origin: String
    let shape: LinkShape
  }

  private var masks: Set<LinkShape> = []
  private var first: [Place: Int] = [:]

  /// The index of the first link that accepts every URL of this shape at an origin; `nil` if no link accepts all of them.
  func taker(of shape: LinkShape, at origin: String) -> Int? {
    masks.compactMap { mask in shape.masked(by: mask).flatMap { first[Place(origin: origin, shape: $0)] } }.min()
  }

  mutating func add(_ index: Int, _ shape: LinkShape, at origin: String) {
    masks.insert(shape.mask)
    let place = Place(origin: origin, shape: shape)
    if first[place] == nil { first[place] = index }
  }
}
