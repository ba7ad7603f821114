import { type Caller, type FilePath, parsePath } from "#baas/files";
import { Refusal } from "#platform/refusal";
import type { Call } from "../rest-route.ts";

export const toFileCaller = ({ caller }: Call): Caller => ({
  userId: caller.session ? caller.viewer.id : null,
  roles: caller.roles,
  server: caller.key === "server",
});

/**
 * Returns the caller of a call that changes files.
 * @throws `not-allowed` for a sanctioned person
 */
export function assertMayChange(call: Call): Caller {
  const { key, viewer } = call.caller;
  if (viewer.limited && key !== "server")
    throw new Refusal("not-allowed", "Your account is read-only at the moment.");
  return toFileCaller(call);
}

/**
 * Reads the file path from the URL. Invisible characters are not removed first, so that `parsePath` refuses
 * them.
 */
export function readFilePath({ request: { params } }: Call): FilePath {
  const { "*": text = "" } = params;
  // Clients escape commas and semicolons twice.
  return parsePath(text.replace(/%2c/gi, ",").replace(/%3b/gi, ";"));
}

/** Public URL of a path. It has the prefix of the call but never the server key. */
export function fileUrl({ app, request }: Call, path: FilePath): string {
  const base = request.url.startsWith("/api/") ? "/api" : `/${app.appId}/${app.clientKey}`;
  const origin = nameAsCaller(new URL(app.origin()), request.host);
  return `${origin}${base}/files/${path.map(encodeURIComponent).join("/")}`;
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Returns the origin with the host name of the request, if both are names of this machine such as
 * `localhost`, because clients compare URLs as text. Other names are not taken from the request: a caller
 * could otherwise put any host into a URL.
 */
function nameAsCaller(origin: URL, host: string): string {
  const same = LOOPBACK.map((name) => (origin.port ? `${name}:${origin.port}` : name)).includes(host);
  return same && LOOPBACK.includes(origin.hostname) ? `${origin.protocol}//${host}` : origin.origin;
}
