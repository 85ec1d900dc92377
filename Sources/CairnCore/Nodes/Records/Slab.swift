import Synchronization

/// An append-only array in pages that its versions share. A version writes a new element into the shared page. It copies the page only if
/// another version has already used the slot. Unused elements are kept until the table is packed.
struct Slab<Element: Sendable>: Sendable {
  private var pages: [Page<Element>] = []
  private(set) var count = 0

  subscript(_ slot: Int32) -> Element { pages[Int(slot) / Page<Element>.size][Int(slot) % Page<Element>.size] }

  /// An element that is an object, without retaining it. Valid as long as this version exists.
  func unretained(_ slot: Int32) -> Unmanaged<Element> where Element: AnyObject {
    pages[Int(slot) / Page<Element>.size].unretained(Int(slot) % Page<Element>.size)
  }

  /// The number of leading slots that are identical in another version.
  func shared(with other: Slab) -> Int {
    // Versions usually differ only at their ends, so the search for the last common page starts there.
    var same = min(pages.count, other.pages.count)
    while same > 0, pages[same - 1] !== other.pages[same - 1] { same -= 1 }
    return same * Page<Element>.size
  }

  /// Appends an element and returns its slot.
  mutating func append(_ element: Element) -> Int32 {
    let place = count % Page<Element>.size
    if place == 0 { pages.append(Page()) }
    if !pages[pages.count - 1].put(element, at: place) {
      // Another version has appended after the same elements, so this version copies the page.
      let page = Page(copying: pages[pages.count - 1], count: place)
      _ = page.put(element, at: place)
      pages[pages.count - 1] = page
    }
    count += 1
    return Int32(count - 1)
  }
}

/// A page of slots. Each slot is written once, by the version that claims it first.
///
/// `Sendable` is unchecked: a slot is written before any version that contains it is passed on, and never again. Claiming a slot is atomic.
private final class Page<Element: Sendable>: @unchecked Sendable {
  static var size: Int { 32 }

  private let claimed = Atomic<Int>(0)
  private let elements: UnsafeMutablePointer<Element>

  init() { elements = .allocate(capacity: Self.size) }

  /// A page with the first `count` elements of another one.
  convenience init(copying other: Page, count: Int) {
    self.init()
    elements.initialize(from: other.elements, count: count)
    claimed.store(count, ordering: .relaxed)
  }

  deinit {
    // Slots are claimed in order, so those below the count are initialized.
    elements.deinitialize(count: claimed.load(ordering: .acquiring))
    elements.deallocate()
  }

  subscript(_ place: Int) -> Element { elements[place] }

  /// The reference without retaining it.
  func unretained(_ place: Int) -> Unmanaged<Element> where Element: AnyObject {
    UnsafeRawPointer(elements + place).load(as: Unmanaged<Element>.self)
  }

  /// Writes the next slot. Returns false if another version has claimed it.
  func put(_ element: Element, at place: Int) -> Bool {
    guard claimed.compareExchange(expected: place, desired: place + 1, ordering: .acquiringAndReleasing).exchanged else { return false }
    (elements + place).initialize(to: element)
    return true
  }
}
