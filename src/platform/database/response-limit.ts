import type { Socket } from "node:net";
import type pg from "pg";

/**
 * Bytes that one response may have. The driver turns each value into a string inside a socket listener, where
 * nothing can be caught: a value beyond the maximum string length (half a gigabyte) would end the process,
 * and many large ones would run it out of memory.
 */
const MAX_BYTES = 128 * 1_024 * 1_024;

/** Breaks the connection: the caller, and everyone who waits for the same one, is answered "unavailable". */
class ResponseTooLarge extends Error {
  override name = "ResponseTooLarge";
  /** PostgreSQL's code of a connection failure. */
  readonly code = "08006";
  constructor(most: number) {
    super(`A response of the database had more than ${most} bytes.`);
  }
}

/**
 * Closes the connection of a connected client at a response larger than `most` bytes, before the driver has
 * all of it. Callers limit large queries themselves. Unsolicited messages such as NOTIFY are not counted as a
 * response. The socket is the one part of the driver's insides that we use: it has no such limit of its own.
 */
export function limitResponseSize(client: pg.ClientBase, most = MAX_BYTES): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  let bytes = 0;
  for (const event of ["drain", "notification"] as const) client.on(event, () => (bytes = 0));
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > most) stream.destroy(new ResponseTooLarge(most));
  });
}
