import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Milliseconds in which the body of a usual request has to have come. */
const USUAL = 30_000;
/** Of a body that may take its time: how long nothing may come, and how long all of it may take. */
const QUIET = 30_000;
const LONGEST = 6 * 60 * 60 * 1_000;
/** Bytes a second, after the first minute: who sends one byte now and then keeps no line open for hours. */
const SLOWEST = 2_000;
const LOOKED_AT_EVERY = 5_000;

type Minded = { clock: NodeJS.Timeout; end: () => void };
const minded = new WeakMap<IncomingMessage, Minded>();

/**
 * Ends a request whose body does not come in thirty seconds, by 408. A route that takes files says so by `takesItsTime`: Node's
 * own bound is one for all requests, and would be too short for those or too long for the rest.
 */
export function mindBodies(server: Server, patience = USUAL): void {
  server.prependListener("request", (request: IncomingMessage) => {
    const { headers, socket } = request;
    if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return;
    const end = () => {
      if (request.complete) return;
      server.emit("clientError", Object.assign(new Error("The body took too long."), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
      socket.destroySoon();
    };
    const clock = setTimeout(end, patience).unref();
    minded.set(request, { clock, end });
    request.once("close", () => clearTimeout(minded.get(request)?.clock));
  });
}

/** From now on the body of this request has hours, as long as it keeps coming. */
export function takesItsTime(request: IncomingMessage, quiet = QUIET): void {
  const known = minded.get(request);
  if (!known) return;
  clearTimeout(known.clock);
  const begun = { bytes: request.socket.bytesRead, at: performance.now() };
  let seen = begun;
  const look = () => {
    const now = { bytes: request.socket.bytesRead, at: performance.now() };
    // While it is we who are slow, nothing is to come.
    if (now.bytes > seen.bytes || request.isPaused()) seen = now;
    const took = now.at - begun.at;
    const slow = took > 2 * quiet && !request.isPaused() && now.bytes - begun.bytes < (SLOWEST * took) / 1_000;
    if (slow || now.at - seen.at > quiet || took > LONGEST) known.end();
  };
  known.clock = setInterval(look, Math.min(quiet, LOOKED_AT_EVERY)).unref();
}

/** Bytes that are still read of a body that was refused. */
const STILL_READ = 1_000_000;

/**
 * What is still coming of a body that was refused is read to nowhere, so that the answer is heard: who is cut off while they send hears of
 * an end and nothing else. Where it is much, the line ends with the answer. Its time is bounded as before.
 */
export function readOn(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  let left = STILL_READ;
  if (Number(request.headers["content-length"]) > left) response.setHeader("connection", "close");
  const end = () => (response.writableFinished ? request.destroy() : response.once("finish", () => request.destroy()));
  request.on("data", (part: Buffer) => left >= 0 && (left -= part.length) < 0 && end()).resume();
}
