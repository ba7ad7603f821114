import type { Readable } from "node:stream";

const MOST = 30_000_000;

/** One message as it was sent, or null where it is larger than 30 MB. */
export type RawMessage = { number: number; bytes: Buffer | null };

/** The messages of an mbox, each begun by a line that starts with "From ", as bytes: each has its own encoding. */
export async function* messagesOf(stream: Readable): AsyncGenerator<RawMessage> {
  let [number, size] = [0, 0];
  let [lines, rest]: [string[], string] = [[], ""];
  const whole = () => ({ number, bytes: size > MOST ? null : Buffer.from(lines.join("\n"), "latin1") });
  stream.setEncoding("latin1");
  for await (const chunk of stream) {
    const parts = (rest + String(chunk)).split("\n");
    rest = parts.pop()!;
    // A line without end ends here: no mail has such a one.
    if (rest.length > MOST) [rest, size] = ["", MOST + 1];
    for (const line of parts) {
      if (!line.startsWith("From ")) {
        size += line.length + 1;
        if (size <= MOST) lines.push(line.replace(/^>(>*From )/, "$1"));
        else lines = [];
        continue;
      }
      if (number > 0) yield whole();
      [number, size, lines] = [number + 1, 0, []];
    }
  }
  lines.push(rest);
  if (number > 0) yield whole();
}
