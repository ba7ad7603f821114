import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DAY, HOUR, addMilliseconds } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import { LIMITS, pollRules, type SignedIn, type Viewer } from "#community/rules";
import type { z } from "zod";
import {
  createTestDiscussion,
  createTestGroup,
  listEmittedEvents,
  createTestReply,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  archiveDiscussion,
  deletePost,
  lockDiscussion,
  NewReply,
  getPost,
  purgeDeletedContent,
  startDiscussion,
  castVote,
} from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

type Wish = Partial<z.input<typeof NewReply>>;

/** A discussion of Mira's that asks which beans to sow. */
async function setting(wish: Wish = {}, visibility: "public" | "private" = "public") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility });
  const { id, postId } = await createTestDiscussion(database, people.mira, group.id, {
    pollOptions: "Runner\nBroad\nNone",
    ...wish,
  });
  return { ...people, group, id, postId };
}
const votes = (who: Viewer, postId: string, ...options: number[]) =>
  within((tx) => castVote(tx, who, { postId, options }));
const pollOf = async (who: Viewer, postId: string) => (await getPost(db, who, postId)).poll;
const standing = async (who: Viewer, postId: string) =>
  (await pollOf(who, postId))!.options.map((it) => it.votes);
const inDays = (days: number) => addMilliseconds(database.clock.at, days * DAY).toISOString();

describe("poll", () => {
  test("can be part of the first post or a reply", async () => {
    const { mira, tomas, guest, id, postId } = await setting({ pollCloses: inDays(7), pollResults: "voted" });
    expect(await pollOf(tomas, postId)).toMatchObject({
      several: false,
      results: "voted",
      closesAt: new Date(inDays(7)),
    });
    const answer = await createTestReply(database, mira, id, {
      pollOptions: "Yes\nNo",
      pollChoice: "several",
    });
    expect(await pollOf(guest, answer.id)).toEqual({
      several: true,
      results: "always",
      closesAt: null,
      closed: false,
      voters: 0,
      options: [
        { position: 1, text: "Yes", mine: false, votes: 0 },
        { position: 2, text: "No", mine: false, votes: 0 },
      ],
    });
    expect("poll" in (await getPost(db, mira, (await createTestReply(database, tomas, id)).id))).toBe(false);
  });

  test("takes two to twenty distinct options; blank and repeated lines do not count", () => {
    const read = (pollOptions: string) =>
      NewReply.safeParse({ discussionId: randomUUID(), body: "Which?", pollOptions });
    const fault = (pollOptions: string) =>
      read(pollOptions).error?.issues.map((it) => [it.path[0], it.message])[0];
    const lines = (n: number) => Array.from({ length: n }, (_, i) => `Bean ${i}`).join("\n");
    expect(read(" Runner  bean \r\n\n\trunner bean\nBroad\0 bean\n").data?.pollOptions).toEqual([
      "Runner bean",
      "Broad bean",
    ]);
    expect(read(lines(20)).success).toBe(true);
    expect(read(" \n\n").data?.pollOptions).toEqual([]);
    for (const many of [21, 1_000])
      expect(fault(lines(many))).toEqual(["pollOptions", "A poll can have 20 options at most."]);
    expect(fault("One\none\n")).toEqual(["pollOptions", "A poll needs at least two different options."]);
    expect(read(`A\n${"b".repeat(LIMITS.poll.option)}`).success).toBe(true);
    expect(fault(`A\n${"b".repeat(LIMITS.poll.option + 1)}`)).toEqual([
      "pollOptions",
      "An option can have 200 characters at most.",
    ]);
  });

  test("closes within a year if at all; final results need an end; a refused poll stores nothing", async () => {
    const { tomas, id } = await setting();
    const refused = (wish: Wish) =>
      expect(createTestReply(database, tomas, id, { pollOptions: "Yes\nNo", ...wish })).rejects;
    for (const days of [0, -1, 400])
      await refused({ pollCloses: inDays(days) }).toMatchObject({
        fields: { pollCloses: expect.anything() },
      });
    await refused({ pollResults: "ended" }).toMatchObject({
      reason: "invalid",
      fields: { pollCloses: expect.anything() },
    });
    for (const pollCloses of ["soon", "2026-99-99T00:00:00Z"])
      expect(
        NewReply.safeParse({ discussionId: id, body: "Which?", pollCloses }).error?.issues[0]?.message,
      ).toBe("Choose a day.");
    expect(await one(db, sql`select count(*)::int as n from posts where discussion_id = ${id}`)).toEqual({
      n: 1,
    });
  });

  test("sent twice is stored once", async () => {
    const { mira, group } = await setting();
    const input = {
      groupId: group.id,
      title: "Which beans?",
      body: "Say.",
      tags: [],
      pollOptions: ["A", "B"],
      clientId: randomUUID(),
    };
    const first = await within((tx) => startDiscussion(tx, mira, input));
    const second = await within((tx) => startDiscussion(tx, mira, input));
    expect([second.id, (await pollOf(mira, first.postId))?.options.length]).toEqual([first.id, 2]);
  });

  test("disappears with a stubbed post and is purged with its text", async () => {
    const { mira, tomas, ines, id, postId } = await setting();
    await createTestReply(database, tomas, id);
    await within((tx) => deletePost(tx, mira, { postId }));
    for (const who of [mira, tomas, ines]) expect(await pollOf(who, postId)).toBeUndefined();
    await expect(votes(tomas, postId, 1)).rejects.toMatchObject({
      reason: "not-allowed",
      message: "This post has no poll.",
    });
    database.clock.pass(31 * DAY);
    await within(purgeDeletedContent);
    expect(await many(db, sql`select from poll_options where post_id = ${postId}`)).toEqual([]);
  });
});

