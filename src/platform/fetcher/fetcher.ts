import { type IncomingMessage, request as plain } from "node:http";
import { request as secure } from "node:https";
import { isIPv6 } from "node:net";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { type MayConnect, outside, type Resolve, resolveHost } from "./addresses.ts";
import { textOf } from "./charset.ts";

/** Why there is no page: the address may not be asked, or what is there is none, is too much, or does not come. */
export class FetchFault extends Error {
  override name = "FetchFault";
}

/** A page as text, and the address it was found at in the end. */
export type Page = { url: string; html: string };
/** What was answered to something sent: its status, and in how many seconds one may come again, if that was said. */
export type Sent = { status: number; retryAfter: number | null };
export type Fetcher = {
  page: (url: string) => Promise<Page>;
  /** Sends bytes, follows nowhere, and reads nothing of what comes back. */
  send: (url: string, what: { headers: Record<string, string>; body: Buffer }) => Promise<Sent>;
};

const MOST_REDIRECTS = 3;
/** Bytes, as they come and unpacked. */
const MOST = 512 * 1024;
/** Milliseconds for all of it, redirects too. */
const PATIENCE = 5_000;

type Options = { mayConnect?: MayConnect; resolve?: Resolve; patience?: number };

/**
 * Fetches pages of others for us and sends to them, and cannot be turned against the network we stand in: each address, that of a redirect
 * too, is resolved here, every address of the host has to be an outside one, and the connection goes to the very address
 * that was looked at. Reads HTML of up to 512 KB within 5 seconds. Throws `FetchFault` for everything else.
 */
export function openFetcher({ mayConnect = outside, resolve = resolveHost, patience = PATIENCE }: Options = {}): Fetcher {
  async function page(wanted: string): Promise<Page> {
    const signal = AbortSignal.timeout(patience);
    let url = admitted(wanted);
    for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
      const answer = await ask(url, await before(signal, addressOf(url)), { signal, headers: FOR_PAGES });
      const further = redirectOf(answer, url);
      if (!further) return { url: url.href, html: await htmlOf(answer, signal) };
      answer.destroy();
      url = further;
    }
    throw new FetchFault("It leads from one address to the next.");
  }

  /** The one address that the connection goes to; all of the host's have to be fit for it. */
  async function addressOf(url: URL): Promise<string> {
    const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
    const addresses = await resolve(url.hostname);
    if (addresses.length === 0 || !addresses.every((address) => mayConnect(address, port)))
      throw new FetchFault("That address is not one of the outside.");
    return addresses[0]!;
  }

  async function send(wanted: string, { headers, body }: { headers: Record<string, string>; body: Buffer }): Promise<Sent> {
    const signal = AbortSignal.timeout(patience);
    const url = admitted(wanted);
    const answer = await ask(url, await before(signal, addressOf(url)), { signal, headers, body });
    answer.destroy();
    const seconds = Number(answer.headers["retry-after"]);
    return { status: answer.statusCode ?? 0, retryAfter: seconds > 0 ? seconds : null };
  }

  return { page: (url) => orFault(page(url)), send: (url, what) => orFault(send(url, what)) };
}

const orFault = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof FetchFault ? error : new FetchFault("It does not answer.", { cause: error });
  });

/** The name service knows no patience of ours. */
const before = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => {
  const late = new Promise<never>((_, refuse) =>
    signal.addEventListener("abort", () => refuse(new FetchFault("It takes too long.")), { once: true }),
  );
  return Promise.race([work, late]);
};

function admitted(text: string, base?: URL): URL {
  if (text.length > 2_000 || !URL.canParse(text, base)) throw new FetchFault("That is no address.");
  const url = new URL(text, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new FetchFault("That is no address of the web.");
  if (url.username || url.password) throw new FetchFault("That address carries a password.");
  return url;
}

type Asked = { signal: AbortSignal; headers: Record<string, string>; body?: Buffer };
const FOR_PAGES = { accept: "text/html,application/xhtml+xml", "accept-encoding": "gzip, br", "user-agent": "Kith link preview" };

/** Connects to `address` and nowhere else, whatever the name would lead to by now. */
function ask(url: URL, address: string, { signal, headers, body }: Asked): Promise<IncomingMessage> {
  const family = isIPv6(address) ? 6 : 4;
  return new Promise((answered, failed) => {
    const asked = (url.protocol === "https:" ? secure : plain)(url, {
      signal,
      agent: false,
      maxHeaderSize: 16_384,
      lookup: (_host, options, done) => (options.all ? done(null, [{ address, family }]) : done(null, address, family)),
      method: body ? "POST" : "GET",
      headers,
    });
    asked.once("response", answered);
    asked.once("error", failed);
    asked.end(body);
  });
}

function redirectOf(answer: IncomingMessage, from: URL): URL | null {
  const { statusCode = 0, headers } = answer;
  if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return null;
  return admitted(headers.location, from);
}

const UNPACK: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

async function htmlOf(answer: IncomingMessage, signal: AbortSignal): Promise<string> {
  const type = answer.headers["content-type"] ?? "";
  const encoding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const unpack = UNPACK[encoding];
  try {
    if (answer.statusCode !== 200) throw new FetchFault("There is no page.");
    if (!/^(text\/html|application\/xhtml\+xml)\b/i.test(type)) throw new FetchFault("That is no page.");
    if (!unpack && encoding !== "identity") throw new FetchFault("It is packed in a way we do not know.");
    if (Number(answer.headers["content-length"] ?? 0) > MOST) throw new FetchFault("It is too large.");
    const parts: Buffer[] = [];
    const collect = async (from: AsyncIterable<Buffer>) => {
      for await (const part of from) parts.push(part);
    };
    if (unpack) await pipeline(answer as Readable, atMost(MOST), unpack(), atMost(MOST), collect, { signal });
    else await pipeline(answer as Readable, atMost(MOST), collect, { signal });
    return textOf(Buffer.concat(parts), type);
  } finally {
    answer.destroy();
  }
}

/** Lets so many bytes pass, and breaks off at the next. */
function atMost(most: number): Transform {
  let size = 0;
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      size += part.length;
      done(size > most ? new FetchFault("It is too large.") : null, part);
    },
  });
}
