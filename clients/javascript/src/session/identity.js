/** The id and secret of a session. A session that began without the service gets another id and a secret when the service has created it. */
export class Identity {
  #transport;

  constructor(id, transport) {
    this.id = id;
    this.#transport = transport;
  }

  get secret() { return this.#transport.secret; }
  get path() { return `/v1/sessions/${encodeURIComponent(this.id)}`; }

  change(id, secret) {
    this.id = id;
    this.#transport.secret = secret;
  }
}
