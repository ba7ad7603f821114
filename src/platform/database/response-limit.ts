import type { Socket } from "node:net";
import type pg from "pg";
import { readPrivateField } from "#platform/objects";

/**
 * Maximum bytes of one response. The driver turns each value into a string inside a socket listener, where
 * no error can be caught: a value beyond the maximum string length (half a gigabyte) would end the process,
 * and many large values would exhaust its memory.
 */
const MAX_BYTES = 128 * 1_024 * 1_024;

/** Error with which a connection is closed. All callers that wait for a response on it get "unavailable". */
class ResponseTooLarge extends Error {
  override name = "ResponseTooLarge";
  /** PostgreSQL's code of a connection failure. */
  readonly code = "08006";
  constructor(most: number) {
    super(`A response of the database had more than ${most} bytes.`);
  }
}

/**
 * Closes the connection of a client when a response exceeds `most` bytes, before the driver has read all of
 * it. Callers limit the results of large queries themselves. Unsolicited messages such as NOTIFY do not
 * count as a response. Uses the driver's private socket, because the driver has no such limit.
 */
export function limitResponseSize(client: pg.ClientBase, most = MAX_BYTES): void {
  const { stream } = readPrivateField<{ stream: Socket }>(client, "connection");
  let bytes = 0;
  for (const event of ["drain", "notification"] as const) client.on(event, () => (bytes = 0));
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > most) stream.destroy(new ResponseTooLarge(most));
  });
}
