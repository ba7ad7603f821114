import type { MessagesPage } from "#community/conversations";

/** What stood on the page, and what stands there now, as one: what was above the new ones stays. Where they do not meet, the new ones alone. */
export function merged(before: MessagesPage, now: MessagesPage): MessagesPage {
  const first = now.messages[0]?.seq ?? Number.POSITIVE_INFINITY;
  const meets = before.messages.some(({ seq }) => seq >= first);
  const above = meets ? before.messages.filter(({ seq }) => seq < first) : [];
  return { ...now, messages: [...above, ...now.messages], hasOlder: above.length > 0 ? before.hasOlder : now.hasOlder };
}
