import { getDueMessage, type PublishedMessage } from "#baas/messaging";
import { matchesSelector } from "#baas/data";
import type { DomainEvent } from "#platform/outbox";
import type { RealtimeContext, SubscriptionRegistry } from "../subscription-registry.ts";

/**
 * Delivers a message to clients connected to its channel that listen for messages. Each distinct selector is
 * evaluated once.
 */
export function deliverMessage(
  subscriptions: SubscriptionRegistry,
  { channel, message }: PublishedMessage,
): void {
  const connected = subscriptions.on(channel, "connect");
  const answers = new Map<string, boolean>();
  for (const [caller, ids] of subscriptions.on(channel, "messages")) {
    if (!connected.has(caller)) continue;
    for (const id of ids) {
      const subscription = caller.subscriptions.get(id);
      if (subscription?.kind !== "channel") continue;
      const { selector } = subscription;
      if (selector !== null && !answers.has(selector.text))
        answers.set(selector.text, matchesSelector(selector.condition, message.headers));
      if (selector === null || answers.get(selector.text)) caller.send("SUB_RES", { id, data: message });
    }
  }
}

/** Delivers a scheduled message that is due, if anyone listens. */
export async function deliverScheduledMessage(
  app: Pick<RealtimeContext, "channels">,
  subscriptions: SubscriptionRegistry,
  { channel, messageId, at }: DomainEvent,
): Promise<void> {
  if (subscriptions.on(String(channel), "messages").size === 0) return;
  const due = await getDueMessage(app.channels, String(messageId), new Date(Number(at)));
  if (due) deliverMessage(subscriptions, due);
}
