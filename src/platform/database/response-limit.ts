/**
 * Bytes that one response may have. The driver turns each value into a string inside a socket listener, where
 * nothing can be caught: a value beyond the maximum string length (half a gigabyte) would end the process,
 * and many large ones would run it out of memory.
 */
const MAX_BYTES = 128 * 1_024 * 1_024;

/**
 * Looks like a broken connection: the caller, and everyone who shares the connection, is answered
 * "unavailable".
 */
class ResponseTooLarge extends Error {
  override name = "AnswerTooLarge";
  constructor(most: number) {
    super(`Connection terminated: a response had more than ${most} bytes`);
  }
}

type PgConnection = {
  attachListeners: (stream: NodeJS.ReadableStream) => void;
  on: (event: "readyForQuery" | "notification", heard: () => void) => void;
};

/**
 * Closes the connection of a client at a response larger than `most` bytes, before the driver has read it.
 * Callers limit large queries themselves. Unsolicited messages such as NOTIFY are not counted as a response.
 */
export function limitResponseSize(client: object, most = MAX_BYTES): void {
  const line = (client as { connection: PgConnection }).connection;
  const attach = line.attachListeners.bind(line);
  let bytes = 0;
  for (const end of ["readyForQuery", "notification"] as const) line.on(end, () => (bytes = 0));
  line.attachListeners = (stream) => {
    stream.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > most)
        (stream as unknown as { destroy: (error: Error) => void }).destroy(new ResponseTooLarge(most));
    });
    attach(stream);
  };
}
