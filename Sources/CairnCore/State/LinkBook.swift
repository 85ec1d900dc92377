/// The links that are held until their guard lets them pass.
struct LinkBook: Hashable, Sendable {
  /// In the order of their coming.
  private(set) var held: [PendingLink]
  /// The number of the next one; never reused.
  private(set) var next: WideInt

  init(held: [PendingLink] = [], next: WideInt = 1) {
    self.held = held
    self.next = next
  }

  /// Whether a link was given this number.
  func wasIssued(_ id: LinkID) -> Bool { (1..<next).contains(id.number) }

  /// Holds a URL until a time, milliseconds since 1970.
  mutating func hold(_ url: String, until time: WideInt) -> LinkID {
    let link = PendingLink(id: LinkID(next), url: url, until: time)
    held.append(link)
    next += 1
    return link.id
  }

  /// Lets one go, and gives it; nil: it is not held.
  mutating func release(_ id: LinkID) -> PendingLink? {
    held.firstIndex { $0.id == id }.map { held.remove(at: $0) }
  }
}
