import { assertChannel, isOwn } from "#backend/channels";
import { readSelector, type Selector as Condition } from "#backend/tables";
import { Refusal } from "#platform/refusal";
import type { Caller, Listening } from "../caller.ts";

/** A message selector: its text and the parsed condition. */
export type Selector = { text: string; condition: Condition };

/** Selectors per connection: each is evaluated for every message of its channel. */
const MOST_SELECTORS = 20;

/** Whether a channel is a pub/sub channel: all except the community's own. */
export const isFree = (channel: string): boolean => !isOwn(channel);

type Asked = { id: string; channel: string; side: Listening["side"]; selector?: string | null | undefined };

/**
 * Reads a pub/sub subscription.
 * @throws `invalid` for the channel and the selector, `too-many`
 */
export function listening(caller: Caller, { id, channel, side, selector }: Asked): Listening {
  assertChannel(channel);
  return { kind: "channel", id, channel, side, scopes: [], selector: selector?.trim() ? selectorOf(caller, id, selector) : null };
}

function selectorOf(caller: Caller, id: string, text: string): Selector {
  const others = [...caller.subscriptions.values()].filter((it) => it.kind === "channel" && it.selector !== null && it.id !== id);
  if (others.length >= MOST_SELECTORS) throw new Refusal("too-many", `One connection can have ${MOST_SELECTORS} selectors.`);
  return { text, condition: readSelector(text) };
}
