import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createFetcher } from "#platform/fetcher";

/** A call that a receiver got. */
export type ReceivedCall = {
  headers: IncomingHttpHeaders;
  body: string;
  payload: { type: string; timestamp: string; version: number; data: Record<string, unknown> };
};

/** A program on this machine that receives webhooks; `answer` can be replaced. */
export async function startReceiver(answer: RequestListener = (_request, reply) => void reply.end("ok")) {
  const calls: ReceivedCall[] = [];
  const receiver = { calls, answer, url: "", close: async () => {} };
  const server = createServer((request, reply) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => (body += part));
    request.on("end", () => {
      calls.push({ headers: request.headers, body, payload: JSON.parse(body) as ReceivedCall["payload"] });
      receiver.answer(request, reply);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  receiver.url = `http://receiver.example:${(server.address() as AddressInfo).port}/hook`;
  receiver.close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return receiver;
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** A fetcher for which this machine is public, where receivers of tests run. */
export const localFetcher = (timeout = 2_000) =>
  createFetcher({
    canConnect: (address) => address === "127.0.0.1",
    resolve: async () => ["127.0.0.1"],
    timeout,
  });
