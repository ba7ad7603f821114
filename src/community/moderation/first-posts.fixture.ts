import { run, sql } from "#platform/database";
import { addDocument, NewDocument } from "#community/resources";
import { type FirstLook, type SignedIn, type Viewer } from "#community/rules";
import { aDiscussion, aGroup, bring, cast, person } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { discussionFor, GivingBack, letPostIn, NewReply, postsOf, replyOrWait, sendPostBack, takeHeldBack } from "#community/discussions";

export const database = await testDatabase();
export const { db, inTransaction: within, clock } = database;

export const setTo = (look: FirstLook) =>
  run(
    db,
    sql`insert into settings (key, value, changed_at) values ('firstPosts', ${JSON.stringify(look)}::jsonb, now()) on conflict (key) do update set value = excluded.value`,
  );

/** Tomas owns the group, Elsa moderates it, Mira is a member and started the discussion; Nora is new. */
export async function talk(look: FirstLook = "first", visibility: "public" | "private" | "secret" = "private") {
  const people = await cast(database);
  await setTo(look);
  const group = await aGroup(database, people, { visibility });
  const { nora, elsa } = await within(async (tx) => ({
    nora: await person(tx, "nora", "member", "new"),
    elsa: await person(tx, "elsa"),
  }));
  await within((tx) => bring(tx, group.id, nora, "member"));
  await within((tx) => bring(tx, group.id, elsa, "moderator"));
  const discussion = await aDiscussion(database, people.mira, group.id);
  return { ...people, nora, elsa, group, discussion };
}

type Words = { body?: string; clientId?: string; replyTo?: string; pollOptions?: string; pollCloses?: string };
export const says = (who: Viewer, discussionId: string, words: Words = {}) =>
  within((tx) => replyOrWait(tx, who, NewReply.parse({ discussionId, body: "Hello, all of you.", ...words })));
export const waiting = async (who: Viewer, discussionId: string, words: Words = {}) => {
  const it = await says(who, discussionId, words);
  if (!("waits" in it)) throw new Error("it does not wait");
  return it.waits;
};
export const letIn = (who: Viewer, heldId: string) => within((tx) => letPostIn(tx, who, { heldId }));
export const giveBack = (who: Viewer, heldId: string, answer = "Say who you are.") =>
  within((tx) => sendPostBack(tx, who, GivingBack.parse({ heldId, answer })));
export const takeBack = (who: Viewer, heldId: string) => within((tx) => takeHeldBack(tx, who, { heldId }));
export const textsIn = async (who: Viewer, discussionId: string) =>
  (await postsOf(db, who, await discussionFor(db, who, discussionId), { page: 1 })).posts.map(({ html }) =>
    html?.replace(/<[^>]+>/g, "").trim(),
  );

export const aDocument = (by: SignedIn, groupId?: string) =>
  within((tx) =>
    addDocument(
      tx,
      { ...by, trust: "established" },
      NewDocument.parse({ title: "How to sow", body: "In rows.", ...(groupId && { groupId }) }),
    ),
  );

/** A picture uploaded for a text. */
export const aPicture = (by: SignedIn) =>
  within(async (tx) => {
    const id = tx.newId();
    await run(
      tx,
      sql`insert into uploads (id, owner_id, hash, size, mime, width, height, created_at) values (${id}, ${by.id}, ${"e".repeat(64)}, 1, 'image/webp', 1, 1, ${tx.now})`,
    );
    return id;
  });
