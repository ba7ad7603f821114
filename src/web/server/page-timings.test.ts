import { expect, test, vi } from "vitest";
import type { Log } from "#platform/log";
import { GUEST, type Viewer } from "#community/rules";
import { logSlowPage, serverTiming } from "./page-timings.ts";

const queries = {
  count: 4,
  milliseconds: 12.345,
  slowest: { sql: "select *\n  from posts", milliseconds: 9.6 },
};
const viewer = (role: Viewer["role"]): Viewer => ({ id: "1", role, trust: "established", limited: false });
const HEADER = 'db;dur=12.3;desc="4 queries", render;dur=2.5, total;dur=20.0';

test.each([
  ["admin", viewer("admin"), true, HEADER],
  ["moderator", viewer("moderator"), true, null],
  ["member", viewer("member"), true, null],
  ["guest", GUEST, true, null],
  ["guest in development", GUEST, false, HEADER],
])(
  "server timing is sent to admins, and to everyone in development (%s)",
  (_who, who, production, header) => {
    const ctx = { viewer: who, renderTime: 2.5 };
    expect(serverTiming(ctx, { milliseconds: 20, queries }, production)).toBe(header);
  },
);

test("a slow page is logged with its route and slowest query, without ids and secrets", () => {
  const warn = vi.fn<Log["warn"]>();
  const log = { warn } as unknown as Log;
  const id = "01a2126a-9bd2-7292-a47c-e67d2e287077";
  logSlowPage(log, `/discussions/${id}.data?post=3`, { milliseconds: 1_499.6, queries });
  logSlowPage(log, `/invitations/${"x".repeat(43)}`, {
    milliseconds: 1_000,
    queries: { ...queries, slowest: null },
  });
  logSlowPage(log, "/groups", { milliseconds: 999, queries });
  expect(warn.mock.calls).toEqual([
    [
      {
        route: "/discussions/….data",
        ms: 1500,
        queries: 4,
        databaseMs: 12,
        slowestMs: 10,
        slowest: "select * from posts",
      },
      "a slow page",
    ],
    [{ route: "/invitations/…", ms: 1000, queries: 4, databaseMs: 12 }, "a slow page"],
  ]);
});
