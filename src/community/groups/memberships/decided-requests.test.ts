import { describe, expect, test } from "vitest";
import { DAY, MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { eraseDeactivated } from "#community/accounts";
import { GUEST, type SignedIn, type Viewer } from "#community/rules";
import {
  createTestGroup,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  approveJoinRequest,
  requestToJoin,
  banFromGroup,
  listDecidedRequests,
  declineJoinRequest,
  deleteGroup,
  iterateJoinRequests,
  deleteOldRequests,
  getGroup,
  inviteToGroup,
  joinGroup,
  leaveGroup,
  purgeDeletedGroups,
  type RequestEntry,
  updateGroup,
  withdrawRequest,
} from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;

const WHY = { question: "Why?", answer: "Beans." };

/** A group of Tomas's with join requests, in which Lea moderates. */
async function scene() {
  const people = await createTestUsers(database);
  const lea = await within((tx) => createPerson(tx, "lea"));
  const group = await createTestGroup(database, people, { visibility: "private", questions: ["Why?"] });
  await within((tx) => setMembership(tx, group.id, lea, "moderator"));
  const ask = async (viewer: SignedIn) => {
    await within((tx) => requestToJoin(tx, viewer, { groupId: group.id, answers: ["Beans."] }));
    return clock.at;
  };
  const on = (viewer: SignedIn) => ({ groupId: group.id, personId: viewer.id });
  const decided = async (viewer: Viewer, after?: string) =>
    listDecidedRequests(db, viewer, await getGroup(db, viewer, group.id), { after });
  const every = async (viewer: Viewer) => {
    const lines: RequestEntry[] = [];
    for await (const it of iterateJoinRequests(db, viewer, await getGroup(db, viewer, group.id)))
      lines.push(it);
    return lines;
  };
  return { ...people, lea, group, ask, on, decided, every };
}

describe("decided join request", () => {
  test("contains request, answers, decider, time and reason", async () => {
    const { tomas, lea, noor, group, ask, on, decided } = await scene();
    const askedAt = await ask(noor);
    clock.pass(DAY);
    expect((await decided(tomas)).rows).toEqual([]);
    await within((tx) => declineJoinRequest(tx, lea, { ...on(noor), reason: "Full." }));
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, questions: ["How?"] }));
    const card = { id: noor.id, username: "noor", name: "Noor", photoId: null };
    const found = {
      askedAt,
      outcome: "declined",
      decidedAt: clock.at,
      reason: "Full.",
      decidedBy: { username: "lea" },
    };
    expect((await decided(tomas)).rows).toMatchObject([{ ...found, person: card, answers: [WHY] }]);
  });

  test("can be withdrawn after the group became secret, without revealing the group", async () => {
    const { tomas, noor, ada, group, ask, decided } = await scene();
    await ask(noor);
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, visibility: "secret" }));
    const withdraw = (viewer: Viewer) => within((tx) => withdrawRequest(tx, viewer, { groupId: group.id }));
    await expect(getGroup(db, noor, group.id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await withdraw(noor)).toBeUndefined();
    expect((await decided(tomas)).rows).toMatchObject([
      { outcome: "withdrawn", person: { username: "noor" } },
    ]);
    for (const viewer of [noor, ada])
      await expect(withdraw(viewer)).rejects.toMatchObject({ reason: "not-found" });
    await expect(withdraw(GUEST)).rejects.toMatchObject({ reason: "not-signed-in" });
  });

  test("records each outcome", async () => {
    const { tomas, lea, mira, noor, ada, group, ask, on, decided } = await scene();
    await ask(noor);
    await within((tx) => withdrawRequest(tx, noor, { groupId: group.id }));
    clock.pass(MINUTE);
    await ask(noor);
    await within((tx) => approveJoinRequest(tx, tomas, on(noor)));
    clock.pass(MINUTE);
    await ask(ada);
    await within((tx) => banFromGroup(tx, lea, { ...on(ada), reason: "Shouting." }));
    clock.pass(MINUTE);
    const [rosa, otto] = await within((tx) =>
      Promise.all([createPerson(tx, "rosa"), createPerson(tx, "otto")]),
    );
    await ask(rosa);
    await within((tx) => inviteToGroup(tx, lea, on(rosa)));
    clock.pass(MINUTE);
    await ask(otto);
    await run(db, sql`update groups set join_policy = 'open' where id = ${group.id}`);
    await within((tx) => joinGroup(tx, otto, { groupId: group.id }));
    clock.pass(MINUTE);
    // Leaving is not a request and is not recorded here.
    await within((tx) => leaveGroup(tx, mira, { groupId: group.id }));
    await within((tx) => banFromGroup(tx, lea, { ...on(mira), reason: "Shouting." }));
    const decisions = (await decided(tomas)).rows.map((decidedRequest) => [
      decidedRequest.person.username,
      decidedRequest.outcome,
      decidedRequest.decidedBy?.username,
      decidedRequest.reason,
    ]);
    expect(decisions).toEqual([
      ["otto", "member", undefined, ""],
      ["rosa", "member", "lea", ""],
      ["ada", "banned", "lea", "Shouting."],
      ["noor", "member", "tomas", ""],
      ["noor", "withdrawn", undefined, ""],
    ]);
  });

  test("appears to the group's moderators only", async () => {
    const { tomas, lea, mira, noor, ines, ada, guest, ask, on, decided, every } = await scene();
    await ask(noor);
    await within((tx) => approveJoinRequest(tx, tomas, on(noor)));
    for (const viewer of [tomas, lea])
      expect([(await decided(viewer)).rows.length, (await every(viewer)).length]).toEqual([1, 1]);
    for (const viewer of [mira, noor, ines, ada, guest]) {
      await expect(decided(viewer)).rejects.toMatchObject({ reason: "not-allowed" });
      await expect(every(viewer)).rejects.toMatchObject({ reason: "not-allowed" });
    }
  });

  test("continues on the next page", async () => {
    const { tomas, noor, group, decided, every } = await scene();
    await run(
      db,
      sql`insert into decided_join_requests (id, group_id, person_id, asked_at, answers, outcome, decided_at)
          select gen_random_uuid(), ${group.id}, ${noor.id},
            ${clock.at}::timestamptz + n * interval '1 minute', '[]', 'withdrawn', ${clock.at}
            from generate_series(1, 1100) n`,
    );
    const first = await decided(tomas);
    const second = await decided(tomas, first.next!);
    const ids = [...first.rows, ...second.rows].map((it) => it.id);
    expect([first.rows.length, second.rows.length, new Set(ids).size]).toEqual([50, 50, 100]);
    const lines = await every(tomas);
    expect([lines.length, new Set(lines.map((it) => it.id)).size]).toEqual([1100, 1100]);
    expect(lines.map((it) => it.askedAt.getTime())).toEqual(
      lines.map((it) => it.askedAt.getTime()).toSorted((a, b) => a - b),
    );
  });

  test("appears in the list of all join requests with pending ones, earliest first", async () => {
    const { tomas, noor, ada, ask, on, every } = await scene();
    await ask(ada);
    clock.pass(MINUTE);
    await ask(noor);
    await within((tx) => approveJoinRequest(tx, tomas, on(noor)));
    expect(await every(tomas)).toMatchObject([
      {
        person: { username: "ada" },
        answers: [WHY],
        outcome: null,
        decidedAt: null,
        decidedBy: null,
        reason: "",
      },
      { person: { username: "noor" }, answers: [WHY], outcome: "member", decidedBy: { username: "tomas" } },
    ]);
  });
});

