import { expect, test } from "vitest";
import { NO_FILTER, filterRows } from "./sidebar-filter.tsx";

const row = (title: string, mine = false) => ({
  id: title,
  title,
  language: "en",
  unread: 0,
  firstUnread: null,
  pinned: false,
  locked: false,
  mine,
});
const ROWS = [
  row("Épinards d’été", true),
  row("Who has the long ladder?"),
  row("LADDER, long, to give away", true),
  row("نقاشات الحديقة"),
];
const found = (words: string, mine = false) => filterRows(ROWS, { words, mine }).map(({ title }) => title);

test("the sidebar list is complete without a filter", () => {
  expect(filterRows(ROWS, NO_FILTER)).toEqual(ROWS);
  expect(found("  ")).toHaveLength(4);
});

test.each([
  ["epin", ["Épinards d’été"]],
  ["ÉTÉ", ["Épinards d’été"]],
  ["long ladder", ["Who has the long ladder?", "LADDER, long, to give away"]],
  ["  ladder  give ", ["LADDER, long, to give away"]],
  ["الحديقة", ["نقاشات الحديقة"]],
  ["shovel", []],
  ["(.*", []],
])("the filter %j finds the titles that contain each of its words", (words, titles) => {
  expect(found(words)).toEqual(titles);
});

test("the filter for own discussions can be combined with words", () => {
  expect(found("", true)).toEqual(["Épinards d’été", "LADDER, long, to give away"]);
  expect(found("ladder", true)).toEqual(["LADDER, long, to give away"]);
});
