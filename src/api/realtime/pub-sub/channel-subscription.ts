import { assertChannel, isCommunityChannel } from "#baas/messaging";
import { parseSelector, type Selector as Condition } from "#baas/data";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { Caller, ChannelSubscription } from "../realtime-caller.ts";

/** A message selector: its text and the parsed condition. */
export type MessageSelector = { text: string; condition: Condition };

/** Maximum selectors per connection, because each is evaluated for every message of its channel. */
const MAX_SELECTORS = 20;

/** Whether a channel is a pub/sub channel: all except the community's own. */
export const isPubSubChannel = (channel: string): boolean => !isCommunityChannel(channel);

type ChannelRequest = {
  id: string;
  channel: string;
  side: ChannelSubscription["side"];
  selector?: string | null | undefined;
};

/**
 * Reads a pub/sub subscription.
 * @throws `invalid` for the channel and the selector, `too-many`
 */
export function readChannelSubscription(
  caller: Caller,
  { id, channel, side, selector }: ChannelRequest,
): ChannelSubscription {
  assertChannel(channel);
  return {
    kind: "channel",
    id,
    channel,
    side,
    scopes: [],
    selector: selector?.trim() ? selectorOf(caller, id, selector) : null,
  };
}

function selectorOf(caller: Caller, id: string, text: string): MessageSelector {
  const others = [...caller.subscriptions.values()].filter(
    (it) => it.kind === "channel" && it.selector !== null && it.id !== id,
  );
  if (others.length >= MAX_SELECTORS)
    throw new Refusal(
      "too-many",
      msg("One connection can have at most {count} selectors.", { count: MAX_SELECTORS }),
    );
  return { text, condition: parseSelector(text) };
}
