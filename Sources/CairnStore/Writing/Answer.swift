/// The result of a job, sent to its caller after the commit of the batch.
enum Answer {
  // Posts are frequent, so their results have cases of their own, which need no allocation.
  case posted(Result<Posted, StoreFault>, Reply<Posted>)
  case given(Result<GivenAnswer, StoreFault>, Reply<GivenAnswer>)
  case other((StoreFault?) -> Void)

  /// Sends the result, or the fault if the changes of the session were not written.
  func give(_ fault: StoreFault?) {
    switch self {
    case .posted(let result, let reply): reply(fault.map(Result.failure) ?? result)
    case .given(let result, let reply): reply(fault.map(Result.failure) ?? result)
    case .other(let reply): reply(fault)
    }
  }
}
