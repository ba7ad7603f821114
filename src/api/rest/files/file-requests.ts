import { type Caller, type FilePath, parsePath } from "#baas/files";
import { Refusal } from "#platform/refusal";
import type { Call } from "../rest-route.ts";

export const fileCaller = ({ caller }: Call): Caller => ({
  userId: caller.session ? caller.viewer.id : null,
  roles: caller.roles,
  server: caller.key === "server",
});

/**
 * The caller, for changes.
 * @throws `not-allowed` for a sanctioned person
 */
export function assertMayChange(call: Call): Caller {
  const { key, viewer } = call.caller;
  if (viewer.limited && key !== "server")
    throw new Refusal("not-allowed", "Your account can only read at the moment.");
  return fileCaller(call);
}

/** The path in the URL, unmodified, so that invisible characters are refused instead of removed. */
export function readFilePath({ request }: Call): FilePath {
  const { "*": text = "" } = request.params as Record<string, string>;
  // The client escapes commas and semicolons twice.
  return parsePath(text.replace(/%2c/gi, ",").replace(/%3b/gi, ";"));
}

/** Public URL of a path, with the same prefix as the call; it never contains the server key. */
export function fileUrl({ app, request }: Call, path: FilePath): string {
  const base = request.url.startsWith("/api/") ? "/api" : `/${app.appId}/${app.clientKey}`;
  const origin = nameAsCaller(new URL(app.origin()), request.host);
  return `${origin}${base}/files/${path.map(encodeURIComponent).join("/")}`;
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * A server on the caller's own machine has several names, and clients compare addresses as text. Only these
 * names are taken from a request: a caller could otherwise put any host into an address.
 */
function nameAsCaller(origin: URL, host: string): string {
  const same = LOOPBACK.map((name) => (origin.port ? `${name}:${origin.port}` : name)).includes(host);
  return same && LOOPBACK.includes(origin.hostname) ? `${origin.protocol}//${host}` : origin.origin;
}
