import type { MessagesPage } from "#community/conversations";

/**
 * Merges the loaded messages with the current ones: earlier loaded messages stay. If messages are missing
 * between the loaded and the current ones, returns only the current ones.
 */
export function mergeMessages(before: MessagesPage, now: MessagesPage): MessagesPage {
  const first = now.messages[0]?.seq ?? Number.POSITIVE_INFINITY;
  const meets = before.messages.some(({ seq }) => seq >= first);
  const above = meets ? before.messages.filter(({ seq }) => seq < first) : [];
  return {
    ...now,
    messages: [...above, ...now.messages],
    hasOlder: above.length > 0 ? before.hasOlder : now.hasOlder,
  };
}
