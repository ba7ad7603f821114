import { Refusal } from "#platform/refusal";
import type { FilePath } from "./types.ts";

export const printPath = (path: FilePath): string => `/${path.join("/")}`.slice(0, 200);

/** Clients know two codes: one for reading and deleting, one for moving and copying. */
export const fileNotFound = (path: FilePath, kind: "file-not-found" | "path-not-found" = "file-not-found") =>
  new Refusal("not-found", `There is no file or directory ${printPath(path)}.`, { kind });
export const notAllowed = (path: FilePath) =>
  new Refusal("not-allowed", `You have no permission for ${printPath(path)}.`, { kind: "file-not-allowed" });
export const grantNotAllowed = (path: FilePath, shared: boolean) =>
  new Refusal(
    "not-allowed",
    `Only the creator of ${printPath(path)} can change its permissions.` +
      (shared ? "" : " KITH_API_DEFAULTS=hosted allows this call."),
    { kind: "file-not-allowed" },
  );
export const invalidPath = (sentence: string) =>
  new Refusal("invalid", sentence, { kind: "bad-path", fields: { path: sentence } });
export const pathConflict = (sentence: string) => new Refusal("conflict", sentence, { kind: "path-taken" });
export const pathTaken = (path: FilePath) => pathConflict(`${printPath(path)} already exists.`);
