import { createServer, type Server } from "node:net";

/** Bytes that the test scanner reports as a virus. */
export const VIRUS_BYTES = "EVIL-BYTES";

/**
 * Creates a test scanner that speaks clamd's INSTREAM protocol and reports `VIRUS_BYTES`. It rejects files of
 * more than `most` bytes.
 */
export function createTestScanner(most = 10_000_000): Server {
  const server = createServer((line) => {
    let received: Buffer = Buffer.alloc(0);
    line.on("error", () => {});
    line.on("data", (part: Buffer) => {
      received = Buffer.concat([received, part]);
      const answer = scannerReply(received, most);
      if (answer !== null) line.end(`${answer}\0`);
    });
  });
  return server;
}

function scannerReply(came: Buffer, most: number): string | null {
  const command = "zINSTREAM\0";
  if (came.length < command.length) return null;
  if (came.subarray(0, command.length).toString() !== command) return "UNKNOWN COMMAND";
  const pieces: Buffer[] = [];
  for (let at = command.length; at + 4 <= came.length;) {
    const length = came.readUInt32BE(at);
    if (length === 0)
      return Buffer.concat(pieces).includes(VIRUS_BYTES) ? "stream: Test.Evil-1 FOUND" : "stream: OK";
    pieces.push(came.subarray(at + 4, at + 4 + length));
    at += 4 + length;
    if (pieces.reduce((sum, piece) => sum + piece.length, 0) > most)
      return "INSTREAM size limit exceeded. ERROR";
  }
  return null;
}
