import type { Adapter } from "../archive/adapter.ts";
import { discourse } from "./discourse.ts";
import { csv } from "./csv.ts";
import { mbox } from "./mbox.ts";
import { ndjson } from "./ndjson.ts";
import { onOneLine } from "./on-one-line.ts";
import { slack } from "./slack.ts";
import { stackExchange } from "./stack-exchange.ts";

/** Adapters by the format name that the command takes. */
export const ADAPTERS = {
  ndjson,
  discourse: onOneLine(discourse),
  "stack-exchange": onOneLine(stackExchange),
  slack: onOneLine(slack),
  mbox: onOneLine(mbox),
  csv: onOneLine(csv),
} satisfies Record<string, Adapter>;
export type Format = keyof typeof ADAPTERS;
export const FORMATS = Object.keys(ADAPTERS) as Format[];
