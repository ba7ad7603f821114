import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from "node:http2";

export type Http2Request = { path: string; headers: Record<string, string>; body: string };
export type Http2Response = { status: number; headers: IncomingHttpHeaders; body: unknown };

/** The request got no response. `taken` is false when the server cannot have begun to process it. */
export class Http2Error extends Error {
  override name = "LineFault";
  readonly taken: boolean;
  constructor(message: string, taken: boolean) {
    super(message);
    this.taken = taken;
  }
}

const RESPONSE_TIMEOUT = 10_000;
/** Milliseconds after which an idle connection is closed. */
const IDLE_TIMEOUT = 60_000;
/** Maximum characters of a response. */
const MAX_RESPONSE_LENGTH = 20_000;

/**
 * One HTTP/2 connection to an origin for concurrent requests. The first request opens the connection, as
 * does the next request after it broke. An open connection does not keep the process running. A class,
 * because it stores the connection.
 */
export class Http2Connection {
  readonly #origin: string;
  readonly #timeout: number;
  #open: Promise<ClientHttp2Session> | null = null;

  constructor(origin: string, timeout = RESPONSE_TIMEOUT) {
    this.#origin = origin;
    this.#timeout = timeout;
  }

  /**
   * Posts a request and returns the response, whatever its status.
   * @throws `Http2Error`
   */
  async post(asking: Http2Request): Promise<Http2Response> {
    const session = await this.#session();
    let stream: ClientHttp2Stream;
    try {
      stream = session.request({ ":method": "POST", ":path": asking.path, ...asking.headers });
    } catch {
      // The connection was closed between two requests, so nothing was sent.
      throw new Http2Error("The connection was closed.", false);
    }
    return readResponse(stream, asking.body, this.#timeout);
  }

  close(): void {
    void this.#open?.then(
      (session) => session.close(),
      () => {},
    );
    this.#open = null;
  }

  #session(): Promise<ClientHttp2Session> {
    if (this.#open) return this.#open;
    // A late close event of the old connection must not close the new one.
    const opening = this.#begin(() => {
      if (this.#open === opening) this.#open = null;
    });
    this.#open = opening;
    return opening;
  }

  #begin(forget: () => void): Promise<ClientHttp2Session> {
    const session = connect(this.#origin);
    session.once("close", forget).once("goaway", forget);
    session.setTimeout(IDLE_TIMEOUT, () => session.close());
    return new Promise((opened, failed) => {
      const late = setTimeout(() => session.destroy(new Error("late")), this.#timeout);
      // Only now is the maximum number of concurrent requests known. More would be rejected, so the others
      // wait.
      session.once("remoteSettings", () => {
        clearTimeout(late);
        session.unref();
        opened(session);
      });
      session.on("error", () => {
        clearTimeout(late);
        forget();
        failed(new Http2Error("The server does not respond.", false));
      });
    });
  }
}

function readResponse(stream: ClientHttp2Stream, body: string, timeout: number): Promise<Http2Response> {
  return new Promise((answered, failed) => {
    let headers: IncomingHttpHeaders = {};
    let text = "";
    const late = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), timeout);
    stream.setEncoding("utf8");
    stream.on("response", (received) => (headers = received));
    stream.on("data", (part: string) => (text = (text + part).slice(0, MAX_RESPONSE_LENGTH)));
    // `close` always follows and reports the error.
    stream.on("error", () => {});
    stream.on("close", () => {
      clearTimeout(late);
      const status = headers[":status"];
      if (status !== undefined) return answered({ status: Number(status), headers, body: parseJson(text) });
      const untouched = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
      failed(new Http2Error("The connection was lost before a response.", !untouched));
    });
    stream.end(body);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
