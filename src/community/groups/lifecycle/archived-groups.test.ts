import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  archiveGroup,
  restoreGroup,
  listDeletedGroups,
  deleteGroup,
  getGroup,
  listGroups,
  purgeDeletedGroups,
  unarchiveGroup,
} from "../index.ts";
import { createModeratedGroupSetup } from "../../../../test/support/groups/moderated-group.ts";

const database = await testDatabase();
const { expectRefusal, setupModeratedGroup } = createModeratedGroupSetup(database);
const { db, inTransaction: within } = database;

/** A picture of the group, a library file, a picture in a comment on that file, and a picture in a post. */
async function withUploads(by: SignedIn, groupId: string) {
  await run(
    db,
    sql`with d as (insert into discussions (id, group_id, author_id, title, created_at, last_post_at)
      values (gen_random_uuid(), ${groupId}, ${by.id}, 'The beds', now(), now()) returning id),
          r as (insert into resources (id, kind, group_id, owner_id, title, created_at)
            values (gen_random_uuid(), 'document', ${groupId}, ${by.id}, 'R', now()) returning id),
          p as (insert into posts (id, discussion_id, resource_id, number, author_id, body_md, body_html,
            created_at)
            select gen_random_uuid(), d.id, null, 1, ${by.id}::uuid, '', '', now() from d
            union all select gen_random_uuid(), null, r.id, 1, ${by.id}::uuid, '', '', now() from r
            returning id),
          holders as (select 'post' as kind, id from p union all select 'resource', id from r
            union all select 'group', ${groupId}::uuid)
        insert into uploads (id, owner_id, hash, size, mime, attached_kind, attached_id, created_at)
        select gen_random_uuid(), ${by.id}::uuid, 'x', 5, 'image/webp', kind, id, now() from holders`,
  );
}

describe("archived or deleted group", () => {
  const it = (group: { id: string }) => ({ groupId: group.id, reason: "Done." });

  test("stays readable when archived, and can be unarchived by an owner or admin", async () => {
    const { tomas, lea, mira, ada, ines, group } = await setupModeratedGroup();
    for (const who of [lea, mira, ines])
      await expectRefusal((tx) => archiveGroup(tx, who, it(group)), "not-allowed");
    await within((tx) => archiveGroup(tx, tomas, it(group)));
    expect(await getGroup(db, mira, group.id)).toMatchObject({ state: "archived" });
    await expectRefusal((tx) => archiveGroup(tx, tomas, it(group)), "conflict");
    await within((tx) => unarchiveGroup(tx, ada, it(group)));
    expect(await getGroup(db, mira, group.id)).toMatchObject({ state: "active" });
  });

  test("disappears for everyone when deleted, and can be restored by its owner for thirty days", async () => {
    const { tomas, lea, mira, ada, noor, group } = await setupModeratedGroup("private");
    await expectRefusal((tx) => deleteGroup(tx, lea, it(group)), "not-allowed");
    await within((tx) => archiveGroup(tx, tomas, it(group)));
    await within((tx) => deleteGroup(tx, tomas, it(group)));
    for (const who of [tomas, mira, ada])
      await expect(getGroup(db, who, group.id)).rejects.toMatchObject({ reason: "not-found" });
    expect((await listGroups(db, tomas, { tab: "mine" })).rows).toEqual([]);
    const seen = await Promise.all([tomas, ada, lea, mira, noor].map((who) => listDeletedGroups(db, who)));
    expect(seen.map((list) => list.length)).toEqual([1, 1, 0, 0, 0]);
    for (const who of [lea, mira, noor])
      await expectRefusal((tx) => restoreGroup(tx, who, { groupId: group.id }), "not-found");
    await within((tx) => restoreGroup(tx, tomas, { groupId: group.id }));
    expect(await getGroup(db, mira, group.id)).toMatchObject({ state: "archived" });
    await expectRefusal((tx) => restoreGroup(tx, tomas, { groupId: group.id }), "not-found");

    await withUploads(tomas, group.id);
    const attached = () =>
      many(db, sql`select attached_kind as kind from uploads where attached_id is not null order by 1`);
    await within((tx) => deleteGroup(tx, ada, it(group)));
    database.clock.pass(30 * DAY);
    expect(await within(purgeDeletedGroups)).toBe(0);
    expect(await attached()).toEqual([
      { kind: "group" },
      { kind: "post" },
      { kind: "post" },
      { kind: "resource" },
    ]);
    database.clock.pass(1);
    expect(await within(purgeDeletedGroups)).toBe(1);
    expect(await attached()).toEqual([]);
    await expectRefusal((tx) => restoreGroup(tx, tomas, { groupId: group.id }), "not-found");
  });

  test("stays hidden from admins if it was secret", async () => {
    const { tomas, ada, group } = await setupModeratedGroup("secret");
    await within((tx) => deleteGroup(tx, tomas, it(group)));
    expect(await listDeletedGroups(db, ada)).toEqual([]);
    await expectRefusal((tx) => restoreGroup(tx, ada, { groupId: group.id }), "not-found");
  });
});
