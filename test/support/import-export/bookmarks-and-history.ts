import { DAY, HOUR, addMilliseconds } from "#platform/clock";
import { one, sql } from "#platform/database";
import { addBookmark, mergeDiscussion, NewDiscussion, startDiscussion } from "#community/discussions";
import { mutePerson } from "#community/friends";
import { addStartItem, updateGroup } from "#community/groups";
import {
  addCurator,
  addLink,
  addResourceBookmark,
  followResource,
  createCollection,
  NewLink,
} from "#community/resources";
import type { SignedIn, Visibility } from "#community/rules";
import type { TestDatabase } from "../setup/test-database.ts";

/** Adds bookmarks and "start here" items of members, changed rules, and a merged discussion. */
export async function addBookmarksAndHistory(
  database: TestDatabase,
  me: SignedIn,
): Promise<{ merged: string; into: string }> {
  const { db, inTransaction: within, clock } = database;
  const group = await one(
    db,
    sql<{ groupId: string; visibility: Visibility }>`
      select m.group_id as "groupId", g.visibility from memberships m
      join groups g on g.id = m.group_id and g.members_count > 1
      where m.person_id = ${me.id} and m.role = 'owner' and m.state = 'member' order by 1 limit 1`,
  );
  const { groupId } = group;
  for (const rules of ["Be kind.", "Be kind.\nClose the gate."])
    await within((tx) => updateGroup(tx, me, { groupId, rules: rules.split("\n") }));
  const other = await one(
    db,
    sql<{
      id: string;
      username: string;
    }>`select p.id, p.username from memberships m join people p on p.id = m.person_id and p.state = 'active'
      where m.group_id = ${groupId} and m.state = 'member' and p.id <> ${me.id}
        and not exists (select from blocks b
          where ${me.id} in (b.blocker_id, b.blocked_id) and p.id in (b.blocker_id, b.blocked_id)) order by 1
          limit 1`,
  );
  const at = await within((tx) =>
    addLink(
      tx,
      me,
      NewLink.parse({ groupId, title: "Planting by the moon", url: "https://example.org/moon" }),
    ),
  );
  const collection = await within((tx) =>
    createCollection(tx, me, { groupId, title: "By the moon", about: "" }),
  );
  await within((tx) => addCurator(tx, me, { collectionId: collection.id, username: other.username }));
  await within((tx) => addResourceBookmark(tx, me, { resourceId: at.id }));
  await within((tx) => followResource(tx, me, { resourceId: at.id, level: "watching" }));
  await within((tx) => mutePerson(tx, me, { personId: other.id, until: null }));
  const merged = await createMergedDiscussions(database, me, group);
  for (const address of [`/discussions/${merged.into}`, `/resources/${at.id}`])
    await within((tx) => addStartItem(tx, me, { groupId, address }));
  const { post } = await one(
    db,
    sql<{ post: string }>`select id as post from posts where discussion_id = ${merged.into} and number = 2`,
  );
  await within((tx) =>
    addBookmark(tx, me, { postId: post, note: "Read again", remindAt: addMilliseconds(clock.at, DAY) }),
  );
  return merged;
}

async function createMergedDiscussions(
  { inTransaction: within, clock }: TestDatabase,
  me: SignedIn,
  { groupId, visibility }: { groupId: string; visibility: Visibility },
) {
  const start = (title: string) => {
    clock.pass(HOUR);
    return within((tx) =>
      startDiscussion(tx, me, NewDiscussion.parse({ groupId, title, body: `${title}, then.`, tags: [] })),
    );
  };
  const [into, merged] = [(await start("The full moon")).id, (await start("The new moon")).id];
  await within((tx) =>
    mergeDiscussion(tx, me, { discussionId: merged, into, visibility, reason: "One moon is enough." }),
  );
  return { merged, into };
}
