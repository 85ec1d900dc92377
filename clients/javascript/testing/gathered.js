/**
 * Records the texts that reach a page or that it stores or writes: responses, the memory of its engines, stored values, console output, and messages to other
 * pages. The page's requests are not recorded. `search(text)` returns the names of the places that contain a text.
 */
export class Gathered {
  /** Received and written texts, as `[name, text]`. */
  #texts = [];
  #engines = [];
  #disks = [];
  #restore = [];

  constructor() {
    const { instantiate } = WebAssembly;
    const engines = this.#engines;
    WebAssembly.instantiate = async (...given) => {
      const instance = await instantiate(...given);
      engines.push(instance.exports);
      return instance;
    };
    this.#restore.push(() => { WebAssembly.instantiate = instantiate; });
    for (const level of ["debug", "log", "info", "warn", "error"]) {
      const { [level]: write } = console;
      console[level] = (...given) => this.note(`console.${level}`, given);
      this.#restore.push(() => { console[level] = write; });
    }
  }

  /** Undoes the changes to this process. */
  end() {
    for (const restore of this.#restore) restore();
  }

  note(name, value) {
    this.#texts.push([name, typeof value === "string" ? value : JSON.stringify(value, (_, member) => (member instanceof Error ? `${member.message} ${member.stack}` : member))]);
  }

  /** A fetch that records its responses, including streams. */
  fetch = async (url, init) => {
    const response = await fetch(url, init);
    const name = `${init?.method ?? "GET"} ${new URL(url).pathname}`;
    this.note(`the head of ${name}`, [...response.headers]);
    if (!response.body) return response;
    const decoder = new TextDecoder();
    const own = ["", this.#texts.length];
    this.#texts.push([name, ""]);
    const read = new TransformStream({
      transform: (bytes, controller) => {
        own[0] += decoder.decode(bytes, { stream: true });
        this.#texts[own[1]] = [name, own[0]];
        controller.enqueue(bytes);
      },
    });
    const { status, headers } = response;
    return new Response(response.body.pipeThrough(read), { status, headers });
  };

  /** Returns a function that opens channels and records their messages. */
  channels(open) {
    return (name) => {
      const channel = open(name);
      const { postMessage } = channel;
      channel.postMessage = (message) => {
        this.note(`a message on the channel ${name}`, message);
        postMessage.call(channel, message);
      };
      return channel;
    };
  }

  disk(disk) {
    this.#disks.push(disk);
  }

  /** The numbers of recorded engines and of recorded characters of text. */
  get size() {
    return { engines: this.#engines.length, bytes: this.#texts.reduce((sum, [, text]) => sum + text.length, 0) };
  }

  /** Returns whether the memory of an engine contains a text. */
  inEngines(text) {
    return this.#engines.some(({ memory }) => Buffer.from(memory.buffer).includes(text));
  }

  search(text) {
    const found = this.#texts.filter(([, one]) => one.includes(text)).map(([name]) => name);
    if (this.inEngines(text)) found.push("the memory of an engine");
    for (const disk of this.#disks) for (const key of disk.keys()) if (bytesOf(disk.stored(key)).includes(text)) found.push(`the stored ${key}`);
    return found;
  }
}

function bytesOf(value) {
  if (value?.bytes) return Buffer.from(value.bytes);
  return Buffer.from(JSON.stringify(value));
}
