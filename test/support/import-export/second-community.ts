import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { many, run, sql } from "#platform/database";
import { createFolderStorage } from "#platform/storage";
import { takeSnapshot } from "../postgres/snapshot.ts";
import { testDatabase } from "../setup/test-database.ts";
import { createImportSetup } from "./sample-archive.ts";
import { createFullCommunity } from "./full-community.ts";

export const database = await testDatabase();
export const { db, inTransaction: within } = database;
export const { folder, transfer } = createImportSetup(database);

/** Creates a folder that lasts until the tests of the file have ended. */
export async function createFileFolder() {
  const path = await mkdtemp(join(tmpdir(), "kith-full-community-"));
  afterAll(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** The full community is created once per file: each test gets copies of its rows and files. */
export const filesOfCommunity = await createFileFolder();
const { database: _, storage: __, ...ids } = await createFullCommunity(database, filesOfCommunity);
const restoreCommunity = await takeSnapshot(database);
const lastChange = database.clock.at;

/** Fills the empty database with the full community, at the time of its last change. */
export const createDemoCommunity = () => restoreWithFiles(restoreCommunity, filesOfCommunity);

/** Inserts a snapshot into the empty database, and copies the files that belong to it. */
export async function restoreWithFiles(restore: () => Promise<void>, files: string) {
  const copy = await folder();
  await cp(files, copy, { recursive: true });
  await restore();
  database.clock.at = lastChange;
  return { database, storage: createFolderStorage(copy), ...ids };
}

/** For each table, the columns that an archive does not contain: permissions and sign-in data. */
export const EXCLUDED_COLUMNS: Record<string, string[]> = {
  people: [
    "password_hash",
    "password_changed_at",
    "site_role",
    "trust",
    "state",
    "email",
    "email_confirmed_at",
    "seen_at",
    "updated_at",
  ],
  groups: [],
  group_rule_versions: [],
  group_start_items: ["id"],
  memberships: [],
  friendships: [],
  blocks: [],
  mutes: [],
  discussions: [],
  discussion_entries: [],
  former_discussions: [],
  former_posts: [],
  bookmarks: [],
  posts: [],
  post_revisions: [],
  post_mentions: ["created_at"],
  polls: [],
  poll_options: [],
  poll_votes: [],
  reactions: [],
  read_positions: [],
  conversations: [],
  participants: [],
  conversation_entries: [],
  messages: [],
  hidden_messages: [],
  message_reactions: [],
  uploads: [],
  resources: [],
  resource_versions: [],
  resource_uses: [],
  collections: [],
  collection_items: [],
  collection_curators: [],
  resource_follows: [],
  resource_bookmarks: [],
  event_series: [],
  calendar_events: [],
  calendar_occurrences: ["day_reminder_at", "hour_reminder_at"],
  event_hosts: [],
  attendances: [],
  date_polls: ["client_id"],
  date_poll_times: [],
  date_poll_answers: [],
  settings: ["changed_at", "changed_by"],
  address_redirects: ["run_id"],
  former_usernames: [],
  mail_suppressions: [],
  notification_choices: [],
  notification_settings: ["digest_sent_at"],
};

/** Unfinished registrations are not exported. */
const EXPORTED_ROWS: Record<string, ReturnType<typeof sql>> = {
  people: sql`where t.state not in ('unverified', 'pending_approval')`,
};

export const readTables = async () =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(EXCLUDED_COLUMNS).map(async ([table, without]) => {
        const rows = await many(
          db,
          sql<{
            row: string;
          }>`select (to_jsonb(t) - ${without}::text[])::text as row from ${sql.table(table)} t
            ${EXPORTED_ROWS[table] ?? sql``} order by 1`,
        );
        return [table, rows.map(({ row }) => JSON.parse(row) as unknown)] as const;
      }),
    ),
  );

/** Returns every file below a folder, with the hash of its bytes. */
export async function hashFiles(path: string): Promise<Record<string, string>> {
  const names = (await stat(path)).isDirectory()
    ? (await readdir(path, { recursive: true, withFileTypes: true })).filter((it) => it.isFile())
    : [];
  const paths = names.map((it) => join(it.parentPath, it.name)).sort();
  const all = await Promise.all(
    (paths.length > 0 ? paths : [path]).map(
      async (it) =>
        [
          it.slice(path.length),
          createHash("sha256")
            .update(await readFile(it))
            .digest("hex"),
        ] as const,
    ),
  );
  return Object.fromEntries(all);
}

export const emptyDatabase = () =>
  within(async (tx) => {
    await run(tx, sql`set local session_replication_role = replica`);
    for (const table of [
      ...Object.keys(EXCLUDED_COLUMNS),
      "imported_records",
      "import_runs",
      "imported_accounts",
      "outbox",
    ])
      await run(tx, sql`delete from ${sql.table(table)}`);
    await run(tx, sql`delete from graphile_worker._private_jobs`);
  });
