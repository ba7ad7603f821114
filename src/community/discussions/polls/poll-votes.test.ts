import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { blockPerson } from "#community/friends";
import {
  listEmittedEvents,
  createTestReply,
  setMembership,
  createPerson,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { archiveDiscussion, lockDiscussion } from "../index.ts";
import { createPollSetup } from "../../../../test/support/discussions/poll-setup.ts";

const database = await testDatabase();
const { setupPoll, vote, getPoll, countVotes } = createPollSetup(database);
const { inTransaction: within } = database;
const inDays = (days: number) => addMilliseconds(database.clock.at, days * DAY).toISOString();

describe("vote", () => {
  test("counts once for each person, and can be changed or withdrawn", async () => {
    const { mira, tomas, postId } = await setupPoll();
    await vote(mira, postId, 1);
    await vote(tomas, postId, 1);
    await vote(tomas, postId, 1);
    expect(await countVotes(mira, postId)).toEqual([2, 0, 0]);
    await vote(tomas, postId, 2);
    expect(await getPoll(tomas, postId)).toMatchObject({
      voters: 2,
      options: [
        { votes: 1, mine: false },
        { votes: 1, mine: true },
        { votes: 0, mine: false },
      ],
    });
    await vote(tomas, postId);
    expect([await countVotes(mira, postId), (await getPoll(mira, postId))?.voters]).toEqual([[1, 0, 0], 1]);
    // A vote that changes nothing emits no event.
    expect((await listEmittedEvents(database)).filter((type) => type === "poll.voted")).toHaveLength(4);
  });

  test("may select only existing options, and only one option in a single-choice poll", async () => {
    const { mira, tomas, id, postId } = await setupPoll();
    const invalid = (message: string) => ({ reason: "invalid", fields: { options: message } });
    await expect(vote(tomas, postId, 1, 2)).rejects.toMatchObject(invalid("Choose one option."));
    await expect(vote(tomas, postId)).rejects.toMatchObject(invalid("Choose an option first."));
    for (const forged of [0, -1, 4, 2 ** 40])
      await expect(vote(tomas, postId, forged)).rejects.toMatchObject(
        invalid("That is not one of the options."),
      );
    const several = await createTestReply(database, mira, id, {
      pollOptions: "A\nB\nC",
      pollChoice: "several",
    });
    await vote(tomas, several.id, 3, 1, 1);
    expect(await countVotes(mira, several.id)).toEqual([1, 0, 1]);
    expect((await getPoll(mira, several.id))?.voters).toBe(1);
    expect(await countVotes(mira, postId)).toEqual([0, 0, 0]);
  });

  test("requires permission to reply and a post with a poll", async () => {
    const { mira, tomas, noor, guest, group, id, postId } = await setupPoll();
    await expect(vote(guest, postId, 1)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(vote(noor, postId, 1)).rejects.toMatchObject({
      reason: "not-allowed",
      message: "Join the group to reply.",
    });
    await within((tx) => setMembership(tx, group.id, noor, "banned"));
    await expect(vote(noor, postId, 1)).rejects.toMatchObject({ reason: "not-found" });
    const { id: plain } = await createTestReply(database, tomas, id);
    for (const forged of [plain, randomUUID(), "x"])
      await expect(vote(mira, forged, 1)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("returns not-found to an outsider of a private group", async () => {
    const { noor, ada, postId } = await setupPoll({}, "private");
    for (const who of [noor, ada])
      await expect(vote(who, postId, 1)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("refuses closed polls and locked or archived discussions with a reason", async () => {
    const { mira, tomas, id, postId } = await setupPoll({ pollCloses: inDays(1) });
    await vote(mira, postId, 1);
    database.clock.pass(DAY);
    await expect(vote(mira, postId, 2)).rejects.toMatchObject({
      reason: "not-allowed",
      message: "This poll is closed.",
    });
    const open = await createTestReply(database, tomas, id, { pollOptions: "A\nB" });
    await within((tx) => lockDiscussion(tx, tomas, { discussionId: id, reason: "Enough." }));
    await expect(vote(mira, open.id, 1)).rejects.toMatchObject({
      message: "This discussion is closed for replies.",
    });
    await vote(tomas, open.id, 1);
    await within((tx) => archiveDiscussion(tx, tomas, { discussionId: id, reason: "Done." }));
    for (const who of [mira, tomas])
      await expect(vote(who, open.id, 2)).rejects.toMatchObject({
        message: "This is archived and read-only.",
      });
    expect(await countVotes(mira, open.id)).toEqual([1, 0]);
  });

  test("counts without naming the voter, and also across blocks", async () => {
    const { mira, tomas, noor, group, id } = await setupPoll();
    const bram = await within(async (tx) => {
      await setMembership(tx, group.id, noor, "member");
      const created = await createPerson(tx, "bram");
      await setMembership(tx, group.id, created, "member");
      return created;
    });
    const { id: postId } = await createTestReply(database, tomas, id, { pollOptions: "A\nB" });
    await vote(bram, postId, 1);
    await within((tx) => blockPerson(tx, bram, { personId: noor.id }));
    for (const who of [mira, noor, bram]) expect(await countVotes(who, postId)).toEqual([1, 0]);
    expect(JSON.stringify(await getPoll(tomas, postId))).not.toMatch(new RegExp(`${bram.id}|bram`, "i"));
    await within((tx) => blockPerson(tx, tomas, { personId: noor.id }));
    await expect(vote(noor, postId, 1)).rejects.toMatchObject({ reason: "not-allowed" });
  });
});
