import { one, sql } from "#platform/database";
import { testDatabase } from "../../../test/setup/database.ts";
import { anArchive, lines, scenery } from "./archive.fixture.ts";
import { problemsOf } from "./loading/runs.ts";

export const database = await testDatabase();
export const { db } = database;
export const { transfer, write, count } = scenery(database);
export const wish = { format: "ndjson", check: false, by: null } as const;

export const TABLES = ["people", "groups", "memberships", "discussions", "posts", "reactions", "read_states", "resources", "uploads"];
export const MORE = [
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
  "discussion_lines",
  "group_start_items",
  "group_rules_before",
  "resource_follows",
  "bookmarks",
  "resource_bookmarks",
  "collection_curators",
  "mutes",
];
export const SEVERAL = { people: 2, memberships: 2, posts: 4, participants: 2, messages: 2, poll_options: 2, group_start_items: 2 };
export const counts = async () =>
  Object.fromEntries(await Promise.all([...TABLES, ...MORE].map(async (it) => [it, await count(it)] as const)));
export const archive = (posts?: number) => write({ "community.ndjson": lines(...anArchive(posts)), "files/heap.txt": "1\n2\n" });
export const problems = async (id: string) => (await problemsOf(db, id)).map(({ place, what }) => `${place}: ${what}`);
export const theDiscussion = () =>
  one(db, sql<{ id: string; title: string; by: string }>`select id, title, author_id as by from discussions`);
