import type { Adapter } from "../archive/adapter.ts";
import { discourse } from "./discourse.ts";
import { csv } from "./csv.ts";
import { mbox } from "./mbox.ts";
import { ndjson } from "./ndjson.ts";
import { slack } from "./slack.ts";
import { stackExchange } from "./stack-exchange.ts";

/** What can be read, by the name that the command takes. */
export const ADAPTERS = { ndjson, discourse, "stack-exchange": stackExchange, slack, mbox, csv } satisfies Record<string, Adapter>;
export type Format = keyof typeof ADAPTERS;
export const FORMATS = Object.keys(ADAPTERS) as Format[];
