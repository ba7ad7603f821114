import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createAccountsContext } from "../../../../test/support/accounts/accounts-context.ts";
import { eraseDeactivated, PERSONAL_TABLES } from "./account-housekeeping.ts";

const database = await testDatabase();
const app = createAccountsContext(database);

/**
 * Tables that are not cleared with the account, and why: their rows belong to others too and stay
 * anonymously, or are deleted elsewhere.
 */
const STAYS: Record<string, string> = {
  announcements: "what was said to all",
  bots: "the account of a program, which nobody erases",
  conversation_entries: "the conversation's",
  dismissed_suggestions: "goes by either of its two",
  event_imports: "the group's, which can undo it",
  friend_links: "goes by who made it",
  group_exports: "expires, so that its bytes go as well",
  group_invitations: "the group's",
  inspections: "the group's, whose owners were told of it",
  mails: "gone within sixty days in any case",
  mails_received: "gone with its day",
  memberships: "the group's",
  message_reactions: "the conversation's",
  participants: "the conversation's",
  personal_exports: "expires, so that its bytes go as well",
  poll_votes: "counted, and never signed",
  post_mentions: "the post's",
  reactions: "the post's",
  sessions: "ended, and their sockets cut",
};

describe("account erasure", () => {
  test("covers every table that refers to people", async () => {
    const tables = await many(
      database.db,
      sql<{ name: string }>`
        select distinct c.relname as name from pg_constraint f join pg_class c on c.oid = f.conrelid
        join pg_attribute a on a.attrelid = c.oid and a.attnum = any(f.conkey)
        where f.contype = 'f' and f.confrelid = 'people'::regclass and a.attname = 'person_id' order by 1`,
    );
    const unthought = tables
      .map(({ name }) => name)
      .filter((name) => !(PERSONAL_TABLES as readonly string[]).includes(name) && !STAYS[name]);
    expect(unthought).toEqual([]);
  });

  test("deletes everything that belonged to that person only", async () => {
    const ana = await app.member({ username: "ana" });
    const at = database.clock.at;
    await run(
      database.db,
      sql`insert into drafts (person_id, place, data, saved_at) values (${ana.id}, 'x', '{}', ${at})`,
    );
    await run(
      database.db,
      sql`insert into dropped_drafts (person_id, place, data, dropped_at)
        values (${ana.id}, 'x', '{}', ${at})`,
    );
    await run(
      database.db,
      sql`with g as (insert into groups (id, slug, name, visibility, join_policy, created_at, last_active_at)
        values (gen_random_uuid(), 'held', 'Held', 'public', 'open', ${at}, ${at}) returning id)
          insert into pending_posts (id, author_id, group_id, said, body_html, created_at)
            select gen_random_uuid(), ${ana.id}, id, '{}', '', ${at} from g`,
    );
    await run(
      database.db,
      sql`insert into imported_accounts (person_id, email) values (${ana.id}, 'old@example.org')`,
    );
    await run(
      database.db,
      sql`insert into filters (id, person_id, phrase, contexts, action, created_at)
        values (gen_random_uuid(), ${ana.id}, 'beans', '{home}', 'hide', ${at})`,
    );
    await run(
      database.db,
      sql`insert into notifications (id, person_id, kind, object_kind, object_id, reason, created_at,
        updated_at)
          values (gen_random_uuid(), ${ana.id}, 'reply', 'discussion', gen_random_uuid(), 'yours', ${at},
            ${at})`,
    );
    const [other] = await many(
      database.db,
      sql<{ id: string }>`select id from people where id <> ${ana.id} limit 1`,
    );
    await run(
      database.db,
      sql`insert into reports (id, reporter_id, person_id, reason, created_at)
        values (gen_random_uuid(), ${(other ?? ana).id}, ${ana.id}, 'Rude', ${at})`,
    );
    const group = "01900000-0000-7000-8000-0000000000ab";
    await run(
      database.db,
      sql`insert into groups (id, slug, name, visibility, join_policy, created_at, last_active_at)
        values (${group}, 'hers', 'Hers', 'public', 'open', ${at}, ${at})`,
    );
    await run(
      database.db,
      sql`insert into memberships (group_id, person_id, state, joined_at, changed_at, pinned_at)
        values (${group}, ${ana.id}, 'member', ${at}, ${at}, ${at})`,
    );
    await run(
      database.db,
      sql`update people set state = 'deactivated', deactivated_at = ${new Date(0)} where id = ${ana.id}`,
    );
    expect(await database.inTransaction(eraseDeactivated)).toBe(1);
    for (const table of PERSONAL_TABLES) {
      const left = await one(
        database.db,
        sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)} where person_id = ${ana.id}`,
      );
      expect([table, left.n]).toEqual([table, 0]);
    }
    expect(await one(database.db, sql`select count(*)::int as n from pending_posts`)).toEqual({ n: 0 });
    const { pins } = await one(
      database.db,
      sql<{ pins: number }>`select count(pinned_at)::int as pins from memberships`,
    );
    expect(pins, "the membership stays the group's, the pin was hers").toBe(0);
  });
});
