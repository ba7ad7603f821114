import type { SerializedRefusal } from "./extension-errors.ts";

/** The caller as an extension sees it, without credentials. */
export type Caller = {
  readonly id: string | null;
  readonly roles: readonly string[];
  readonly server: boolean;
};

/** Maximum characters of one JSON value passed between host and thread. */
export const MAX_TRANSFER = 1_000_000;

export const HOOKED_ACTIONS = ["create", "update", "remove", "find"] as const;
export type HookedAction = (typeof HOOKED_ACTIONS)[number];

/** Description of an extension's part for the host. */
export type PartInfo = { key: string; file: string; about: string } & (
  | { kind: "service"; service: string; method: string; schema: Record<string, unknown> }
  | { kind: "event"; event: string }
  | { kind: "timer"; name: string; at: string }
  | { kind: "hook"; when: "before" | "after"; table: string; act: HookedAction }
);

/** Contents of a folder: its parts, and the files that could not be loaded. */
export type Manifest = { files: string[]; parts: PartInfo[]; faults: { file: string; sentence: string }[] };

export type ToThread =
  | { kind: "run"; id: number; part: string; input: string; caller: Caller }
  | { kind: "answer"; ask: number; json: string }
  | { kind: "refused"; ask: number; fault: SerializedRefusal };

export const LEVELS = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof LEVELS)[number];

export type FromThread =
  | { kind: "loading"; file: string }
  | { kind: "ready"; manifest: Manifest }
  | { kind: "done"; id: number; json: string }
  | { kind: "failed"; id: number; fault: SerializedRefusal }
  /** A request to the host within the call `id`; `server` runs it with the rights of the server. */
  | { kind: "ask"; id: number; ask: number; functionName: string; server: boolean; args: string }
  | { kind: "line"; id: number | null; level: Level; message: string; facts: string };

export type ThreadData = {
  apiUrl: string;
  sources: Record<string, string>;
  entries: { file: string; url: string }[];
};
