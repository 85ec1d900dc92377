/** The members of Node and of ECMAScript 2023 that the JavaScript of this repository uses. TypeScript 4.8 does not declare them without other packages. */
interface Array<T> {
  findLast(isMeant: (element: T, index: number) => boolean): T | undefined;
}

interface ReadonlyArray<T> {
  findLast(isMeant: (element: T, index: number) => boolean): T | undefined;
}

interface WritableSocket {
  readonly writable: boolean;
  write(bytes: Uint8Array): boolean;
  setNoDelay(isWanted: boolean): void;
  on(event: string, then: (value: Uint8Array) => void): WritableSocket;
  destroy(): void;
}

interface ListeningServer {
  listen(port: number, host: string, then: () => void): ListeningServer;
  address(): { port: number };
  close(): void;
}

interface IncomingRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: { readonly [name: string]: string | undefined };
  setEncoding(name: string): void;
  on(event: string, then: (part: string) => void): void;
}

interface OutgoingResponse {
  writeHead(status: number, headers: object): OutgoingResponse;
  end(text?: string): void;
}

declare module "node:crypto" {
  export function randomUUID(): string;
  export function randomBytes(count: number): Uint8Array & { toString(encoding: string): string };
  export function createHash(name: string): { update(text: string): { digest(): Uint8Array } };
  export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean;
}

declare module "node:http" {
  export function createServer(handle: (request: IncomingRequest, response: OutgoingResponse) => void): ListeningServer;
}

declare module "node:net" {
  export function connect(port: number, host: string): WritableSocket;
  export function createServer(handle: (socket: WritableSocket) => void): ListeningServer;
}

declare module "node:path" {
  export function resolve(path: string): string;
}

declare module "node:perf_hooks" {
  export const performance: { now(): number };
}

declare module "node:sqlite" {
  export class DatabaseSync {
    constructor(path: string);
    exec(statements: string): void;
    prepare(statement: string): { run(...values: unknown[]): void };
  }
}

declare module "node:timers/promises" {
  export function setImmediate(): Promise<void>;
}

declare module "node:url" {
  export function fileURLToPath(url: string): string;
}

declare const process: {
  readonly argv: string[];
  readonly stdin: { on(event: string, then: () => void): { resume(): void }; resume(): { once(event: string, then: () => void): void } };
  exit(code?: number): never;
};

declare const Buffer: { byteLength(text: string): number };

interface ImportMeta {
  readonly url: string;
}
