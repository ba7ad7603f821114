import { expect, test } from "vitest";
import type { ConversationEntry, MessageView } from "#community/conversations";
import { groupMessagesByDay, isMessageGroup } from "./message-groups.ts";

const ana = { id: "1", username: "ana", name: "Ana", photoId: null, isBot: false };
const messageAt = (at: string, author: typeof ana | null, mine = false): MessageView => ({
  id: at,
  seq: 1,
  author,
  mine,
  html: "",
  stub: null,
  clientId: null,
  createdAt: new Date(at),
  editedAt: null,
  replyTo: null,
  reactions: [],
});

test("messages are grouped by day in the reader's time zone", () => {
  const messages = [messageAt("2026-05-04T21:30:00Z", ana), messageAt("2026-05-04T22:30:00Z", ana)];
  expect(groupMessagesByDay(messages, [], "UTC").map((day) => day.key)).toEqual(["2026-05-04"]);
  expect(groupMessagesByDay(messages, [], "Europe/Berlin").map((day) => day.key)).toEqual([
    "2026-05-04",
    "2026-05-05",
  ]);
});

test("consecutive messages of one person form a group, until someone else writes or time passes", () => {
  const messages = [
    messageAt("2026-05-04T09:00:00Z", ana),
    messageAt("2026-05-04T09:05:00Z", ana),
    messageAt("2026-05-04T09:06:00Z", null, true),
    messageAt("2026-05-04T09:07:00Z", ana),
    messageAt("2026-05-04T12:00:00Z", ana),
  ];
  expect(
    groupMessagesByDay(messages, [], "UTC")[0]!.entries.map((it) => isMessageGroup(it) && it.messages.length),
  ).toEqual([2, 1, 1, 1]);
});

test("membership entries are placed after the messages before them, under their own day", () => {
  const line = (afterSeq: number, at: string): ConversationEntry => ({
    id: at,
    afterSeq,
    kind: "added",
    by: ana,
    byViewer: false,
    person: ana,
    name: "",
    at: new Date(at),
  });
  const messages = [
    messageAt("2026-05-04T09:00:00Z", ana),
    { ...messageAt("2026-05-04T09:01:00Z", ana), seq: 2 },
  ];
  const lines = [
    line(0, "2026-05-03T09:00:00Z"),
    line(1, "2026-05-04T09:00:30Z"),
    line(2, "2026-05-05T09:00:00Z"),
  ];
  const shape = groupMessagesByDay(messages, lines, "UTC").map((day) => [
    day.key,
    day.entries.map((it) => (isMessageGroup(it) ? "turn" : it.afterSeq)),
  ]);
  expect(shape).toEqual([
    ["2026-05-03", [0]],
    ["2026-05-04", ["turn", 1, "turn"]],
    ["2026-05-05", [2]],
  ]);
});
