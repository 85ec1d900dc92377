package import CairnCore
package import CairnJournal

/// The response to one numbered action.
package struct NumberedAnswer: Sendable {
  package var number: WideInt
  package var content: Content
  /// The stored difference of the entry that the action has made now, in `StateFormat`; `nil` if it made none, or made it earlier.
  package var difference: [UInt8]?

  package enum Content: Sendable {
    /// The action has run or was refused, now or when it was posted first.
    case given(RenderedAnswer, isReplay: Bool)
    /// The number is used up: the action, or one with a higher number, has run. Its response is not stored any more.
    case known
    /// The action did not run, and may be posted again under its number.
    case notRun(StoreFault)
  }
}
