/// The reason why an operation changed nothing, as sent to clients. An operation returns it, or `nil` if it changed something; the caller decides whether to
/// report the reason.
enum NoChange: String {
  case alreadyLoading = "already-loading"
  case alreadyOnTop = "already-on-top"
  case alreadySelected = "already-selected"
  /// A message with this key has not ended, and the call or the action `retry` changes nothing about it.
  case alreadySent = "already-sent"
  case alreadyThere = "already-there"
  case atRoot = "at-root"
  /// The page that a link has opened lies under a level, or under a modal that refuses to be removed.
  case covered
  case dismissed
  case forgotten
  /// The message has ended, and no result of it is stored.
  case messageKnown = "message-known"
  case noBranch = "no-branch"
  case noLink = "no-link"
  case noParent = "no-parent"
  /// The timer is not due by the client's time.
  case notDue = "not-due"
  case notHandled = "not-handled"
  case notLoaded = "not-loaded"
  case notTaken = "not-taken"
  case nothingAsked = "nothing-asked"
  case nothingPresented = "nothing-presented"
  case received
  /// The condition of a tab is false, so its selection waits.
  case requires
  case sameResult = "same-result"
  case suppressed
  /// The timer has ended or waits, or the tick has run.
  case timerGone = "timer-gone"
  case valueTooLarge = "value-too-large"
  /// No specific reason is known.
  case unexplained = "no-change"
}
