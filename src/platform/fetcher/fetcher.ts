import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { type ConnectionFilter, allowPublicWeb, type HostResolver, resolveHost } from "./public-addresses.ts";
import { parseAllowedUrl, sendRequest, findRedirect } from "./outgoing-request.ts";
import {
  readDocument,
  readFileResponse,
  readHtml,
  readTextBeginning,
  readValidators,
} from "./response-body.ts";
import { FetchError, ForbiddenAddress } from "./fetch-errors.ts";

/** A page as text, with its final address. */
export type FetchedPage = { url: string; html: string };
/** Response to a sent request: its status, and the seconds of Retry-After if the header is present. */
export type SendResult = { status: number; retryAfter: number | null };
/** Validators of an earlier response, for a conditional request. */
export type CacheValidators = { etag: string | null; lastModified: string | null };
/** Result of a link check: status, final address, and whether all redirects were permanent. */
export type LinkStatus = CacheValidators & {
  status: number;
  url: string;
  forGood: boolean;
  retryAfter: number | null;
};
/** A document as text with its validators; `text` is null if it has not changed. */
export type FetchedDocument = CacheValidators & { text: string | null };
export type Fetcher = {
  /** Checks whether an address exists by a conditional request, without reading the body. */
  look: (url: string, known: CacheValidators) => Promise<LinkStatus>;
  page: (url: string) => Promise<FetchedPage>;
  /** Streams the file at an address, with its length if known. The caller limits the size. */
  file: (url: string) => Promise<{ body: Readable; length: number | null }>;
  /** Fetches a text of at most `most` bytes by a conditional request. */
  document: (url: string, known: CacheValidators, most: number) => Promise<FetchedDocument>;
  /** Sends bytes, follows no redirect and does not read the response body. */
  send: (url: string, what: SendInput) => Promise<SendResult>;
  /** Like `send`, and reads the beginning of the response as text. */
  exchange: (url: string, what: SendInput) => Promise<SendResult & { text: string }>;
};
type SendInput = { headers: Record<string, string>; body: Buffer };

const MAX_REDIRECTS = 3;
/** Maximum number of redirects of a link check. */
const MAX_CHECK_REDIRECTS = 5;

/** Milliseconds for the whole request, including redirects. */
const PAGE_TIMEOUT = 5_000;
/** Milliseconds without data after which the transfer of a file ends. */
const FILE_IDLE_TIMEOUT = 15_000;
/** Milliseconds for the whole transfer of a file. */
const FILE_TIMEOUT = 30 * 60 * 1_000;

/** Milliseconds for a whole document, including redirects. */
const DOCUMENT_TIMEOUT = 20_000;

type FetcherOptions = { canConnect?: ConnectionFilter; resolve?: HostResolver; timeout?: number };

/**
 * Fetches foreign pages and sends requests to foreign servers without exposing our network (SSRF): every
 * address, redirects included, is resolved here, all addresses of a host must be public, and the connection
 * uses the checked address. Reads the first 512 KB of HTML within 5 seconds.
 * @throws `FetchError` for everything else
 */
