/**
 * Bytes that one answer may have. The driver makes a text of each value as it comes, in the ear of its line, where nothing can be caught: one that is
 * longer than a text can be (half a gigabyte) would end the process, and many that are large would end it for want of memory.
 */
const MOST = 128 * 1_024 * 1_024;

/** Said in the words of a line that broke: whoever asked is told that this cannot be answered now, and so is who shared the line. */
class AnswerTooLarge extends Error {
  override name = "AnswerTooLarge";
  constructor(most: number) {
    super(`Connection terminated: an answer had more than ${most} bytes`);
  }
}

type Line = {
  attachListeners: (stream: NodeJS.ReadableStream) => void;
  on: (event: "readyForQuery" | "notification", heard: () => void) => void;
};

/**
 * Ends the line of a client at an answer beyond all bounds (`most` bytes), before the driver has read it. Whoever asks for much bounds it by
 * themselves. What a line is told without asking comes between answers, and is none, however long the line listens.
 */
export function boundAnswers(client: object, most = MOST): void {
  const line = (client as { connection: Line }).connection;
  const attach = line.attachListeners.bind(line);
  let bytes = 0;
  for (const end of ["readyForQuery", "notification"] as const) line.on(end, () => (bytes = 0));
  line.attachListeners = (stream) => {
    stream.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > most) (stream as unknown as { destroy: (error: Error) => void }).destroy(new AnswerTooLarge(most));
    });
    attach(stream);
  };
}
