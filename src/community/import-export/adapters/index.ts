import { keysOf } from "#platform/objects";
import type { Adapter } from "../archive/adapter.ts";
import { discourseAdapter } from "./discourse/discourse.ts";
import { csvAdapter } from "./csv.ts";
import { mboxAdapter } from "./mbox/mbox.ts";
import { ndjsonAdapter } from "./ndjson.ts";
import { withOneLineHeadings } from "./one-line-headings.ts";
import { slackAdapter } from "./slack/slack.ts";
import { stackExchangeAdapter } from "./stack-exchange.ts";

/** Adapters by the format name that the command takes. */
export const ADAPTERS = {
  ndjson: ndjsonAdapter,
  discourse: withOneLineHeadings(discourseAdapter),
  "stack-exchange": withOneLineHeadings(stackExchangeAdapter),
  slack: withOneLineHeadings(slackAdapter),
  mbox: withOneLineHeadings(mboxAdapter),
  csv: withOneLineHeadings(csvAdapter),
} satisfies Record<string, Adapter>;
export type Format = keyof typeof ADAPTERS;
export const FORMATS = keysOf(ADAPTERS);
