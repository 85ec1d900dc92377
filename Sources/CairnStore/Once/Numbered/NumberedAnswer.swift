package import CairnCore
package import CairnJournal

/// The response to one numbered action.
package struct NumberedAnswer: Sendable {
  package var number: WideInt
  package var content: Content
  /// The stored difference of the entry that the action created in this request, in `StateFormat`; `nil` if it created no entry, or ran in
  /// an earlier request.
  package var difference: [UInt8]?

  package enum Content: Sendable {
    /// The action ran or was refused, in this request or in an earlier one.
    case given(RenderedAnswer, isReplay: Bool)
    /// The number is used up, because this action or a later one of its client has run. Its response is no longer stored.
    case known
    /// The action did not run. It may be posted again under its number.
    case notRun(StoreFault)
  }
}
