import { Refusal } from "#platform/refusal";
import type { Path } from "./types.ts";

export const said = (path: Path): string => `/${path.join("/")}`.slice(0, 200);

/** Clients know two codes: one for reading and deleting, one for moving and copying. */
export const noSuchFile = (path: Path, kind: "file-not-found" | "path-not-found" = "file-not-found") =>
  new Refusal("not-found", `There is no file or directory ${said(path)}.`, { kind });
export const notAllowed = (path: Path) =>
  new Refusal("not-allowed", `You may not do that with ${said(path)}.`, { kind: "file-not-allowed" });
export const notAllowedToPermit = (path: Path, shared: boolean) =>
  new Refusal(
    "not-allowed",
    `Only whoever made ${said(path)} may say who else may do what with it.${shared ? "" : " KITH_API_DEFAULTS=hosted allows this call."}`,
    { kind: "file-not-allowed" },
  );
export const badPath = (sentence: string) => new Refusal("invalid", sentence, { kind: "bad-path", fields: { path: sentence } });
export const inTheWay = (sentence: string) => new Refusal("conflict", sentence, { kind: "path-taken" });
export const isTaken = (path: Path) => inTheWay(`There is something at ${said(path)} already.`);
