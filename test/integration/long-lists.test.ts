import { expect, test } from "vitest";
import { listConversations, type InboxTab } from "#community/conversations";
import { getPageSidebar } from "#community/notifications";
import { LIMITS, type SignedIn } from "#community/rules";
import { run, sql } from "#platform/database";
import { createTestUsers } from "../support/test-users.ts";
import { openQueryPlans } from "../support/postgres/query-plans.ts";
import { testDatabase } from "../support/setup/test-database.ts";

// A list reads about as many rows as its page shows, however long it is.

const database = await testDatabase();
const { db } = database;
const { readOf } = openQueryPlans(database.pool);
const PAGE = LIMITS.page.cards + 1;

/** People who only fill lists. */
const createCrowd = (count: number) =>
  run(
    db,
    sql`insert into people (id, username, display_name, state, created_at) select gen_random_uuid(),
      'crowd-' || n, 'Crowd', 'active', now() from generate_series(1, ${count}::int) n`,
  );

/** A direct conversation with each, of two messages; every fifth is unread, every tenth is archived. */
async function createConversations(me: SignedIn): Promise<void> {
  await run(
    db,
    sql`insert into conversations (id, kind, creator_id, pair, last_seq, last_message_at, created_at)
        select gen_random_uuid(), 'direct', id, id || ':' || ${me.id}, 2, now() - random() * interval '1 year',
          now() from people where username like 'crowd-%'`,
  );
  await run(
    db,
    sql`insert into participants (conversation_id, person_id, last_read_seq, last_seq, last_message_at,
          archived_at, joined_at)
        select id, person_id::uuid, case when n % 5 = 0 then 0 else 2 end, 2, last_message_at,
          case when n % 10 = 1 then now() end, now()
        from (select *, row_number() over (order by id) as n from conversations) c,
          unnest(string_to_array(pair, ':')) person_id`,
  );
}

test("the inbox and the conversations beside each page are read in order", async () => {
  const { mira } = await createTestUsers(database);
  await createCrowd(2_000);
  await createConversations(mira);
  await database.pool.query("analyze");
  // Of each row shown, the other participants are read too.
  for (const tab of ["all", "unread"] satisfies InboxTab[]) {
    const { next } = await listConversations(db, mira, { tab });
    for (const after of ["", next!])
      expect(await readOf("participants", () => listConversations(db, mira, { tab, after }))).toBeLessThan(
        PAGE * 6,
      );
  }
  // Eight conversations, and a hundred unread ones are counted.
  expect(await readOf("participants", () => getPageSidebar(db, mira))).toBeLessThan(200);
});
