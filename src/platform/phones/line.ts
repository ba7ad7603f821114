import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants, type IncomingHttpHeaders } from "node:http2";

export type Asking = { path: string; headers: Record<string, string>; body: string };
export type Answer = { status: number; headers: IncomingHttpHeaders; body: unknown };

/** No answer came. `taken` is false where the other side cannot have begun with what was sent. */
export class LineFault extends Error {
  override name = "LineFault";
  readonly taken: boolean;
  constructor(message: string, taken: boolean) {
    super(message);
    this.taken = taken;
  }
}

const PATIENCE = 10_000;
/** A line on which nothing is said for so long is closed. */
const IDLE = 60_000;
/** Characters of an answer. */
const MOST = 20_000;

/**
 * One HTTP/2 line to an origin, for many requests at once; opened with the first, and anew after it has broken. A class, because it
 * remembers the line. Nobody waits for it to close when the process ends.
 */
export class Line {
  readonly #origin: string;
  readonly #patience: number;
  #open: Promise<ClientHttp2Session> | null = null;

  constructor(origin: string, patience = PATIENCE) {
    this.#origin = origin;
    this.#patience = patience;
  }

  /** Posts, and gives the answer, whatever its status. Throws `LineFault`. */
  async post(asking: Asking): Promise<Answer> {
    const session = await this.#session();
    let stream: ClientHttp2Stream;
    try {
      stream = session.request({ ":method": "POST", ":path": asking.path, ...asking.headers });
    } catch {
      // The line was closed between two requests: nothing has been sent.
      throw new LineFault("The line was closed.", false);
    }
    return answerOn(stream, asking.body, this.#patience);
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
    // An old line that ends late is not to take the new one along.
    const opening = this.#begin(() => {
      if (this.#open === opening) this.#open = null;
    });
    this.#open = opening;
    return opening;
  }

  #begin(forget: () => void): Promise<ClientHttp2Session> {
    const session = connect(this.#origin);
    session.once("close", forget).once("goaway", forget);
    session.setTimeout(IDLE, () => session.close());
    return new Promise((opened, failed) => {
      const late = setTimeout(() => session.destroy(new Error("late")), this.#patience);
      // Only then is it known how many requests there may be at once; more than that would be refused, and these wait.
      session.once("remoteSettings", () => {
        clearTimeout(late);
        session.unref();
        opened(session);
      });
      session.on("error", () => {
        clearTimeout(late);
        forget();
        failed(new LineFault("Nobody answers there.", false));
      });
    });
  }
}

function answerOn(stream: ClientHttp2Stream, body: string, patience: number): Promise<Answer> {
  return new Promise((answered, failed) => {
    let headers: IncomingHttpHeaders = {};
    let text = "";
    const late = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), patience);
    stream.setEncoding("utf8");
    stream.on("response", (said) => (headers = said));
    stream.on("data", (part: string) => (text = (text + part).slice(0, MOST)));
    // What goes wrong is told by `close`, which always comes.
    stream.on("error", () => {});
    stream.on("close", () => {
      clearTimeout(late);
      const status = headers[":status"];
      if (status !== undefined) return answered({ status: Number(status), headers, body: jsonIn(text) });
      const untouched = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
      failed(new LineFault("The line broke before an answer came.", !untouched));
    });
    stream.end(body);
  });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
