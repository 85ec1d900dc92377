/// The result of a command, sent to its caller after the commit of the session.
enum Answer {
  case created(Result<Created, StoreFault>, Reply<Created>)
  case posted(Result<Posted, StoreFault>, Reply<Posted>)
  case given(Result<GivenAnswer, StoreFault>, Reply<GivenAnswer>)
  case numbered(Result<NumberedAnswers, StoreFault>, Reply<NumberedAnswers>)
  case forgotten(Result<Int, StoreFault>, Reply<Int>)
  case deleted(Result<Void, StoreFault>, Reply<Void>)

  /// Sends the result, or the fault if the session's part of the commit was not written.
  func give(_ fault: StoreFault?) {
    switch self {
    case .created(let result, let reply): reply(fault.map(Result.failure) ?? result)
    case .posted(let result, let reply): reply(fault.map(Result.failure) ?? result)
    case .given(let result, let reply): reply(fault.map(Result.failure) ?? result)
    case .numbered(let result, let reply): reply(fault.map(Result.failure) ?? result)
    case .forgotten(let result, let reply): reply(fault.map(Result.failure) ?? result)
    case .deleted(let result, let reply): reply(fault.map(Result.failure) ?? result)
    }
  }
}
