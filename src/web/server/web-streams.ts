import { Readable } from "node:stream";

// The types of streams in browsers and in Node.js differ, although Node.js implements those of browsers.

/** Reads the body of a request as a stream of Node.js. */
export const toNodeStream = (body: ReadableStream): Readable =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  Readable.fromWeb(body as never);

/** Turns a stream of Node.js into the body of a response. */
export const toWebStream = (stream: Readable): ReadableStream<Uint8Array> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  Readable.toWeb(stream) as ReadableStream<Uint8Array>;
