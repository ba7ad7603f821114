import { expect, test } from "vitest";
import type { MessagesPage, MessageView } from "#community/conversations";
import { mergeMessages } from "./merge-messages.ts";

const page = (from: number, to: number, more: Partial<MessagesPage> = {}): MessagesPage => ({
  messages: Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => ({ seq: from + n }) as MessageView),
  hasOlder: from > 1,
  hasNewer: false,
  ...more,
});
const range = ({ messages, hasOlder }: MessagesPage) => [
  messages[0]?.seq,
  messages.at(-1)?.seq,
  messages.length,
  hasOlder,
];

test("overlapping pages of messages are merged without duplicates", () => {
  expect(range(mergeMessages(page(1, 50), page(4, 53)))).toEqual([1, 53, 53, false]);
  expect(range(mergeMessages(page(10, 59), page(12, 61)))).toEqual([10, 61, 52, true]);
});

test("only the current page remains if it does not overlap the earlier page", () => {
  expect(range(mergeMessages(page(1, 50), page(71, 120)))).toEqual([71, 120, 50, true]);
});

test("hidden messages are dropped", () => {
  const now = page(4, 53);
  now.messages = now.messages.filter(({ seq }) => seq !== 20);
  expect(mergeMessages(page(1, 50), now).messages.map(({ seq }) => seq)).not.toContain(20);
  expect(range(mergeMessages(page(1, 2), page(1, 0)))).toEqual([undefined, undefined, 0, false]);
});
