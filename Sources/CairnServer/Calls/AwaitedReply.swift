import CairnRuntime

/// Converts a function that replies by a callback into a function that blocks and returns the reply.
enum AwaitedReply {
  /// Passes a function to `ask`, and blocks until the function is called on any thread. Returns the argument of the call. Throws `lost` if
  /// the function is released without a call.
  static func value<Value: Sendable, Fault: Error>(
    orElse lost: Fault, _ ask: (@escaping @Sendable (Result<Value, Fault>) -> Void) -> Void
  ) throws(Fault) -> Value {
    let result = Monitor<Result<Value, Fault>?>(nil)
    ask(replying(to: result, orElse: lost))
    // Without a deadline, the wait always returns a result.
    return try (result.wait { $0 } ?? .failure(lost)).get()
  }

  /// Returns the function that receives the reply. Only this function refers to the `Reply` object, so the object is released when the
  /// function is released.
  private static func replying<Value: Sendable, Fault: Error>(
    to result: Monitor<Result<Value, Fault>?>, orElse lost: Fault
  ) -> @Sendable (Result<Value, Fault>) -> Void {
    let reply = Reply(result, orElse: lost)
    return { reply.give($0) }
  }

  private final class Reply<Value: Sendable, Fault: Error>: Sendable {
    private let result: Monitor<Result<Value, Fault>?>
    private let lost: Fault

    init(_ result: Monitor<Result<Value, Fault>?>, orElse lost: Fault) {
      self.result = result
      self.lost = lost
    }

    deinit { give(.failure(lost)) }

    func give(_ new: Result<Value, Fault>) {
      result.change { result in
        if result == nil { result = new }
      }
    }
  }
}
