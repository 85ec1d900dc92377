/// An answer that waits for the commit of its session.
enum Answer {
  case created(Result<Created, StoreFault>, Reply<Created>)
  case posted(Result<Posted, StoreFault>, Reply<Posted>)
  case given(Result<GivenAnswer, StoreFault>, Reply<GivenAnswer>)
  case deleted(Result<Void, StoreFault>, Reply<Void>)

  /// Gives it; `fault` says why the session's part was not written, if it was not.
  func give(_ fault: StoreFault?) {
    switch self {
    case .created(let result, let reply): reply(fault.map(Result.failure) ?? result)
    case .posted(let result, let reply): reply(fault.map(Result.failure) ?? result)
    case .given(let result, let reply): reply(fault.map(Result.failure) ?? result)
    case .deleted(let result, let reply): reply(fault.map(Result.failure) ?? result)
    }
  }
}
