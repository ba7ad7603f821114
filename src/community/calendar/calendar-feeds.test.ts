import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { run, sql } from "#platform/database";
import { createSigner } from "#platform/signing";
import { leaveGroup } from "#community/groups";
import type { SignedIn, Viewer } from "#community/rules";
import { createTestEvent } from "../../../test/support/calendar-setup.ts";
import { createTestGroup, createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  answerEvent,
  cancelEvent,
  changeFeed,
  EventAnswer,
  type FeedScope,
  getEvent,
  getFeed,
  getFeedTokens,
  listFeedEvents,
} from "./index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const signer = createSigner(Buffer.alloc(32, 7));
const refused = (reason: string) => expect.objectContaining({ reason }) as object;

async function setup() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  const { id } = await createTestEvent(database, people.mira, group.id, {
    onlineUrl: "https://example.org/call",
  });
  const { occurrenceId } = await getEvent(db, people.mira, id);
  const answer = (who: SignedIn, choice: "going" | "declined") =>
    within((tx) => answerEvent(tx, who, EventAnswer.parse({ occurrenceId, answer: choice })));
  const renew = async (who: SignedIn, scope: FeedScope = "groups") => {
    await within((tx) => changeFeed(tx, who, { scope, intent: "renew" }));
    return (await getFeedTokens(db, signer, who))[scope]!;
  };
  const titles = async (token: string) => {
    const { owner, scope } = await getFeed(db, signer, token);
    return (await listFeedEvents(db, owner, clock.at, { scope })).map(({ title }) => title);
  };
  return { ...people, group, id, answer, renew, titles };
}

describe("personal feed", () => {
  test("contains events of the owner's groups, or only events the owner answered without declining", async () => {
    const { tomas, answer, renew, titles } = await setup();
    const [groups, answered] = [await renew(tomas), await renew(tomas, "answered")];
    expect([await titles(groups), await titles(answered)]).toEqual([["Repair evening"], []]);
    await answer(tomas, "going");
    expect(await titles(answered)).toEqual(["Repair evening"]);
    await answer(tomas, "declined");
    expect(await titles(answered)).toEqual([]);
  });

  test("never lists what its owner can no longer see", async () => {
    const { mira, group, answer, renew, titles } = await setup();
    await answer(mira, "going");
    const tokens = [await renew(mira), await renew(mira, "answered")];
    expect(await Promise.all(tokens.map(titles))).toEqual([["Repair evening"], ["Repair evening"]]);
    await within((tx) => leaveGroup(tx, mira, { groupId: group.id }));
    expect(await Promise.all(tokens.map(titles))).toEqual([[], []]);
  });

  test("stops working once it gets a new address, is revoked or its owner's account is suspended", async () => {
    const { mira, noor, renew, titles } = await setup();
    const old = await renew(mira);
    const current = await renew(mira);
    await expect(titles(old)).rejects.toEqual(refused("not-found"));
    expect(await titles(current)).toEqual(["Repair evening"]);
    await within((tx) => changeFeed(tx, noor, { scope: "groups", intent: "revoke" }));
    expect(await titles(current)).toEqual(["Repair evening"]);
    await run(db, sql`update people set state = 'suspended' where id = ${mira.id}`);
    await expect(titles(current)).rejects.toEqual(refused("not-found"));
    await run(db, sql`update people set state = 'active' where id = ${mira.id}`);
    await within((tx) => changeFeed(tx, mira, { scope: "groups", intent: "revoke" }));
    await expect(titles(current)).rejects.toEqual(refused("not-found"));
    expect(await getFeedTokens(db, signer, mira)).toEqual({ answered: null, groups: null });
  });

  test.each(["", "x", "../secret", "a".repeat(500)])(
    "address with the token “%s” is not found",
    async (token) => {
      await expect(getFeed(db, signer, token)).rejects.toEqual(refused("not-found"));
    },
  );

  test("requires signing in", async () => {
    const { guest } = await setup();
    await expect(within((tx) => changeFeed(tx, guest, { scope: "groups", intent: "renew" }))).rejects.toEqual(
      refused("not-signed-in"),
    );
    await expect(getFeedTokens(db, signer, guest)).rejects.toEqual(refused("not-signed-in"));
  });
});

describe("events in a calendar feed", () => {
  test("contain the call link only for the host and people who are going", async () => {
    const { mira, tomas, answer, group } = await setup();
    const link = async (who: Viewer) =>
      (await listFeedEvents(db, who, clock.at, { groupId: group.id })).map(({ onlineUrl }) => onlineUrl);
    expect([await link(mira), await link(tomas)]).toEqual([["https://example.org/call"], [null]]);
    await answer(tomas, "going");
    expect(await link(tomas)).toEqual(["https://example.org/call"]);
  });

  test("include cancelled events with the time of cancellation, and past events for 90 days", async () => {
    const { mira, tomas, guest, noor, id, group } = await setup();
    clock.pass(1000);
    await within((tx) => cancelEvent(tx, mira, { eventId: id, reason: "Storm." }));
    const list = (who: Viewer) => listFeedEvents(db, who, clock.at, { groupId: group.id });
    expect(await list(tomas)).toMatchObject([{ cancelledAt: clock.at, changes: 1, changedAt: clock.at }]);
    for (const who of [guest, noor]) expect(await list(who)).toEqual([]);
    clock.pass(80 * DAY);
    expect(await list(tomas)).toHaveLength(1);
    clock.pass(20 * DAY);
    expect(await list(tomas)).toEqual([]);
  });
});
