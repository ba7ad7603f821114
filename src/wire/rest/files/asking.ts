import { type Caller, type Path, pathOf } from "#backend/files";
import { Refusal } from "#platform/refusal";
import type { Call } from "../route.ts";

/** The caller as files know one. */
export const whoIn = ({ caller }: Call): Caller => ({
  userId: caller.session ? caller.viewer.id : null,
  roles: caller.roles,
  server: caller.key === "server",
});

/** The caller, for what changes something. Throws `not-allowed` for who is under a sanction. */
export function mayChange(call: Call): Caller {
  const { key, viewer } = call.caller;
  if (viewer.limited && key !== "server") throw new Refusal("not-allowed", "You may read here, and not add anything for now.");
  return whoIn(call);
}

/** The path that the address of a call names: as it came, so that what cannot be seen in it is refused and not left out. */
export function pathIn({ request }: Call): Path {
  const { "*": text = "" } = request.params as Record<string, string>;
  // The client escapes commas and semicolons twice.
  return pathOf(text.replace(/%2c/gi, ",").replace(/%3b/gi, ";"));
}

/** Where a path is found from outside, by the address that the caller came to; a key that is not public is in none. */
export function addressOf({ house, request }: Call, path: Path): string {
  const base = request.url.startsWith("/api/") ? "/api" : `/${house.appId}/${house.clientKey}`;
  return `${house.origin()}${base}/files/${path.map(encodeURIComponent).join("/")}`;
}
