import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { migrate } from "#platform/database";
import { createDatabase } from "../support/setup/global-setup.ts";

const MIGRATIONS = "db/migrations";
/** Numbers ids, so that the test can name rows. */
const uuid = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;
const [ADA, MIRA, NOOR, TOMAS] = [uuid(1), uuid(2), uuid(3), uuid(4)] as const;
const day = (n: number) => `2026-05-${String(n).padStart(2, "0")}T09:00:00Z`;

const folder = mkdtempSync(join(tmpdir(), "kith-before-cases-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Creates a database with the schema from before moderation cases existed. */
async function createEarlierDatabase() {
  for (const name of readdirSync(MIGRATIONS).filter((it) => it < "0032"))
    cpSync(`${MIGRATIONS}/${name}`, join(folder, name));
  const connection = await createDatabase(
    inject("server"),
    `kith_cases_${process.env["VITEST_POOL_ID"] ?? "0"}`,
  );
  await migrate(connection, folder, () => {});
  const client = new pg.Client(connection);
  await client.connect();
  return { connection, client };
}

const CONTENT = `
  insert into people (id, username, display_name, state, site_role, created_at) values
    ('${ADA}', 'ada', 'Ada', 'active', 'admin', now()), ('${MIRA}', 'mira', 'Mira', 'active', 'member', now()),
    ('${NOOR}', 'noor', 'Noor', 'active', 'member', now()), ('${TOMAS}', 'tomas', 'Tomas', 'active', 'member', now());
  insert into groups (id, slug, name, visibility, join_policy, created_at, last_active_at) values
    ('${uuid(10)}', 'garden', 'Garden', 'public', 'open', now(), now());
  insert into discussions (id, group_id, author_id, title, posts_count, last_number, last_post_at, created_at) values
    ('${uuid(11)}', '${uuid(10)}', '${MIRA}', 'Beans', 4, 4, now(), now());
  insert into posts (id, discussion_id, number, author_id, body_md, body_html, created_at)
    select ('00000000-0000-7000-8000-0000000000' || n)::uuid, '${uuid(11)}', n - 20, '${NOOR}',
      'Buy', '<p>Buy</p>', now()
    from generate_series(21, 24) n;
  insert into resources (id, kind, title, owner_id, created_at) values
    ('${uuid(30)}', 'document', 'Watering', '${NOOR}', now());
  insert into conversations (id, kind, creator_id, last_message_at, created_at)
    values ('${uuid(31)}', 'group', '${MIRA}', now(), now());`;

/** Reports of each kind: open, decided, and appealed ones. */
const REPORTS: [number, string, string | null, string, string, string?, string?, boolean?][] = [
  // Two open reports of one post, and an earlier one that was dismissed.
  [101, "post_id", uuid(21), MIRA, day(3)],
  [102, "post_id", uuid(21), TOMAS, day(4)],
  [103, "post_id", uuid(21), MIRA, day(1), day(2), "rejected"],
  // A removal, with an open appeal.
  [104, "post_id", uuid(22), MIRA, day(1), day(2), "upheld"],
  [105, "post_id", uuid(22), TOMAS, day(1), day(2), "upheld"],
  [106, "post_id", uuid(22), NOOR, day(3), undefined, undefined, true],
  // A removal whose appeal was decided, and one without a report.
  [107, "resource_id", uuid(30), MIRA, day(1), day(2), "upheld"],
  [108, "resource_id", uuid(30), NOOR, day(3), day(4), "rejected", true],
  [109, "post_id", uuid(23), NOOR, day(3), day(4), "upheld", true],
  [110, "person_id", NOOR, MIRA, day(5)],
  [111, "group_id", uuid(10), MIRA, day(5)],
  // Messages: each report is a case of its own.
  [112, "conversation_id", uuid(31), MIRA, day(5)],
  [113, "conversation_id", uuid(31), NOOR, day(5)],
  // The reported content has been deleted.
  [114, "post_id", null, MIRA, day(1), day(2), "upheld"],
  [115, "post_id", null, MIRA, day(5)],
];

async function insertReports(client: pg.Client) {
  await client.query(CONTENT);
  for (const [n, column, subject, reporter, at, resolvedAt, outcome, appeal = false] of REPORTS)
    await client.query(
      `insert into reports (id, ${column}, reporter_id, reason, created_at, resolved_at, resolved_by, outcome, note,
        answer, appeal) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        uuid(n),
        subject,
        reporter,
        `Reason ${n}`,
        at,
        resolvedAt,
        outcome && ADA,
        outcome,
        "Spoken to.",
        "",
        appeal,
      ],
    );
  await client.query(`insert into reported_messages (report_id, seq, author_id, body_html, written_at, chosen)
    select id, 1, '${NOOR}', '<p>Buy</p>', now(), true from reports`);
  await client.query(`insert into audit_events (id, at, actor_id, act, object_kind, object_id) values
    (gen_random_uuid(), '${day(2)}', '${ADA}', 'post.removed', 'post', '${uuid(22)}'),
    (gen_random_uuid(), '${day(2)}', '${ADA}', 'resource.removed', 'resource', '${uuid(30)}')`);
}

test("migration creates cases from all reports of a database without cases", async () => {
  const { connection, client } = await createEarlierDatabase();
  const rowsOf = async (query: string) => (await client.query(query)).rows;
  try {
    await insertReports(client);
    const REPORT = "select (to_jsonb(r) - 'case_id') as row from reports r order by id";
    const SNAPSHOT = "select * from reported_messages order by report_id";
    const [reports, snapshots] = [await rowsOf(REPORT), await rowsOf(SNAPSHOT)];
    await migrate(connection, MIGRATIONS, () => {});
    // Columns of later migrations have their defaults.
    const added = { category: "other", law: "", text_digest: null, by_guest: false };
    expect(await rowsOf(REPORT)).toEqual(reports.map(({ row }) => ({ row: { ...row, ...added } })));
    expect(await rowsOf(SNAPSHOT)).toEqual(snapshots);
    // Open cases get their risk: reporters and authors with a history count,
    // and an appeal has points of its own.
    const risks =
      await rowsOf(`select right(id::text, 3)::int as id, risk, (risk_factors->>'reporters')::int as
      reporters from cases where state = 'open' and id in ('${uuid(101)}', '${uuid(104)}', '${uuid(110)}')
      order by id`);
    expect(risks).toEqual([
      { id: 101, risk: 50, reporters: 2 },
      { id: 104, risk: 30, reporters: 0 },
      { id: 110, risk: 65, reporters: 1 },
    ]);
    const cases =
      await rowsOf(`select right(c.id::text, 3)::int as id, subject_kind as kind, right(subject_id::text, 2)::int
      as subject, group_id is not null as group, state, action, appeal, reports_count as count,
      to_char(reopened_at, 'DD') as reopened, to_char(c.resolved_at, 'DD') as resolved, array(
        select right(r.id::text, 3)::int from reports r where r.case_id = c.id order by 1) as reports
      from cases c order by c.id`);
    const row = (
      id: number,
      kind: string | null,
      subject: number | null,
      ids: number[],
      more: object = {},
    ) => ({
      id,
      kind,
      subject,
      reports: ids,
      group: kind === "post" && subject !== null,
      state: "open",
      action: null,
      appeal: false,
      count: ids.length,
      reopened: null,
      resolved: null,
      ...more,
    });
    expect(cases).toEqual([
      row(101, "post", 21, [101, 102]),
      row(103, "post", 21, [103], { state: "rejected", action: "none", resolved: "02" }),
      row(104, "post", 22, [104, 105, 106], { action: null, appeal: true, count: 1, reopened: "03" }),
      row(107, "resource", 30, [107, 108], {
        state: "resolved",
        action: "kept",
        appeal: true,
        count: 1,
        reopened: "03",
        resolved: "04",
      }),
      row(109, "post", 23, [109], { state: "resolved", action: "restored", appeal: true, resolved: "04" }),
      row(110, "person", 3, [110]),
      row(111, "group", 10, [111]),
      row(112, "messages", 31, [112]),
      row(113, "messages", 31, [113]),
      row(114, null, null, [114], { state: "resolved", action: "none", resolved: "02" }),
      row(115, null, null, [115]),
    ]);
  } finally {
    await client.end();
  }
});
