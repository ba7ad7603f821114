import { one, sql } from "#platform/database";
import { testDatabase } from "../setup/test-database.ts";
import { sampleArchive, archiveText, createImportSetup } from "./sample-archive.ts";
import { listProblems } from "../../../src/community/import-export/import/import-runs.ts";

export const database = await testDatabase();
export const { db } = database;
export const { transfer, write, count } = createImportSetup(database);
export const importOptions = { format: "ndjson", check: false, by: null } as const;

export const TABLES = [
  "people",
  "groups",
  "memberships",
  "discussions",
  "posts",
  "reactions",
  "read_positions",
  "resources",
  "uploads",
];
export const MORE_TABLES = [
  "resource_uses",
  "collections",
  "collection_items",
  "conversations",
  "participants",
  "messages",
  "message_reactions",
  "friendships",
  "settings",
  "polls",
  "poll_options",
  "poll_votes",
  "post_revisions",
  "resource_versions",
  "discussion_entries",
  "group_start_items",
  "group_rule_versions",
  "resource_follows",
  "bookmarks",
  "resource_bookmarks",
  "collection_curators",
  "mutes",
  "event_series",
  "calendar_events",
  "calendar_occurrences",
  "event_hosts",
  "attendances",
  "date_polls",
  "date_poll_times",
  "date_poll_answers",
];
export const ROWS_PER_TABLE = {
  people: 2,
  memberships: 2,
  posts: 4,
  participants: 2,
  messages: 2,
  poll_options: 2,
  group_start_items: 2,
};
export const countTables = async () =>
  Object.fromEntries(
    await Promise.all([...TABLES, ...MORE_TABLES].map(async (it) => [it, await count(it)] as const)),
  );
export const writeSampleArchive = (posts?: number) =>
  write({ "community.ndjson": archiveText(...sampleArchive(posts)), "files/heap.txt": "1\n2\n" });
export const describeProblems = async (id: string) =>
  (await listProblems(db, id)).map(({ place, what }) => `${place}: ${what}`);
export const findImportedDiscussion = () =>
  one(db, sql<{ id: string; title: string; by: string }>`select id, title, author_id as by from discussions`);
