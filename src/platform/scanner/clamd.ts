import { connect, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

/** The scanner is unreachable or does not answer: the file has no verdict. */
export class ScannerUnavailable extends Error {
  override name = "ScannerAway";
}

/** The file exceeds the scanner's limit, so a retry does not help. */
export class TooLargeToScan extends Error {
  override name = "BeyondScanner";
}

/** Name of the virus that was found; null for none. */
export type ScanResult = { found: string | null };
export type Scanner = {
  /**
   * Scans all bytes of a file.
   * @throws `ScannerUnavailable` without a verdict, `TooLargeToScan` above the limit
   */
  scan: (from: Readable) => Promise<ScanResult>;
};

/** Milliseconds without progress on the connection. */
const SCAN_TIMEOUT = 30_000;
const MAX_REPLY = 4_096;

/**
 * Creates a client for clamd's INSTREAM command at `tcp://host:port` or `unix:/path`. The file is streamed and
 * not stored elsewhere. clamd's StreamMaxLength is the size limit.
 */
export function createScanner(address: string, timeout = SCAN_TIMEOUT): Scanner {
  return {
    async scan(from) {
      const line = connectScanner(address);
      line.setTimeout(timeout, () => line.destroy(new Error("The scanner took too long.")));
      const answer = readReply(line);
      // The first failure is reported; this rejection must not end the process.
      answer.catch(() => {});
      try {
        line.write("zINSTREAM\0");
        await pipeline(from, addChunkLengths(), line);
      } catch (error) {
        // clamd answers and closes the connection as soon as it has a verdict.
        const early = await answer.catch(() => null);
        if (early === null) throw new ScannerUnavailable("The scanner cannot be reached.", { cause: error });
      }
      try {
        return parseVerdict(await answer);
      } catch (error) {
        if (error instanceof ScannerUnavailable || error instanceof TooLargeToScan) throw error;
        throw new ScannerUnavailable("The scanner did not respond.", { cause: error });
      } finally {
        line.destroy();
      }
    },
  };
}

function connectScanner(address: string): Socket {
  if (address.startsWith("unix:"))
    return connect({ path: address.slice("unix:".length).replace(/^\/\/(?=\/)/, ""), allowHalfOpen: true });
  const { hostname, port } = new URL(address);
  return connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || 3310, allowHalfOpen: true });
}

/** Precedes each chunk by its length; an empty chunk ends the file. */
const addChunkLengths = () =>
  new Transform({
    transform(piece: Buffer, _encoding, callback) {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(piece.length);
      this.push(length);
      callback(null, piece.length > 0 ? piece : undefined);
    },
    flush(callback) {
      callback(null, Buffer.alloc(4));
    },
  });

const readReply = (line: Socket): Promise<string> =>
  new Promise((resolve, failed) => {
    let output = "";
    line.on("data", (part: Buffer) => {
      output += part.toString("utf8");
      if (output.includes("\0") || output.length > MAX_REPLY) resolve(output);
    });
    line.once("error", failed);
    line.once("close", () =>
      output === "" ? failed(new Error("The scanner closed the connection.")) : resolve(output),
    );
  });

function parseVerdict(answer: string): ScanResult {
  const verdict = answer.replace(/\0[^]*$/, "").trim();
  if (verdict.endsWith(": OK")) return { found: null };
  if (/^INSTREAM size limit exceeded/i.test(verdict)) throw new TooLargeToScan(verdict.slice(0, 200));
  const found = /^stream: (.+) FOUND$/.exec(verdict)?.[1];
  if (!found) throw new ScannerUnavailable(`The scanner gave no result: ${verdict.slice(0, 200)}`);
  return { found: found.slice(0, 200) };
}
