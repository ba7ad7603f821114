import { type Message, msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { FilePath } from "./types.ts";

export const formatPath = (path: FilePath): string => `/${path.join("/")}`.slice(0, 200);

/**
 * Error for a missing file. Clients expect one code when reading and deleting, and another when moving and
 * copying.
 */
export const fileNotFound = (path: FilePath, kind: "file-not-found" | "path-not-found" = "file-not-found") =>
  new Refusal("not-found", msg("There is no file or directory {path}.", { path: formatPath(path) }), {
    kind,
  });
export const notAllowed = (path: FilePath) =>
  new Refusal("not-allowed", msg("You have no permission for {path}.", { path: formatPath(path) }), {
    kind: "file-not-allowed",
  });
export const grantNotAllowed = (path: FilePath, shared: boolean) =>
  new Refusal(
    "not-allowed",
    shared
      ? msg("Only the creator of {path} can change its permissions.", { path: formatPath(path) })
      : msg(
          "Only the creator of {path} can change its permissions. KITH_API_DEFAULTS=hosted allows this call.",
          { path: formatPath(path) },
        ),
    { kind: "file-not-allowed" },
  );
export const invalidPath = (message: Message) =>
  new Refusal("invalid", message, { kind: "bad-path", fields: { path: message } });
export const pathConflict = (message: Message) => new Refusal("conflict", message, { kind: "path-taken" });
export const pathTaken = (path: FilePath) =>
  pathConflict(msg("{path} already exists.", { path: formatPath(path) }));
