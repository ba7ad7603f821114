import { expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { LIMITS, type SignedIn } from "#community/rules";
import {
  createTestGroup,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { getGroup, listBans } from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;

/** More than two pages of bans, two at a time in the same moment, and two pending appeals. */
async function scene() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, {});
  const many = LIMITS.page.people * 2 + 5;
  await run(
    db,
    sql`with made as (
          insert into people (id, username, display_name, email, state, created_at, updated_at)
          select gen_random_uuid(), 'guest' || n, 'Guest ' || n, 'guest' || n || '@example.org', 'active',
            ${clock.at}, ${clock.at} from generate_series(1, ${many}::int) n
          returning id, username)
        insert into memberships (group_id, person_id, state, reason, changed_at)
        select ${group.id}, id, 'banned', 'Shouting.',
          ${clock.at}::timestamptz - make_interval(secs => substring(username from 6)::int / 2) from made`,
  );
  for (const [name, ago] of [
    ["guest7", 2],
    ["guest8", 3],
  ] as const)
    await run(
      db,
      sql`update memberships set appeal = 'Not me.',
        appealed_at = ${clock.at}::timestamptz - make_interval(secs => ${ago}::int)
        where person_id = (select id from people where username = ${name})`,
    );
  const page = async (viewer: SignedIn, query: { after?: string; search?: string } = {}) =>
    listBans(db, viewer, await getGroup(db, viewer, group.id), query);
  return { ...people, group, many, page };
}

test("the list of banned people continues page by page, pending appeals first", async () => {
  const { tomas, many, page } = await scene();
  const names: string[] = [];
  let after: string | undefined;
  const pages: number[] = [];
  do {
    const { rows, next } = await page(tomas, { ...(after && { after }) });
    names.push(...rows.map((it) => it.person.username));
    pages.push(rows.length);
    after = next ?? undefined;
  } while (after);
  expect(pages).toEqual([LIMITS.page.people + 2, LIMITS.page.people, 3]);
  expect(names.slice(0, 2)).toEqual(["guest8", "guest7"]);
  expect([names.length, new Set(names).size]).toEqual([many, many]);
  expect(names[2]).toBe("guest1");
});

test("the list of banned people can be searched by name, by moderators only", async () => {
  const { tomas, mira, noor, group, many, page } = await scene();
  expect((await page(tomas, { search: `guest${many}` })).rows.map((it) => it.person.username)).toEqual([
    `guest${many}`,
  ]);
  expect((await page(tomas, { search: "nobody" })).rows).toEqual([]);
  const lea = await within((tx) => createPerson(tx, "lea"));
  await within((tx) => setMembership(tx, group.id, lea, "moderator"));
  expect((await page(lea, { search: "guest7" })).rows[0]).toMatchObject({
    appeal: { text: "Not me." },
    canDecline: true,
  });
  for (const viewer of [mira, noor])
    await expect(page(viewer)).rejects.toMatchObject({ reason: "not-allowed" });
  expect(await one(db, sql`select count(*)::int as count from memberships where state = 'banned'`)).toEqual({
    count: many,
  });
});
