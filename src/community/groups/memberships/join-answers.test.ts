import { describe, expect, test } from "vitest";
import type { SignedIn } from "#community/rules";
import { createTestGroup, createTestUsers } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  acceptInvitation,
  requestToJoin,
  getGroup,
  InviteLink,
  createInviteLink,
  listJoinRequests,
  updateGroup,
} from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe.each(["a direct request", "a request through a link"])("join answers of %s", (who) => {
  /** A group with two questions, and Noor's answers to the questions she read. */
  async function scene() {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, {
      visibility: "private",
      joinPolicy: "request",
      questions: ["Why?", "Which bed?"],
    });
    const { token } = await within((tx) =>
      createInviteLink(tx, people.tomas, InviteLink.parse({ groupId: group.id, entry: "ask" })),
    );
    const answer = (it: { answers: string[]; questions?: string[] }) =>
      within<unknown>((tx) =>
        who === "a direct request"
          ? requestToJoin(tx, people.noor, { groupId: group.id, ...it })
          : acceptInvitation(tx, people.noor, { token, ...it }),
      );
    const ask = (questions: string[]) =>
      within((tx) => updateGroup(tx, people.tomas, { groupId: group.id, questions }));
    const filed = async (reader: SignedIn) =>
      (await listJoinRequests(db, reader, await getGroup(db, reader, group.id)))[0]?.answers;
    return { ...people, answer, ask, filed };
  }
  const read = { questions: ["Why?", "Which bed?"], answers: ["Beans.", "The third."] };
  const changed = { reason: "conflict", message: expect.stringContaining("questions") };

  test("match the questions as they were displayed, even if the order changed since", async () => {
    const { tomas, answer, ask, filed } = await scene();
    await ask(["Which bed?", "Why?"]);
    await answer(read);
    expect(await filed(tomas)).toEqual([
      { question: "Which bed?", answer: "The third." },
      { question: "Why?", answer: "Beans." },
    ]);
  });

  test.each([
    ["a question was replaced", ["Why?", "Which tools?"]],
    ["a question was added", ["Why?", "Which bed?", "Since when?"]],
    ["a question was removed", ["Which bed?"]],
    ["all questions were removed", []],
  ])("fail if %s since the form was opened", async (_, now) => {
    const { tomas, answer, ask, filed } = await scene();
    await ask(now);
    await expect(answer(read)).rejects.toMatchObject(changed);
    expect(await filed(tomas)).toBeUndefined();
    await answer({ questions: now, answers: now.map(() => "Yes.") });
    expect(await filed(tomas)).toEqual(now.map((question) => ({ question, answer: "Yes." })));
  });

  test("must not be empty", async () => {
    const { answer } = await scene();
    await expect(answer({ ...read, answers: ["Beans.", ""] })).rejects.toMatchObject({ reason: "invalid" });
    await expect(answer({ ...read, answers: ["Beans."] })).rejects.toMatchObject({ reason: "invalid" });
  });

  test("follow the group's order when an API client sends no questions", async () => {
    const { tomas, answer, filed } = await scene();
    await answer({ answers: ["Beans.", "The third."] });
    expect(await filed(tomas)).toEqual([
      { question: "Why?", answer: "Beans." },
      { question: "Which bed?", answer: "The third." },
    ]);
  });
});
