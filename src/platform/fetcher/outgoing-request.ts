import { type IncomingMessage, request as plain } from "node:http";
import { request as secure } from "node:https";
import { isIPv6 } from "node:net";
import { FetchError, ForbiddenAddress } from "./fetch-errors.ts";

/** @throws `ForbiddenAddress` for other schemes and addresses with a password */
export function parseAllowedUrl(text: string, base?: URL): URL {
  if (text.length > 2_000 || !URL.canParse(text, base)) throw new ForbiddenAddress("This is not an address.");
  const url = new URL(text, base);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new ForbiddenAddress("This is not a web address.");
  if (url.username || url.password) throw new ForbiddenAddress("The address contains a password.");
  return url;
}

type RequestInput = {
  signal: AbortSignal;
  headers: Record<string, string>;
  body?: Buffer;
  method?: "HEAD" | "GET" | "POST";
  quiet?: number;
};

/** Connects to `address` only, even if the host name resolves to another address by now. */
export function sendRequest(
  url: URL,
  address: string,
  { signal, headers, body, method = body ? "POST" : "GET", quiet }: RequestInput,
): Promise<IncomingMessage> {
  const family = isIPv6(address) ? 6 : 4;
  return new Promise((answered, failed) => {
    const request = (url.protocol === "https:" ? secure : plain)(url, {
      signal,
      agent: false,
      maxHeaderSize: 16_384,
      lookup: (_host, options, done) =>
        options.all ? done(null, [{ address, family }]) : done(null, address, family),
      method,
      headers,
    });
    request.once("response", answered);
    request.once("error", failed);
    if (quiet)
      request.setTimeout(quiet, () =>
        request.destroy(new FetchError("The response took too long.", { passing: true })),
      );
    request.end(body);
  });
}

/**
 * Returns the address to which a response redirects, or null.
 * @throws `ForbiddenAddress`
 */
export function findRedirect(answer: IncomingMessage, from: URL): URL | null {
  const { statusCode = 0, headers } = answer;
  if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return null;
  return parseAllowedUrl(headers.location, from);
}
