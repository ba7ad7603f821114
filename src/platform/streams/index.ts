import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";

/** Returns the chunks of a stream of bytes, whose library type says nothing about them. */
export const readChunks = (stream: Readable): AsyncIterable<Buffer> => stream;

/** Converts a body of `fetch` to a stream of Node. */
export const toNodeStream = (body: ReadableStream<Uint8Array>): Readable =>
  // eslint-disable-next-line typescript/no-unsafe-type-assertion -- The types of browsers and of Node differ.
  Readable.fromWeb(body as WebStream);

/** Converts a stream of bytes to the body of a `Response`. */
export const toWebStream = (stream: Readable): ReadableStream<Uint8Array> =>
  // eslint-disable-next-line typescript/no-unsafe-type-assertion -- The types of browsers and of Node differ.
  Readable.toWeb(stream) as ReadableStream<Uint8Array>;

/** Returns a stream that a library declares by an older type. */
export const toReadable = (stream: NodeJS.ReadableStream): Readable =>
  stream instanceof Readable ? stream : new Readable().wrap(stream);
