import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { many, one, sql } from "#platform/database";
import { getConversation } from "#community/conversations";
import type { SignedIn } from "#community/rules";
import {
  userRecord,
  archiveText,
  discussionRecord,
  groupRecord,
} from "../../../../test/support/import-export/sample-archive.ts";
import {
  database,
  db,
  describeProblems,
  transfer,
  importOptions,
  write,
} from "../../../../test/support/import-export/import-setup.ts";
import { runImport } from "../index.ts";

const bring = async (...records: object[]) => {
  const run = await runImport(await transfer(), {
    ...importOptions,
    path: await write({ "community.ndjson": archiveText(...records) }),
  });
  return { run, problems: await describeProblems(run.id) };
};
const listJobs = () =>
  many(
    db,
    sql<{ at: Date }>`select run_at as at from graphile_worker.jobs where task_identifier = 'due' order by 1`,
  );

describe("a scheduled change in an archive", () => {
  const soon = () => addMilliseconds(database.clock.at, 3 * DAY);
  const opens = (more: object) =>
    groupRecord({ visibility: "private", opens: { visibility: "public", joinPolicy: "open", ...more } });
  const getScheduledChange = () =>
    one(
      db,
      sql<{ to: string | null; at: Date | null }>`select wider_visibility as to, wider_at as at from groups`,
    );

  test("widens visibility at its time", async () => {
    await bring(opens({ at: soon().toISOString() }));
    expect([await getScheduledChange(), await listJobs()]).toEqual([
      { to: "public", at: soon() },
      [{ at: soon() }],
    ]);
  });

  test("widens visibility in seven days if its time has passed", async () => {
    await bring(opens({ at: "2020-03-01" }));
    expect(await getScheduledChange()).toEqual({
      to: "public",
      at: addMilliseconds(database.clock.at, 7 * DAY),
    });
  });

  test("gets ignored if it does not widen visibility", async () => {
    await bring(opens({ at: soon().toISOString(), visibility: "private" }));
    expect([await getScheduledChange(), await listJobs()]).toEqual([{ to: null, at: null }, []]);
  });

  test("closes a discussion in the name of the person who scheduled it, or of its author if unknown", async () => {
    const timer = { kind: "close", at: soon().toISOString(), reason: "The sale is over." };
    const { problems } = await bring(
      userRecord("plato"),
      userRecord("zeno"),
      groupRecord(),
      discussionRecord({ id: "a", title: "First of all", timer: { ...timer, by: "plato" } }),
      discussionRecord({
        id: "b",
        title: "Second of all",
        timer: { ...timer, by: "nobody" },
        author: "zeno",
      }),
    );
    const timed = sql<object>`
      select d.timer, d.timer_at as at, p.username as by, d.timer_reason as reason from discussions d
      join people p on p.id = d.timer_by order by title`;
    const closes = { timer: "close", at: soon(), reason: "The sale is over." };
    expect([problems, await many(db, timed), await listJobs()]).toEqual([
      [],
      [
        { ...closes, by: "plato" },
        { ...closes, by: "zeno" },
      ],
      [{ at: soon() }],
    ]);
  });

  test("to close a discussion that is already closed is dropped with a warning", async () => {
    const at = soon().toISOString();
    const { problems } = await bring(
      userRecord("plato"),
      groupRecord(),
      discussionRecord({ lockedAt: "2020-01-01", timer: { kind: "close", at } }),
    );
    expect(problems).toEqual([
      "line 4: It has a timer to close, which has already happened: imported without the timer.",
    ]);
    expect(await many(db, sql`select timer from discussions`)).toEqual([{ timer: null }]);
  });
});

describe("an imported conversation", () => {
  test("keeps its entries about members and names, except about unknown people", async () => {
    const at = "2019-03-02T08:00:00Z";
    await bring(userRecord("plato"), userRecord("zeno"), {
      type: "conversation",
      id: "v",
      kind: "group",
      name: "Walks",
      creator: "plato",
      participants: [{ user: "plato" }, { user: "zeno" }],
      lines: [
        { id: "1", kind: "added", after: 0, by: "plato", user: "zeno", at },
        { id: "2", kind: "added", after: 0, by: "plato", user: "nobody", at },
        { id: "3", kind: "renamed", after: 0, by: "nobody", name: "Walks", at },
      ],
      createdAt: "2019-03-01",
    });
    const { id } = await one(db, sql<{ id: string }>`select id from people where username = 'plato'`);
    const plato: SignedIn = { id, role: "member", trust: "new", limited: false };
    const talk = await one(db, sql<{ id: string }>`select id from conversations`);
    const { entries } = await getConversation(db, plato, talk.id);
    expect(entries.map(({ kind, person, name }) => [kind, person?.username ?? null, name])).toEqual([
      ["added", "zeno", ""],
      ["renamed", null, "Walks"],
    ]);
  });
});
