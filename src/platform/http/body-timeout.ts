import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Milliseconds in which a usual body must arrive. */
const BODY_TIMEOUT = 30_000;
/** Milliseconds without data after which a slow body is rejected. */
const IDLE_TIMEOUT = 30_000;
/** Milliseconds in which even a slow body must arrive completely. */
const MAX_DURATION = 6 * 60 * 60 * 1_000;
/**
 * Minimum bytes per second after the first minute, so that a client that trickles bytes does not hold a
 * connection for hours.
 */
const MIN_RATE = 2_000;
const CHECK_INTERVAL = 5_000;

type BodyTimer = { clock: NodeJS.Timeout; end: () => void };
const bodyTimers = new WeakMap<IncomingMessage, BodyTimer>();

/**
 * Answers 408 when a body takes longer than thirty seconds. Upload routes call `allowSlowBody` for more
 * time: Node's own limit is the same for all requests, so it would be too short for uploads or too long for
 * the rest.
 */
export function limitBodyTime(server: Server, timeout = BODY_TIMEOUT): void {
  server.prependListener("request", (request: IncomingMessage) => {
    const { headers, socket } = request;
    if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return;
    const end = () => {
      if (request.complete) return;
      server.emit(
        "clientError",
        Object.assign(new Error("The request body took too long."), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
        socket,
      );
      socket.destroySoon();
    };
    const clock = setTimeout(end, timeout).unref();
    bodyTimers.set(request, { clock, end });
    request.once("close", () => clearTimeout(bodyTimers.get(request)?.clock));
  });
}

/** Extends the time limit for the body of this request to hours, as long as data continues to arrive. */
export function allowSlowBody(request: IncomingMessage, quiet = IDLE_TIMEOUT): void {
  const known = bodyTimers.get(request);
  if (!known) return;
  clearTimeout(known.clock);
  const begun = { bytes: request.socket.bytesRead, at: performance.now() };
  let seen = begun;
  const look = () => {
    const now = { bytes: request.socket.bytesRead, at: performance.now() };
    // Time during which we have paused the request does not count.
    if (now.bytes > seen.bytes || request.isPaused()) seen = now;
    const took = now.at - begun.at;
    const slow =
      took > 2 * quiet && !request.isPaused() && now.bytes - begun.bytes < (MIN_RATE * took) / 1_000;
    if (slow || now.at - seen.at > quiet || took > MAX_DURATION) known.end();
  };
  known.clock = setInterval(look, Math.min(quiet, CHECK_INTERVAL)).unref();
}

/** Maximum bytes of a rejected body that are still read. */
const MAX_DRAINED = 1_000_000;

/**
 * Reads and discards the rest of a rejected body, so that the client sees the response: a client whose
 * connection is closed while it sends sees only a reset. When the rest is too long, the connection closes
 * after the response. Time limits still apply.
 */
export function drainBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  let left = MAX_DRAINED;
  if (Number(request.headers["content-length"]) > left) response.setHeader("connection", "close");
  const end = () =>
    response.writableFinished ? request.destroy() : response.once("finish", () => request.destroy());
  request.on("data", (part: Buffer) => left >= 0 && (left -= part.length) < 0 && end()).resume();
}
