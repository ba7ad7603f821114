import { expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { runImport } from "../index.ts";
import {
  db,
  createDemoCommunity,
  emptyDatabase,
  EXCLUDED_COLUMNS,
  readTables,
  transfer,
} from "../../../../test/support/import-export/second-community.ts";
import {
  readGroupPages,
  exportTestGroup,
} from "../../../../test/support/import-export/group-export-setup.ts";

async function scene() {
  const t = await createDemoCommunity();
  const { id } = await one(db, sql<{ id: string }>`select id from people where username = 'mira'`);
  const mira: SignedIn = { id, role: "member", trust: "established", limited: false };
  const groups = await many(
    db,
    sql<{ id: string }>`
      select g.id from memberships m join groups g on g.id = m.group_id and g.state in ('active', 'archived')
      where m.person_id = ${id} and m.state = 'member' and m.role = 'owner' order by g.id`,
  );
  return { ...t, mira, groups: groups.map((it) => it.id) };
}

test(
  "an exported group looks the same to its owner after import, even if it is imported several times",
  { timeout: 90_000 },
  async () => {
    const { storage, mira, groups } = await scene();
    expect(groups.length).toBeGreaterThan(2);
    const exports = [];
    for (const id of groups)
      exports.push({
        id,
        path: await exportTestGroup(storage, mira, id),
        read: await readGroupPages(mira, id),
      });
    const stubs = exports.flatMap(({ read }) =>
      read.discussions.flatMap(({ posts }) => posts.flatMap(({ stub }) => stub ?? [])),
    );
    expect([...new Set(stubs)].sort()).toEqual(["deleted", "moved", "removed"]);
    await emptyDatabase();
    const there = await transfer();
    for (const { id, path, read } of exports) {
      const looked = await runImport(there, { format: "ndjson", path, check: true, by: null });
      const importRun = await runImport(there, { format: "ndjson", path, check: false, by: null });
      expect([importRun.state, importRun.problems, looked.problems]).toEqual(["done", 0, 0]);
      expect(await readGroupPages(mira, id)).toEqual(read);
    }
    const once = await readTables();
    for (const { path } of exports)
      await runImport(there, { format: "ndjson", path, check: false, by: null });
    expect(await readTables()).toEqual(once);
    // Every other table stays empty, apart from rows of the people named.
    const empties = Object.keys(EXCLUDED_COLUMNS).filter((table) => once[table]!.length === 0);
    expect(empties).toEqual(
      expect.arrayContaining([
        "conversations",
        "messages",
        "read_positions",
        "bookmarks",
        "resource_follows",
        "friendships",
        "blocks",
        "poll_votes",
        "settings",
      ]),
    );
    expect(
      await many(
        db,
        sql`select 1 from imported_accounts union all select 1 from people
          where email is not null or bio_md <> ''`,
      ),
    ).toEqual([]);
  },
);