describe("vote", () => {
  test("counts once for each person, and can be changed or withdrawn", async () => {
    const { mira, tomas, postId } = await setting();
    await votes(mira, postId, 1);
    await votes(tomas, postId, 1);
    await votes(tomas, postId, 1);
    expect(await standing(mira, postId)).toEqual([2, 0, 0]);
    await votes(tomas, postId, 2);
    expect(await pollOf(tomas, postId)).toMatchObject({
      voters: 2,
      options: [
        { votes: 1, mine: false },
        { votes: 1, mine: true },
        { votes: 0, mine: false },
      ],
    });
    await votes(tomas, postId);
    expect([await standing(mira, postId), (await pollOf(mira, postId))?.voters]).toEqual([[1, 0, 0], 1]);
    // A vote that changes nothing emits no event.
    expect((await listEmittedEvents(database)).filter((type) => type === "poll.voted")).toHaveLength(4);
  });

  test("accepts only as many options as the poll allows", async () => {
    const { mira, tomas, id, postId } = await setting();
    const invalid = (message: string) => ({ reason: "invalid", fields: { options: message } });
    await expect(votes(tomas, postId, 1, 2)).rejects.toMatchObject(invalid("Choose one option."));
    await expect(votes(tomas, postId)).rejects.toMatchObject(invalid("Choose an option first."));
    for (const forged of [0, -1, 4, 2 ** 40])
      await expect(votes(tomas, postId, forged)).rejects.toMatchObject(
        invalid("That is not one of the options."),
      );
    const several = await createTestReply(database, mira, id, {
      pollOptions: "A\nB\nC",
      pollChoice: "several",
    });
    await votes(tomas, several.id, 3, 1, 1);
    expect(await standing(mira, several.id)).toEqual([1, 0, 1]);
    expect((await pollOf(mira, several.id))?.voters).toBe(1);
    expect(await standing(mira, postId)).toEqual([0, 0, 0]);
  });

  test("requires permission to reply and a post with a poll", async () => {
    const { mira, tomas, noor, guest, group, id, postId } = await setting();
    await expect(votes(guest, postId, 1)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(votes(noor, postId, 1)).rejects.toMatchObject({
      reason: "not-allowed",
      message: "Join the group to reply.",
    });
    await within((tx) => setMembership(tx, group.id, noor, "banned"));
    await expect(votes(noor, postId, 1)).rejects.toMatchObject({ reason: "not-found" });
    const { id: plain } = await createTestReply(database, tomas, id);
    for (const forged of [plain, randomUUID(), "x"])
      await expect(votes(mira, forged, 1)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("returns not-found to an outsider of a private group", async () => {
    const { noor, ada, postId } = await setting({}, "private");
    for (const who of [noor, ada])
      await expect(votes(who, postId, 1)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("refuses closed polls and locked or archived discussions with a reason", async () => {
    const { mira, tomas, id, postId } = await setting({ pollCloses: inDays(1) });
    await votes(mira, postId, 1);
    database.clock.pass(DAY);
    await expect(votes(mira, postId, 2)).rejects.toMatchObject({
      reason: "not-allowed",
      message: "This poll is closed.",
    });
    const open = await createTestReply(database, tomas, id, { pollOptions: "A\nB" });
    await within((tx) => lockDiscussion(tx, tomas, { discussionId: id, reason: "Enough." }));
    await expect(votes(mira, open.id, 1)).rejects.toMatchObject({
      message: "This discussion is closed for replies.",
    });
    await votes(tomas, open.id, 1);
    await within((tx) => archiveDiscussion(tx, tomas, { discussionId: id, reason: "Done." }));
    for (const who of [mira, tomas])
      await expect(votes(who, open.id, 2)).rejects.toMatchObject({
        message: "This is archived and read-only.",
      });
    expect(await standing(mira, open.id)).toEqual([1, 0]);
  });

  test("counts anonymously, across blocks too", async () => {
    const { mira, tomas, noor, group, id } = await setting();
    const { bram } = await within(async (tx) => {
      for (const who of [noor]) await setMembership(tx, group.id, who, "member");
      const bram = await createPerson(tx, "bram");
      await setMembership(tx, group.id, bram, "member");
      return { bram };
    });
    const { id: postId } = await createTestReply(database, tomas, id, { pollOptions: "A\nB" });
    await votes(bram, postId, 1);
    await within((tx) => blockPerson(tx, bram, { personId: noor.id }));
    for (const who of [mira, noor, bram]) expect(await standing(who, postId)).toEqual([1, 0]);
    expect(JSON.stringify(await pollOf(tomas, postId))).not.toMatch(new RegExp(`${bram.id}|bram`, "i"));
    await within((tx) => blockPerson(tx, tomas, { personId: noor.id }));
    await expect(votes(noor, postId, 1)).rejects.toMatchObject({ reason: "not-allowed" });
  });
});

describe("results", () => {
  const hidden = [null, null, null];
  const ends = (postId: string) =>
    run(db, sql`update polls set closes_at = now() - interval '1 minute' where post_id = ${postId}`);

  test("limited to voters are absent from other pages", async () => {
    const { mira, tomas, guest, postId } = await setting({ pollResults: "voted" });
    await votes(tomas, postId, 1);
    for (const who of [mira, guest])
      expect(await pollOf(who, postId)).toMatchObject({
        voters: null,
        options: hidden.map((votes) => ({ votes })),
      });
    expect(await standing(tomas, postId)).toEqual([1, 0, 0]);
    await votes(tomas, postId);
    expect(await standing(tomas, postId)).toEqual(hidden);
    await ends(postId);
    for (const who of [mira, guest, tomas]) expect(await standing(who, postId)).toEqual([0, 0, 0]);
  });

  test("due at the end stay hidden before it, except for the own choice", async () => {
    const { mira, tomas, postId } = await setting({ pollResults: "ended", pollCloses: inDays(300) });
    await run(db, sql`update polls set closes_at = now() + interval '1 hour' where post_id = ${postId}`);
    await votes(tomas, postId, 2);
    for (const who of [mira, tomas] as SignedIn[]) expect(await standing(who, postId)).toEqual(hidden);
    expect((await pollOf(tomas, postId))?.options.map((it) => it.mine)).toEqual([false, true, false]);
    await ends(postId);
    expect(await pollOf(mira, postId)).toMatchObject({
      closed: true,
      voters: 1,
      options: [{ votes: 0 }, { votes: 1 }, { votes: 0 }],
    });
  });

  test("follow poll settings, votes and time", () => {
    const now = new Date("2026-05-04T09:00:00Z");
    const sees = (
      results: "always" | "voted" | "ended",
      hasVoted: boolean,
      closesAt: Date | null = addMilliseconds(now, HOUR),
    ) => pollRules.seeResults({ results, closesAt }, hasVoted, now);
    expect([sees("always", false), sees("voted", false), sees("voted", true), sees("ended", true)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([sees("voted", false, now), sees("ended", false, now), sees("voted", false, null)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
