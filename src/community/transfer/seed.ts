import { type Database, type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { readDemo } from "./demo.ts";
import { tellOfDemo } from "./demo-notices.ts";
import { fill, type Row } from "./fill.ts";
import { storeFiles, storePortraits } from "./files.ts";
import { libraryRows } from "./library-rows.ts";
import { friendshipRows, groupRows, membershipRows, peopleRows, settingRows } from "./rows.ts";
import { type Seeding, seedingOf } from "./seeding.ts";
import { conversationRows, discussionRows, postRows, reactionRows, readingRows } from "./talk-rows.ts";

export type SeedOptions = {
  now: Date;
  say: (sentence: string) => void;
  /** Returns the password hash for people who can sign in. */
  passwordHash: (username: string) => Promise<string | null>;
};

/** The demo's sign-ins: a member, an owner, a moderator, an admin. The others have no password. */
const SIGN_INS = ["mira", "tomas", "ines", "ada"];

export const isEmpty = async (db: Db): Promise<boolean> => (await maybeOne(db, sql`select from people limit 1`)) === undefined;

/**
 * Fills an empty database with the demo community in `folder`, all of it or nothing. Recent events create
 * notifications with their own date and no mail; one domain event reports completion.
 * @throws `conflict` if the database already has people
 */
export async function seedDemo(database: Database, storage: Storage, folder: string, options: SeedOptions): Promise<void> {
  if (!(await isEmpty(database.db))) throw occupied();
  const s = seedingOf(await readDemo(folder), options.now);
  const passwords = new Map(await Promise.all(SIGN_INS.map(async (name) => [name, await options.passwordHash(name)] as const)));
  // Drawing takes seconds and files are stored by content hash: before the transaction they lock nothing.
  const portraits = await storePortraits(s, storage);
  const library = libraryRows(s, await storeFiles(s, storage));
  await database.inTransaction(async (tx) => {
    // If two processes start at once on one database, the second finds people in it.
    await run(tx, sql`lock table people in share row exclusive mode`);
    if (!(await isEmpty(tx))) throw occupied();
    await fillPeopleAndGroups(tx, s, passwords, portraits);
    await fillTalk(tx, s);
    await fillLibrary(tx, library);
    await announce(tx, { type: "transfer.finished", kind: "demo" });
  });
  await tellOfDemo(database, options.now);
  // Tables grew from nothing to thousands of rows; the planner needs statistics before the first page.
  for (const table of ["people", "memberships", "discussions", "posts", "messages", "resources"])
    await run(database.db, sql`analyze ${sql.table(table)}`);
  options.say(
    `${s.demo.people.length} people, ${s.demo.groups.length} groups and ${Object.values(s.demo.discussions).flat().length} discussions.`,
  );
}

const occupied = () =>
  new Refusal("conflict", "There is a community in this database already. The demo community only moves into an empty one.");

async function fillPeopleAndGroups(tx: Tx, s: Seeding, passwords: Map<string, string | null>, portraits: Row[]) {
  await fill(tx, "people", peopleRows(s, passwords));
  await fill(tx, "uploads", portraits);
  await run(tx, sql`update people set photo_id = uploads.id from uploads where uploads.attached_id = people.id`);
  await fill(tx, "friendships", friendshipRows(s));
  await fill(tx, "groups", groupRows(s));
  await fill(tx, "memberships", membershipRows(s));
  await fill(tx, "settings", settingRows(s));
}

async function fillTalk(tx: Tx, s: Seeding) {
  await fill(tx, "discussions", discussionRows(s));
  await fill(tx, "posts", postRows(s));
  await fill(tx, "reactions", reactionRows(s));
  await fill(tx, "read_states", readingRows(s));
  const { conversations, participants, messages } = conversationRows(s);
  await fill(tx, "conversations", conversations);
  await fill(tx, "participants", participants);
  await fill(tx, "messages", messages);
}

async function fillLibrary(tx: Tx, library: ReturnType<typeof libraryRows>) {
  await fill(tx, "uploads", library.uploads);
  await fill(tx, "resources", library.resources);
  await fill(tx, "collections", library.collections);
  await fill(tx, "collection_items", library.items);
  await fill(tx, "resource_uses", library.uses);
}
