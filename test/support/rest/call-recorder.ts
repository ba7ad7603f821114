import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A recorded HTTP call. */
export type RecordedCall = { method: string; path: string; body: unknown; status: number; answer: unknown };

/** Parses an answer as the client does: JSON, or else the text itself. */
export const parseAnswer = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

/** Starts a recording proxy between client and server. */
export async function startRecordingProxy(origin: () => string) {
  const recordedCalls: RecordedCall[] = [];
  const server = createServer((asked, answered) => {
    const sent: Buffer[] = [];
    asked.on("data", (chunk: Buffer) => sent.push(chunk));
    asked.on("end", () => {
      const onward = request(
        `${origin()}${asked.url}`,
        { method: asked.method, headers: asked.headers },
        (answer) => {
          const got: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => got.push(chunk));
          answer.on("end", () => {
            const [body, text] = [Buffer.concat(sent).toString(), Buffer.concat(got).toString()];
            recordedCalls.push({
              method: asked.method!,
              path: asked.url!,
              body: body === "" ? undefined : parseAnswer(body),
              status: answer.statusCode!,
              answer: parseAnswer(text),
            });
            answered.writeHead(answer.statusCode!, answer.headers).end(Buffer.concat(got));
          });
        },
      );
      onward.on("error", () => answered.destroy()).end(Buffer.concat(sent));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    recordedCalls,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((done) => (server.close(done), server.closeAllConnections())),
  };
}
