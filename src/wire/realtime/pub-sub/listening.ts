import { assertChannel, isOwn } from "#backend/channels";
import { readSelector, type Selector as Condition } from "#backend/tables";
import { Refusal } from "#platform/refusal";
import type { Caller, Listening } from "../caller.ts";

/** Which messages somebody wants to hear: what they wrote, and what it means. */
export type Selector = { text: string; condition: Condition };

/** Selectors of one connection: each is asked about each message of its channel. */
const MOST_SELECTORS = 20;

/** Whether a channel is for programs: all are but those of the community. */
export const isFree = (channel: string): boolean => !isOwn(channel);

type Asked = { id: string; channel: string; side: Listening["side"]; selector?: string | null | undefined };

/** Reads what somebody wants to hear on a channel of programs. Throws `invalid` for the channel and the selector, `too-many`. */
export function listening(caller: Caller, { id, channel, side, selector }: Asked): Listening {
  assertChannel(channel);
  return { kind: "channel", id, channel, side, scopes: [], selector: selector?.trim() ? selectorOf(caller, id, selector) : null };
}

function selectorOf(caller: Caller, id: string, text: string): Selector {
  const others = [...caller.subscriptions.values()].filter((it) => it.kind === "channel" && it.selector !== null && it.id !== id);
  if (others.length >= MOST_SELECTORS) throw new Refusal("too-many", `One connection can have ${MOST_SELECTORS} selectors.`);
  return { text, condition: readSelector(text) };
}