describe("decided join request deletion", () => {
  const left = () =>
    many(db, sql<{ n: number }>`select count(*)::int as n from decided_join_requests`).then(
      ([row]) => row!.n,
    );

  test("happens after two years", async () => {
    const { tomas, noor, ask, on } = await scene();
    await ask(noor);
    await within((tx) => declineJoinRequest(tx, tomas, { ...on(noor), reason: "" }));
    clock.pass(730 * DAY);
    expect([await within(deleteOldRequests), await left()]).toEqual([0, 1]);
    clock.pass(1);
    expect([await within(deleteOldRequests), await left()]).toEqual([1, 0]);
  });

  test("happens when the group is purged", async () => {
    const { tomas, noor, group, ask, on } = await scene();
    await ask(noor);
    await within((tx) => approveJoinRequest(tx, tomas, on(noor)));
    await within((tx) => deleteGroup(tx, tomas, { groupId: group.id, reason: "" }));
    clock.pass(30 * DAY + 1);
    await within(purgeDeletedGroups);
    expect(await left()).toBe(0);
  });

  test("happens when the requester's account is erased, but not when the decider's is", async () => {
    const { tomas, lea, noor, ada, ask, on, decided, every } = await scene();
    for (const viewer of [noor, ada]) {
      await ask(viewer);
      await within((tx) => declineJoinRequest(tx, lea, { ...on(viewer), reason: "" }));
    }
    clock.pass(40 * DAY);
    await ask(noor);
    await run(
      db,
      sql`update people set state = 'deactivated', deactivated_at = ${new Date(0)}
        where id in (${noor.id}, ${lea.id})`,
    );
    expect(await within(eraseDeactivated)).toBe(2);
    expect((await decided(tomas)).rows).toMatchObject([
      { person: { username: "ada" }, decidedBy: { name: "Former member" } },
    ]);
    expect((await every(tomas)).map((it) => it.person.username)).toEqual(["ada"]);
    expect(
      await many(db, sql`select from memberships where person_id = ${noor.id} and answers <> '[]'`),
    ).toEqual([]);
  });
});
