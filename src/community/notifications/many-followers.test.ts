import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import { markRead, setFollowLevel } from "#community/discussions";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { notifyOfEvent, notifyNextBatch } from "./index.ts";
import { BATCH_SIZE } from "./create-notifications.ts";
import { dispatchEvents, describeDeliveries } from "../../../test/support/notifications/deliveries.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe("many followers", () => {
  /** A discussion with this many watchers, and a reply not yet processed. */
  async function watched(many_: number) {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    const discussion = await createTestDiscussion(database, people.mira, group.id);
    await run(
      db,
      sql`insert into people (id, username, display_name, state, created_at)
          select gen_random_uuid(), 'w00' || i, 'W', 'active', ${database.clock.at}
          from generate_series(1, ${many_}::int) i`,
    );
    await run(
      db,
      sql`insert into read_positions (person_id, discussion_id, level, read_at)
          select id, ${discussion.id}, 'watching', ${database.clock.at} from people where username like 'w%'`,
    );
    await dispatchEvents(database);
    await createTestReply(database, people.tomas, discussion.id);
    const event = await one(
      db,
      sql<{ id: string; payload: DomainEvent }>`select id, payload from outbox where type = 'post.written'`,
    );
    return { ...people, discussion, event };
  }
  const count = async () =>
    (await one(db, sql<{ n: number }>`select count(*)::int as n from notifications`)).n;
  const jobs = () =>
    many(
      db,
      sql<{ payload: { outboxId: string; after: string } }>`
        select payload from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'notify'`,
    );

  test("get notified in batches, and only once even if a batch is repeated", async () => {
    const { event } = await watched(2 * BATCH_SIZE + 10);
    await notifyOfEvent(database, event);
    expect(await count()).toBe(BATCH_SIZE);
    for (let share = 2; share <= 3; share++) {
      const [next] = await jobs();
      await run(db, sql`delete from graphile_worker._private_jobs`);
      await notifyNextBatch(database, next!.payload);
      await notifyNextBatch(database, next!.payload);
      await run(
        db,
        sql`delete from graphile_worker._private_jobs
          where id <> (select min(id) from graphile_worker._private_jobs)`,
      );
      expect(await count()).toBe(Math.min(share * BATCH_SIZE, 2 * BATCH_SIZE + 11));
    }
    expect(await jobs()).toEqual([]);
    expect(
      (await one(db, sql<{ most: number }>`select max(count)::int as most from notifications`)).most,
    ).toBe(1);
  });

  test("do not delay a reply that is written while a batch is processed", async () => {
    const { event, noor, tomas, discussion } = await watched(BATCH_SIZE + 10);
    const [first] = await many(
      db,
      sql<{ id: string }>`select id from people where username like 'w%' order by id limit 1`,
    );
    await within((tx) => setFollowLevel(tx, noor, { discussionId: discussion.id, level: "watching" }));
    // One person's row is locked: the batch waits for it and holds no lock that a reply needs.
    await notifyOfEvent(database, event);
    await createTestReply(database, tomas, discussion.id);
    const again = await one(
      db,
      sql<{
        id: string;
        payload: DomainEvent;
      }>`select id, payload from outbox where type = 'post.written' order by id desc limit 1`,
    );
    const free = Promise.withResolvers<void>();
    const lockTaken = Promise.withResolvers<void>();
    const holding = within(async (tx) => {
      await run(tx, sql`select from notifications where person_id = ${first!.id} for update`);
      lockTaken.resolve();
      await free.promise;
    });
    await lockTaken.promise;
    const notifying = notifyOfEvent(database, again);
    await createTestReply(database, tomas, discussion.id);
    await within((tx) => markRead(tx, noor, { discussionId: discussion.id, upTo: 3 }));
    free.resolve();
    await Promise.all([holding, notifying]);
    expect(await count()).toBe(BATCH_SIZE);
  });

  test("have no unread notification if they read the discussion during processing", async () => {
    const { event, noor, discussion } = await watched(1);
    await within((tx) => setFollowLevel(tx, noor, { discussionId: discussion.id, level: "watching" }));
    // The read position is committed after the batch has checked it and before the batch commits its rows.
    const hold = Promise.withResolvers<void>();
    const ready = Promise.withResolvers<void>();
    const reading = within(async (tx) => {
      await markRead(tx, noor, { discussionId: discussion.id, upTo: 2 });
      ready.resolve();
      await hold.promise;
    });
    await ready.promise;
    await notifyOfEvent(database, event);
    expect(await describeDeliveries(database, noor)).toEqual(["new_reply watching"]);
    hold.resolve();
    await reading;
    await dispatchEvents(database);
    expect(await describeDeliveries(database, noor)).toEqual(["new_reply watching read"]);
  });
});
