import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { createTestUsers } from "../../../test/support/test-users.ts";
import {
  postRecord,
  userRecord,
  archiveText,
  discussionRecord,
  groupRecord,
} from "../../../test/support/import-export/sample-archive.ts";
import { runImport, resolveOldPath, undoImport } from "./index.ts";
import {
  count,
  database,
  db,
  describeProblems,
  transfer,
  importOptions,
  write,
} from "../../../test/support/import-export/import-setup.ts";

describe("people in an imported archive", () => {
  test("match accounts with a confirmed email, or else become imported accounts", async () => {
    const { mira } = await createTestUsers(database);
    await run(db, sql`update people set email_confirmed_at = now() where id = ${mira.id}`);
    const users = [
      userRecord("known", { email: "Mira@Example.org" }),
      userRecord("unconfirmed", { email: "tomas@example.org" }),
      userRecord("mira"),
      userRecord("admin", { name: "Zoë O." }),
      userRecord("x", { username: "Ünïcödé ☃", role: "admin", state: "active" }),
    ];
    await runImport(await transfer(), {
      ...importOptions,
      path: await write({ "community.ndjson": archiveText(...users) }),
    });
    const accounts = await many(
      db,
      sql<{ source: string; username: string; state: string; role: string; local: string }>`
        select i.source_id as source, p.username, p.state, p.site_role as role, p.id as local
        from imported_records i join people p on p.id = i.local_id order by 1`,
    );
    expect(accounts.map(({ source, username, state, role }) => [source, username, state, role])).toEqual([
      ["admin", "admin2", "ghost", "member"],
      ["known", "mira", "active", "member"],
      ["mira", "mira2", "ghost", "member"],
      ["unconfirmed", "unconfirmed", "ghost", "member"],
      ["x", "uenicoede", "ghost", "member"],
    ]);
    expect(accounts.find(({ source }) => source === "known")!.local).toBe(mira.id);
  });

  test("with the same email become one account that both old paths lead to", async () => {
    const { mira } = await createTestUsers(database);
    await run(db, sql`update people set email_confirmed_at = now() where id = ${mira.id}`);
    const users = [
      userRecord("mira", { email: "mira@example.org", oldPaths: ["/u/mira"] }),
      userRecord("kim", { email: "kim@example.org", oldPaths: ["/u/kim"] }),
      userRecord("kim-of-old", { email: "Kim@Example.org", oldPaths: ["/u/kim-of-old"] }),
    ];
    const path = await write({ "community.ndjson": archiveText(...users) });
    const t = await transfer();
    const check = await runImport(t, { ...importOptions, path, check: true });
    const it = await runImport(t, { ...importOptions, path });
    for (const { counts } of [check, it]) expect(counts).toEqual({ user: { made: 1, known: 2 } });
    for (const [old, username] of [
      ["/u/mira", "mira"],
      ["/u/kim", "kim"],
      ["/u/kim-of-old", "kim"],
    ] as const)
      expect([old, await resolveOldPath(db, mira, old)]).toEqual([old, { kind: "person", username }]);
    await undoImport(t, { runId: it.id, by: null, includeNewContent: false });
    expect([await count("imported_accounts"), await count("address_redirects")]).toEqual([0, 0]);
  });

  test("keep up to sixty profile fields; further fields are dropped with a warning", async () => {
    const linesOf = (n: number) =>
      Array.from({ length: n }, (_, i) => ({ label: `Line ${i + 1}`, value: "x", audience: "members" }));
    const text = archiveText(
      userRecord("plato", { fields: linesOf(60) }),
      userRecord("zeno", { fields: linesOf(61) }),
      groupRecord(),
      discussionRecord(),
      postRecord(1),
    );
    const it = await runImport(await transfer(), {
      ...importOptions,
      path: await write({ "community.ndjson": text }),
    });
    expect(await describeProblems(it.id)).toEqual([
      "line 3: Its profile has 61 fields: only the first 60 were imported.",
    ]);
    expect(it.counts).toMatchObject({ user: { made: 2 }, post: { made: 1 } });
    const kept = sql`select jsonb_array_length(fields) as lines, fields -> -1 ->> 'label' as last from people
      order by username`;
    expect(await many(db, kept)).toEqual([
      { lines: 60, last: "Line 60" },
      { lines: 60, last: "Line 60" },
    ]);
  });
});
