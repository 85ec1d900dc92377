#if !CLIENT_ENGINE
  // Separates the secrets of a response.
  extension Effect {
    /// Returns the action that ends a request with the value of its response. Numbers replace the texts of the secret members. If a secret member cannot be
    /// sealed, for example because it is not a text, the request ends as failed.
    package func completed(with value: Value, for state: State) -> Sealed {
      guard let paths = terms?.secretMembers, !paths.isEmpty else { return Sealed(.effect(id: id, .loaded(value))) }
      var sealing = SecretParams.Sealing(after: state)
      var sealed = value
      do throws(Refusal) {
        for path in paths { try sealing.seal(path.split(separator: ".")[...], of: &sealed, path) }
      } catch {
        return Sealed(.effect(id: id, .failed("malformed: \(error.detail)")))
      }
      return Sealed(.effect(id: id, .loaded(sealed)), secret: sealing.secret)
    }
  }

  extension SecretParams.Sealing {
    /// Seals the text at a path. Does nothing if the value is missing or `null`. Throws if the value at the path is not a text, or if a
    /// value before the end of the path is not an object.
    fileprivate mutating func seal(_ rest: ArraySlice<Substring>, of value: inout Value, _ path: String) throws(Refusal) {
      switch (value, rest.first) {
      case (.null, _), (.sealed, nil): break
      case (.string(let text), nil): value = .sealed(try number(of: text, at: path))
      case (.object(var members), let name?):
        guard var member = members.value(exactly: String(name)) else { break }
        try seal(rest.dropFirst(), of: &member, path)
        members[String(name)] = member
        value = .object(members)
      default: throw Refusal(.valueMismatch, "the secret member \(path) of the response is not a text")
      }
    }
  }
#endif