export function createFetcher({
  canConnect = allowPublicWeb,
  resolve = resolveHost,
  timeout = PAGE_TIMEOUT,
}: FetcherOptions = {}): Fetcher {
  async function page(wanted: string): Promise<FetchedPage> {
    const signal = AbortSignal.timeout(timeout);
    let url = parseAllowedUrl(wanted);
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const answer = await sendRequest(url, await withSignal(signal, addressOf(url)), {
        signal,
        headers: PAGE_HEADERS,
      });
      const further = findRedirect(answer, url);
      if (!further) return { url: url.href, html: await readHtml(answer, signal) };
      answer.destroy();
      url = further;
    }
    throw new FetchError("Too many redirects.");
  }

  /** Returns the one address to connect to; all addresses of the host must be allowed. */
  async function addressOf(url: URL): Promise<string> {
    const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
    const addresses = await resolve(url.hostname);
    if (addresses.length === 0 || !addresses.every((address) => canConnect(address, port)))
      throw new ForbiddenAddress("The address is not public.");
    return addresses[0]!;
  }

  async function post(wanted: string, input: SendInput) {
    const signal = AbortSignal.timeout(timeout);
    const url = parseAllowedUrl(wanted);
    const answer = await sendRequest(url, await withSignal(signal, addressOf(url)), { signal, ...input });
    return { answer, signal, result: { status: answer.statusCode ?? 0, retryAfter: readRetryAfter(answer) } };
  }

  async function send(wanted: string, input: SendInput): Promise<SendResult> {
    const { answer, result } = await post(wanted, input);
    answer.destroy();
    return result;
  }

  async function exchange(wanted: string, input: SendInput): Promise<SendResult & { text: string }> {
    const { answer, signal, result } = await post(wanted, input);
    return { ...result, text: await readTextBeginning(answer, signal) };
  }

  async function file(wanted: string): Promise<{ body: Readable; length: number | null }> {
    const signal = AbortSignal.timeout(FILE_TIMEOUT);
    let url = parseAllowedUrl(wanted);
    for (let hops = 0; hops <= MAX_CHECK_REDIRECTS; hops += 1) {
      const answer = await sendRequest(url, await withSignal(AbortSignal.timeout(timeout), addressOf(url)), {
        signal,
        headers: FILE_HEADERS,
        quiet: FILE_IDLE_TIMEOUT,
      });
      const further = findRedirect(answer, url);
      if (!further) return readFileResponse(answer);
      answer.destroy();
      url = further;
    }
    throw new FetchError("Too many redirects.");
  }

  async function document(wanted: string, known: CacheValidators, most: number): Promise<FetchedDocument> {
    const signal = AbortSignal.timeout(DOCUMENT_TIMEOUT);
    let url = parseAllowedUrl(wanted);
    for (let hops = 0; hops <= MAX_CHECK_REDIRECTS; hops += 1) {
      const answer = await sendRequest(url, await withSignal(signal, addressOf(url)), {
        signal,
        headers: { ...DOCUMENT_HEADERS, ...conditionsFor(known) },
      });
      const further = findRedirect(answer, url);
      if (!further) return readDocument(answer, { signal, known, most });
      answer.destroy();
      url = further;
    }
    throw new FetchError("Too many redirects.");
  }

  /** Sends HEAD; when the server rejects it, sends GET without reading the body. */
  async function look(wanted: string, known: CacheValidators): Promise<LinkStatus> {
    const first = await lookBy("HEAD", wanted, known);
    return first.status < 400 || first.status === 429 ? first : lookBy("GET", wanted, known);
  }

  async function lookBy(method: "HEAD" | "GET", wanted: string, known: CacheValidators): Promise<LinkStatus> {
    const signal = AbortSignal.timeout(timeout);
    let url = parseAllowedUrl(wanted);
    let forGood = true;
    for (let hops = 0; hops <= MAX_CHECK_REDIRECTS; hops += 1) {
      const headers = {
        accept: "*/*",
        "user-agent": "Kith link check",
        ...conditionsFor(known),
      };
      const answer = await sendRequest(url, await withSignal(signal, addressOf(url)), {
        signal,
        headers,
        method,
      });
      answer.destroy();
      const further = findRedirect(answer, url);
      if (!further) return toLinkStatus(answer, url, forGood);
      forGood &&= answer.statusCode === 301 || answer.statusCode === 308;
      url = further;
    }
    throw new FetchError("Too many redirects.");
  }

  return {
    page: (url) => rethrowAsFetchError(page(url)),
    look: (url, known) => rethrowAsFetchError(look(url, known)),
    file: (url) => rethrowAsFetchError(file(url)),
    document: (url, known, most) => rethrowAsFetchError(document(url, known, most)),
    send: (url, what) => rethrowAsFetchError(send(url, what)),
    exchange: (url, what) => rethrowAsFetchError(exchange(url, what)),
  };
}

const rethrowAsFetchError = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof FetchError
      ? error
      : new FetchError("The server does not respond.", { passing: true, cause: error });
  });

/** Adds a timeout to a DNS lookup, which has none of its own. */
const withSignal = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => {
  const late = new Promise<never>((_, refuse) =>
    signal.addEventListener(
      "abort",
      () => refuse(new FetchError("The response took too long.", { passing: true })),
      {
        once: true,
      },
    ),
  );
  return Promise.race([work, late]);
};

/** Returns the seconds of Retry-After; the header may also hold a date. */
function readRetryAfter({ headers }: IncomingMessage): number | null {
  const retryAfter = headers["retry-after"];
  if (retryAfter === undefined) return null;
  const seconds = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000);
  return seconds > 0 ? seconds : null;
}

const toLinkStatus = (answer: IncomingMessage, url: URL, forGood: boolean): LinkStatus => ({
  status: answer.statusCode ?? 0,
  url: url.href,
  forGood,
  ...readValidators(answer),
  retryAfter: readRetryAfter(answer),
});

const conditionsFor = ({ etag, lastModified }: CacheValidators) => ({
  ...(etag && { "if-none-match": etag }),
  ...(lastModified && { "if-modified-since": lastModified }),
});

const FILE_HEADERS = { accept: "*/*", "accept-encoding": "identity", "user-agent": "Kith file fetch" };
const DOCUMENT_HEADERS = {
  accept: "text/calendar, */*;q=0.5",
  "accept-encoding": "gzip, br",
  "user-agent": "Kith calendar",
};
const PAGE_HEADERS = {
  accept: "text/html,application/xhtml+xml",
  "accept-encoding": "gzip, br",
  "user-agent": "Kith link preview",
};
