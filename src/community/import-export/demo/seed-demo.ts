import { type Database, type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { readDemo } from "./demo-data.ts";
import { notifyDemoPeople } from "./demo-notifications.ts";
import { insertRows, type Row } from "../bulk-insert.ts";
import { storeFiles, storePortraits } from "./demo-files.ts";
import { createDatePollRows } from "./date-poll-rows.ts";
import { createEventRows } from "./event-rows.ts";
import { createLibraryRows } from "./library-rows.ts";
import {
  createFriendshipRows,
  createGroupRows,
  createMembershipRows,
  createPeopleRows,
  createSettingRows,
} from "./people-and-group-rows.ts";
import {
  createPendingGroupRows,
  createPendingPeopleRows,
  createPendingPostRows,
  createReportRows,
} from "./moderation-rows.ts";
import { type SeedingContext, createSeedingContext } from "./seeding-context.ts";
import {
  createConversationRows,
  createDiscussionRows,
  createPostRows,
  createReactionRows,
  createReadPositionRows,
} from "./discussion-rows.ts";

export type SeedOptions = {
  now: Date;
  print: (sentence: string) => void;
  /** Returns the password hash for people who can sign in. */
  passwordHash: (username: string) => Promise<string | null>;
};

/**
 * Usernames of the people who can sign in to the demo: a member, an owner, a moderator and an admin. All
 * others have no password.
 */
const SIGN_IN_NAMES = ["mira", "tomas", "ines", "ada"];

export const hasNoPeople = async (db: Db): Promise<boolean> =>
  (await maybeOne(db, sql`select from people limit 1`)) === undefined;

/**
 * Fills an empty database with the demo community in `folder`, in one transaction. Creates dated
 * notifications for recent events but sends no mail; one domain event reports completion.
 * @throws `conflict` if the database already has people
 */
export async function seedDemo(
  database: Database,
  storage: Storage,
  folder: string,
  options: SeedOptions,
): Promise<void> {
  if (!(await hasNoPeople(database.db))) throw databaseNotEmpty();
  const s = createSeedingContext(await readDemo(folder), options.now);
  const passwords = new Map(
    await Promise.all(SIGN_IN_NAMES.map(async (name) => [name, await options.passwordHash(name)] as const)),
  );
  // Files are drawn and stored before the transaction, because this takes seconds. Storing them twice is
  // harmless: they are stored by content hash.
  const portraits = await storePortraits(s, storage);
  const library = createLibraryRows(s, await storeFiles(s, storage));
  await database.inTransaction(async (tx) => {
    // If two processes seed one database at once, the second waits here and then finds people.
    await run(tx, sql`lock table people in share row exclusive mode`);
    if (!(await hasNoPeople(tx))) throw databaseNotEmpty();
    await insertPeopleAndGroups(tx, s, passwords, portraits);
    await insertDiscussions(tx, s);
    await insertEvents(tx, s);
    await insertLibrary(tx, library);
    await insertModeration(tx, s);
    await emit(tx, { type: "transfer.finished", kind: "demo" });
  });
  await notifyDemoPeople(database, options.now);
  // Tables grew from nothing to thousands of rows; the planner needs statistics before the first page.
  for (const table of ["people", "memberships", "discussions", "posts", "messages", "resources"])
    await run(database.db, sql`analyze ${sql.table(table)}`);
  options.print(
    `${s.demo.people.length} people, ${s.demo.groups.length} groups and ` +
      `${Object.values(s.demo.discussions).flat().length} discussions.`,
  );
}

const databaseNotEmpty = () =>
  new Refusal(
    "conflict",
    "This database already contains a community. The demo community needs an empty one.",
  );

async function insertPeopleAndGroups(
  tx: Tx,
  s: SeedingContext,
  passwords: Map<string, string | null>,
  portraits: Row[],
) {
  await insertRows(tx, "people", createPeopleRows(s, passwords));
  await insertRows(tx, "uploads", portraits);
  await run(
    tx,
    sql`update people set photo_id = uploads.id from uploads where uploads.attached_id = people.id`,
  );
  await insertRows(tx, "friendships", createFriendshipRows(s));
  await insertRows(tx, "groups", createGroupRows(s));
  await insertRows(tx, "memberships", createMembershipRows(s));
  await insertRows(tx, "settings", createSettingRows(s));
}

async function insertDiscussions(tx: Tx, s: SeedingContext) {
  await insertRows(tx, "discussions", createDiscussionRows(s));
  await insertRows(tx, "posts", createPostRows(s));
  await insertRows(tx, "reactions", createReactionRows(s));
  await insertRows(tx, "read_positions", createReadPositionRows(s));
  const { conversations, participants, messages } = createConversationRows(s);
  await insertRows(tx, "conversations", conversations);
  await insertRows(tx, "participants", participants);
  await insertRows(tx, "messages", messages);
}

async function insertEvents(tx: Tx, s: SeedingContext) {
  const { series, events, occurrences, attendances } = createEventRows(s);
  await insertRows(tx, "event_series", series);
  await insertRows(tx, "calendar_events", events);
  await insertRows(tx, "calendar_occurrences", occurrences);
  await insertRows(tx, "attendances", attendances);
  const { polls, times, answers } = createDatePollRows(s);
  await insertRows(tx, "date_polls", polls);
  await insertRows(tx, "date_poll_times", times);
  await insertRows(tx, "date_poll_answers", answers);
}

async function insertModeration(tx: Tx, s: SeedingContext) {
  const { groups, memberships } = createPendingGroupRows(s);
  const { reports, messages } = createReportRows(s);
  await insertRows(tx, "people", createPendingPeopleRows(s));
  await insertRows(tx, "groups", groups);
  await insertRows(tx, "memberships", memberships);
  await insertRows(tx, "pending_posts", createPendingPostRows(s));
  await insertRows(tx, "reports", reports);
  await insertRows(tx, "reported_messages", messages);
}

async function insertLibrary(tx: Tx, library: ReturnType<typeof createLibraryRows>) {
  await insertRows(tx, "uploads", library.uploads);
  await insertRows(tx, "resources", library.resources);
  await insertRows(tx, "collections", library.collections);
  await insertRows(tx, "collection_items", library.items);
  await insertRows(tx, "resource_uses", library.uses);
}
