import type { Adapter } from "../archive/adapter.ts";
import { ndjson } from "./ndjson.ts";

/** What can be read, by the name that the command takes. */
export const ADAPTERS = { ndjson } satisfies Record<string, Adapter>;
export type Format = keyof typeof ADAPTERS;
export const FORMATS = Object.keys(ADAPTERS) as Format[];
