import Synchronization

/// A list that only grows, in pages that its versions share: a version that continues writes behind the elements that the others see, and
/// copies nothing. Unused elements stay until the table that they belong to is packed.
struct Slab<Element: Sendable>: Sendable {
  private var pages: [Page<Element>] = []
  private(set) var count = 0

  subscript(_ slot: Int32) -> Element { pages[Int(slot) / Page<Element>.size][Int(slot) % Page<Element>.size] }

  /// An element that is an object, without a reference of its own: valid as long as this version.
  func unretained(_ slot: Int32) -> Unmanaged<Element> where Element: AnyObject {
    pages[Int(slot) / Page<Element>.size].unretained(Int(slot) % Page<Element>.size)
  }

  /// How many slots, from the first, are one and the same in another version.
  func shared(with other: Slab) -> Int {
    // Versions part at their ends, so the last page that is the same is looked for from there.
    var same = min(pages.count, other.pages.count)
    while same > 0, pages[same - 1] !== other.pages[same - 1] { same -= 1 }
    return same * Page<Element>.size
  }

  /// Puts an element at the end and gives its slot.
  mutating func append(_ element: Element) -> Int32 {
    let place = count % Page<Element>.size
    if place == 0 { pages.append(Page()) }
    if !pages[pages.count - 1].put(element, at: place) {
      // Another version went on from here already: this one gets a page of its own.
      let page = Page(copying: pages[pages.count - 1], count: place)
      _ = page.put(element, at: place)
      pages[pages.count - 1] = page
    }
    count += 1
    return Int32(count - 1)
  }
}

/// The slots of one page; each is written once, by the version that claims it first.
///
/// Unchecked: a place is written before any version that shows it is handed on, and never again; claiming one is atomic.
private final class Page<Element: Sendable>: @unchecked Sendable {
  static var size: Int { 32 }

  private let claimed = Atomic<Int>(0)
  private let elements: UnsafeMutablePointer<Element>

  init() { elements = .allocate(capacity: Self.size) }

  /// A page that begins like another one.
  convenience init(copying other: Page, count: Int) {
    self.init()
    elements.initialize(from: other.elements, count: count)
    claimed.store(count, ordering: .relaxed)
  }

  deinit {
    // Places are claimed in order, so those below the count are initialised.
    elements.deinitialize(count: claimed.load(ordering: .acquiring))
    elements.deallocate()
  }

  subscript(_ place: Int) -> Element { elements[place] }

  /// The bits of a reference, which are not counted by being copied.
  func unretained(_ place: Int) -> Unmanaged<Element> where Element: AnyObject {
    UnsafeRawPointer(elements + place).load(as: Unmanaged<Element>.self)
  }

  /// Writes the next place; false: it is taken.
  func put(_ element: Element, at place: Int) -> Bool {
    guard claimed.compareExchange(expected: place, desired: place + 1, ordering: .acquiringAndReleasing).exchanged else { return false }
    (elements + place).initialize(to: element)
    return true
  }
}
