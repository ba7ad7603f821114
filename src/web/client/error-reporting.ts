import { DESIGN_TOKENS } from "../tokens.ts";

export type LogLine = {
  logger: string;
  "log-level": "ERROR";
  message: string;
  exception?: string;
  timestamp: number;
  /**
   * Build and route pattern of the page. The address is not sent, since it can contain names and invitation
   * tokens.
   */
  build?: string;
  page?: string;
};
type SendLines = (lines: LogLine[]) => Promise<boolean>;
/** Milliseconds before unsent log lines are sent again. */
const RETRY_DELAY = 30_000;

/**
 * Collects log lines and sends them when ten are pending, or after a second. A batch that could not be sent
 * goes back to the front of the queue.
 */
export class ErrorBatches {
  #pending: LogLine[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;
  #send: SendLines;
  constructor(send: SendLines) {
    this.#send = send;
  }

  add(line: LogLine) {
    this.#pending.push(line);
    if (this.#pending.length > DESIGN_TOKENS.errorsKept)
      this.#pending.splice(0, this.#pending.length - DESIGN_TOKENS.errorsKept);
    if (this.#pending.length >= DESIGN_TOKENS.errorBatch && !this.#sending) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), DESIGN_TOKENS.errorFlush);
  }

  /** Sends pending lines, one batch after the other; concurrent calls share one run. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined));
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, DESIGN_TOKENS.errorBatch);
      if (await this.#send(batch).catch(() => false)) continue;
      this.#pending = [...batch, ...this.#pending].slice(-DESIGN_TOKENS.errorsKept);
      this.#timer ??= setTimeout(() => void this.flush(), RETRY_DELAY);
      return;
    }
  }

  get waiting() {
    return this.#pending.length;
  }
}

const sendToLogs: SendLines = async (lines) => {
  const answer = await fetch("/api/log", {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(lines),
    keepalive: true,
  });
  return answer.ok;
};

const currentBuild = () => window.__reactRouterManifest?.version;
/** The route pattern, such as `/groups/:groupId`; before the router has loaded, the first path segment. */
function currentRoute(): string {
  const parts = window.__reactRouterDataRouter?.state.matches.map(({ route }) => route.path).filter(Boolean);
  return parts ? `/${parts.join("/")}` : location.pathname.replace(/^(\/[^/]*)\/.*/, "$1/…");
}

/** Sends errors of this page to the server's log. Returns a function that reports a caught error. */
export function reportErrors(): (error: unknown) => void {
  const batches = new ErrorBatches(sendToLogs);
  const report = (error: unknown) => {
    const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
    batches.add({
      logger: "browser",
      "log-level": "ERROR",
      message: message.slice(0, 1000),
      exception: stack?.slice(0, 4000),
      timestamp: Date.now(),
      build: currentBuild(),
      page: currentRoute(),
    });
  };
  addEventListener("error", (event) => report(event.error ?? event.message));
  addEventListener("unhandledrejection", (event) => report(event.reason));
  return report;
}
