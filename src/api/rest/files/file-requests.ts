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
  return `${app.origin()}${base}/files/${path.map(encodeURIComponent).join("/")}`;
}
