import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { runImport, exportCommunity } from "../index.ts";
import {
  hashFiles,
  db,
  createDemoCommunity,
  emptyDatabase,
  folder,
  EXCLUDED_COLUMNS,
  readTables,
  transfer,
  within,
} from "../../../../test/support/import-export/second-community.ts";
import { EXCLUDED_TABLES } from "../../../../test/support/import-export/excluded-tables.ts";

test("every table is exported or listed as excluded with a reason", async () => {
  const known = [
    ...Object.keys(EXCLUDED_COLUMNS),
    "imported_accounts",
    ...Object.values(EXCLUDED_TABLES).flat(),
  ];
  const all = await many(
    db,
    sql<{
      name: string;
    }>`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  expect(known.toSorted()).toEqual(all.map(({ name }) => name));
  const excludedList = (await readFile("docs/interchange.md", "utf8"))
    .split("\nNot in it:\n")[1]!
    .trim()
    .split("\n\n")[0]!;
  expect(
    excludedList
      .split("\n")
      .slice(2)
      .map((row) => row.split("|")[1]!.trim()),
  ).toEqual(Object.keys(EXCLUDED_TABLES));
});

test(
  "a community that was exported and imported has the same rows and exports to identical bytes",
  { timeout: 60_000 },
  async () => {
    const t = await createDemoCommunity();
    const before = await readTables();
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
    const [first, again, later] = [
      join(await folder(), "a"),
      join(await folder(), "b"),
      join(await folder(), "c"),
    ];
    const left = await exportCommunity(t, first);
    await exportCommunity(t, again);
    expect(await hashFiles(again)).toEqual(await hashFiles(first));

    await emptyDatabase();
    const there = await transfer();
    const importRun = await runImport(there, { format: "ndjson", path: first, check: false, by: null });
    expect([importRun.state, importRun.problems]).toEqual(["done", 0]);
    expect(
      Object.fromEntries(Object.entries(importRun.counts).map(([kind, { made }]) => [kind, made])),
    ).toEqual(left.records);
    const after = await readTables();
    for (const table of Object.keys(EXCLUDED_COLUMNS))
      expect([table, after[table]]).toEqual([table, before[table]]);

    await exportCommunity(there, later);
    expect(await hashFiles(later)).toEqual(await hashFiles(first));
  },
);

test("importing an export into its own community adds nothing", { timeout: 60_000 }, async () => {
  const t = await createDemoCommunity();
  const before = await readTables();
  const path = join(await folder(), "all.zip");
  await exportCommunity(t, path);
  const importRun = await runImport(t, { format: "ndjson", path, check: false, by: null });
  expect(
    Object.values(importRun.counts)
      .flatMap(({ refused = 0 }) => refused)
      .reduce((all, one) => all + one, 0),
  ).toBe(0);
  expect(await readTables()).toEqual(before);
});

test("a zip has the same content as a folder, and is reproducible", { timeout: 60_000 }, async () => {
  const t = await createDemoCommunity();
  const [one, two] = [join(await folder(), "a.zip"), join(await folder(), "b.zip")];
  const left = await exportCommunity(t, one);
  await exportCommunity(t, two);
  expect(Object.values(await hashFiles(two))).toEqual(Object.values(await hashFiles(one)));
  await emptyDatabase();
  const importRun = await runImport(await transfer(), {
    format: "ndjson",
    path: one,
    check: false,
    by: null,
  });
  expect([importRun.problems, importRun.counts.file?.made]).toEqual([0, left.records["file"]]);
  expect(await readdir(join(one, ".."))).toEqual(["a.zip"]);
});

test("an export contains no passwords, site roles, unfinished accounts or profiles of people who left", async () => {
  const t = await createDemoCommunity();
  await within(async (tx) => {
    await run(
      tx,
      sql`update people set password_hash = 'secret-hash', bio_md = 'A life.' where username = 'tomas'`,
    );
    await run(
      tx,
      sql`update people set state = 'deactivated', deactivated_at = ${tx.now} where username = 'tomas'`,
    );
    await run(
      tx,
      sql`update people set state = 'unverified'
        where username = (select username from people p
          where not exists (select from posts where author_id = p.id) limit 1)`,
    );
    await run(tx, sql`update groups set state = 'deleted' where slug = 'long-beds'`);
    const of = sql`select id from people where username = 'mira'`;
    await run(
      tx,
      sql`insert into people (id, username, display_name, state, site_role, trust, locale, time_zone, theme,
        pronouns, location, bio_md, bio_html, fields, privacy,
            photo_alt, header_alt, header_style, join_reason, mail_level, created_at)
          select ${tx.newId()}, 'guest.00ff00', 'Guest', 'guest', site_role, trust, locale, time_zone, theme,
            '', '', '', '', fields, privacy,
            '', '', header_style, '', mail_level, ${tx.now} from people where id = (${of})`,
    );
  });
  const path = join(await folder(), "a");
  const { records } = await exportCommunity(t, path);
  const text = await readFile(join(path, "community.ndjson"), "utf8");
  for (const secret of [
    "secret-hash",
    "A life.",
    "tomas@example.org",
    '"admin"',
    "long-beds",
    "guest.00ff00",
  ])
    expect([secret, text.includes(secret)]).toEqual([secret, false]);
  expect(records["user"]).toBeGreaterThan(10);
  const importRun = await runImport(await transfer(), { format: "ndjson", path, check: true, by: null });
  expect(importRun.problems).toBe(0);
});

test("an export is readable by its owner only", async () => {
  const t = await createDemoCommunity();
  const root = await folder();
  await exportCommunity(t, join(root, "a"));
  await exportCommunity(t, join(root, "b.zip"));
  const all = (await readdir(root, { recursive: true, withFileTypes: true })).map((it) =>
    join(it.parentPath, it.name),
  );
  const modes = await Promise.all(
    all.map(async (it) =>
      [(await stat(it)).isDirectory(), ((await stat(it)).mode & 0o777).toString(8)].join(" "),
    ),
  );
  expect([all.length > 10, [...new Set(modes)].sort()]).toEqual([true, ["false 600", "true 700"]]);
});

test("an export that cannot read a file fails and leaves nothing behind", async () => {
  const t = await createDemoCommunity();
  const root = await folder();
  const storage = { ...t.storage, open: () => Promise.reject(new Error("The disk is away.")) };
  await expect(exportCommunity({ ...t, storage }, join(root, "a.zip"))).rejects.toThrow("The disk is away.");
  expect(await readdir(root)).toEqual([]);
});

test("an export never overwrites an existing file", async () => {
  const t = await transfer();
  const path = join(await folder(), "a");
  await exportCommunity(t, path);
  await expect(exportCommunity(t, path)).rejects.toMatchObject({ reason: "conflict" });
});
