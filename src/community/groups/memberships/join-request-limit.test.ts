import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { createTestGroup, listEmittedEvents, createTestUsers } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { acceptInvitation, requestToJoin, InviteLink, createInviteLink, withdrawRequest } from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;

async function scene() {
  const people = await createTestUsers(database);
  await run(db, sql`update settings set value = 'true' where key = 'writingLimits'`);
  const group = await createTestGroup(database, people, { visibility: "private" });
  const ask = (viewer: SignedIn, groupId = group.id) =>
    within((tx) => requestToJoin(tx, viewer, { groupId, answers: [] }));
  const withdraw = (viewer: SignedIn) => within((tx) => withdrawRequest(tx, viewer, { groupId: group.id }));
  const again = async (viewer: SignedIn) => {
    await ask(viewer);
    clock.pass(MINUTE);
    await withdraw(viewer);
  };
  const countWithdrawn = async () =>
    (await many(db, sql`select from decided_join_requests where outcome = 'withdrawn'`)).length;
  return { ...people, group, ask, again, countWithdrawn };
}

describe("join request limit", () => {
  test("allows three requests a day per group, and its error contains a retry time", async () => {
    const { noor, mira, group, ask, again } = await scene();
    for (let i = 0; i < 3; i++) await again(noor);
    const tooMany = { reason: "too-many", message: /three times/, retryAfter: (DAY - 3 * MINUTE) / 1000 };
    await expect(ask(noor)).rejects.toMatchObject(tooMany);
    const { token } = await within((tx) =>
      createInviteLink(tx, mira, InviteLink.parse({ groupId: group.id, entry: "ask" })),
    );
    await expect(within((tx) => acceptInvitation(tx, noor, { token, answers: [] }))).rejects.toMatchObject(
      tooMany,
    );
    expect((await listEmittedEvents(database)).filter((type) => type === "group.requested")).toHaveLength(3);
    clock.pass(DAY - 3 * MINUTE);
    await ask(noor);
    expect((await listEmittedEvents(database)).filter((type) => type === "group.requested")).toHaveLength(4);
  });

  test("does not apply to staff or if the site setting disables it", async () => {
    const { noor, ada, ines, ask, again } = await scene();
    for (let i = 0; i < 3; i++) await again(noor);
    for (let i = 0; i < 4; i++) await again(ada);
    await ask(ines);
    await expect(ask(noor)).rejects.toMatchObject({ reason: "too-many" });
    await run(db, sql`update settings set value = 'false' where key = 'writingLimits'`);
    await ask(noor);
  });

  test("allows thirty requests a day in all groups together", async () => {
    const people = await scene();
    for (let i = 0; i < 30; i++)
      await people.ask(
        people.noor,
        (await createTestGroup(database, people, { visibility: "private", name: `Group ${i}` })).id,
      );
    await expect(people.ask(people.noor)).rejects.toMatchObject({
      reason: "too-many",
      message: /30 join requests/,
      retryAfter: DAY / 1000,
    });
    await people.ask(people.ines);
  });

  test("deletes withdrawn requests older than a day when there is a newer request", async () => {
    const { noor, again, countWithdrawn } = await scene();
    for (let day = 0; day < 5; day++) {
      for (let i = 0; i < 3; i++) await again(noor);
      clock.pass(DAY);
    }
    expect(await countWithdrawn()).toBe(3);
    clock.pass(HOUR);
    await again(noor);
    expect(await countWithdrawn()).toBe(1);
  });
});
