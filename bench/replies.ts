import { Agent, request } from "node:http";

const agent = new Agent({ keepAlive: true });

/**
 * Sends a body over a keep-alive connection and reads the response. Replaces `fetch` where times are
 * measured: its garbage collection stops the client for 15 ms every half second, and these pauses would be
 * measured as the p99.
 */
export function sendRequest(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number; text: string }> {
  return new Promise((answered, failed) => {
    const asked = request(
      url,
      { agent, method, headers: { "content-length": Buffer.byteLength(body), ...headers } },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.once("error", failed);
        answer.once("end", () =>
          answered({ status: answer.statusCode!, text: Buffer.concat(parts).toString() }),
        );
      },
    );
    asked.once("error", failed).end(body);
  });
}

export const FORM_HEADERS = { "content-type": "application/x-www-form-urlencoded" };
