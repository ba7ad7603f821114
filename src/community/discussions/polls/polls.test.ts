import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DAY, HOUR, addMilliseconds } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { LIMITS, pollRules, type SignedIn } from "#community/rules";
import { createTestReply } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { deletePost, NewReply, getPost, purgeDeletedContent, startDiscussion } from "../index.ts";
import { createPollSetup } from "../../../../test/support/discussions/poll-setup.ts";

const database = await testDatabase();
const { setupPoll, vote, getPoll, countVotes } = createPollSetup(database);
const { db, inTransaction: within } = database;
const inDays = (days: number) => addMilliseconds(database.clock.at, days * DAY).toISOString();

describe("poll", () => {
  test("can be part of the first post or a reply", async () => {
    const { mira, tomas, guest, id, postId } = await setupPoll({
      pollCloses: inDays(7),
      pollResults: "voted",
    });
    expect(await getPoll(tomas, postId)).toMatchObject({
      several: false,
      results: "voted",
      closesAt: new Date(inDays(7)),
    });
    const answer = await createTestReply(database, mira, id, {
      pollOptions: "Yes\nNo",
      pollChoice: "several",
    });
    expect(await getPoll(guest, answer.id)).toEqual({
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

  test("needs two to twenty distinct options; blank and repeated lines are ignored", () => {
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
    for (const count of [21, 1_000])
      expect(fault(lines(count))).toEqual(["pollOptions", "A poll can have 20 options at most."]);
    expect(fault("One\none\n")).toEqual(["pollOptions", "A poll needs at least two different options."]);
    expect(read(`A\n${"b".repeat(LIMITS.poll.option)}`).success).toBe(true);
    expect(fault(`A\n${"b".repeat(LIMITS.poll.option + 1)}`)).toEqual([
      "pollOptions",
      "An option can have 200 characters at most.",
    ]);
  });

  test("ends within a year or never, and needs an end if results appear only afterwards", async () => {
    const { tomas, id } = await setupPoll();
    const refused = (wish: Parameters<typeof setupPoll>[0]) =>
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
    const { mira, group } = await setupPoll();
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
    expect([second.id, (await getPoll(mira, first.postId))?.options.length]).toEqual([first.id, 2]);
  });

  test("disappears when its post becomes a stub, and is purged with the text", async () => {
    const { mira, tomas, ines, id, postId } = await setupPoll();
    await createTestReply(database, tomas, id);
    await within((tx) => deletePost(tx, mira, { postId }));
    for (const who of [mira, tomas, ines]) expect(await getPoll(who, postId)).toBeUndefined();
    await expect(vote(tomas, postId, 1)).rejects.toMatchObject({
      reason: "not-allowed",
      message: "This post has no poll.",
    });
    database.clock.pass(31 * DAY);
    await within(purgeDeletedContent);
    expect(await many(db, sql`select from poll_options where post_id = ${postId}`)).toEqual([]);
  });
});

describe("results", () => {
  const hidden = [null, null, null];
  const ends = (postId: string) =>
    run(db, sql`update polls set closes_at = now() - interval '1 minute' where post_id = ${postId}`);

  test("limited to voters appear only after voting or the end of the poll", async () => {
    const { mira, tomas, guest, postId } = await setupPoll({ pollResults: "voted" });
    await vote(tomas, postId, 1);
    for (const who of [mira, guest])
      expect(await getPoll(who, postId)).toMatchObject({
        voters: null,
        options: hidden.map((votes) => ({ votes })),
      });
    expect(await countVotes(tomas, postId)).toEqual([1, 0, 0]);
    await vote(tomas, postId);
    expect(await countVotes(tomas, postId)).toEqual(hidden);
    await ends(postId);
    for (const who of [mira, guest, tomas]) expect(await countVotes(who, postId)).toEqual([0, 0, 0]);
  });

  test("due at the end stay hidden before it, even from voters", async () => {
    const { mira, tomas, postId } = await setupPoll({ pollResults: "ended", pollCloses: inDays(300) });
    await run(db, sql`update polls set closes_at = now() + interval '1 hour' where post_id = ${postId}`);
    await vote(tomas, postId, 2);
    for (const who of [mira, tomas] as SignedIn[]) expect(await countVotes(who, postId)).toEqual(hidden);
    expect((await getPoll(tomas, postId))?.options.map((it) => it.mine)).toEqual([false, true, false]);
    await ends(postId);
    expect(await getPoll(mira, postId)).toMatchObject({
      closed: true,
      voters: 1,
      options: [{ votes: 0 }, { votes: 1 }, { votes: 0 }],
    });
  });

  test("appear depending on the poll's setting, the viewer's vote and the time", () => {
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
