import { describe, expect, test } from "vitest";
import { blockPerson } from "#community/friends";
import type { SignedIn } from "#community/rules";
import { DAY } from "#platform/clock";
import { many, sql } from "#platform/database";
import { createTestGroup, setMembership, type TestUsers } from "../../../test/support/test-users.ts";
import { answerSuggestion, getLinkHealth, getResource, suggestAddress, scheduleLinkChecks } from "./index.ts";
import {
  clock,
  database,
  db,
  within,
  people,
  site,
  answerOk,
  answerNotFound,
  testAddress,
  addTestLink,
  runLinkChecks,
  getHealth,
  failUntilDead,
} from "../../../test/support/resources/link-server.ts";

describe("address suggestion", () => {
  const dead = async (groupId = "") => {
    const id = await addTestLink(testAddress("dead"), groupId);
    site.answer = answerNotFound;
    await failUntilDead();
    return id;
  };
  const suggest = (viewer: SignedIn, resourceId: string, url = testAddress("found")) =>
    within((tx) => suggestAddress(tx, viewer, { resourceId, url }));
  const seenBy = async (who: TestUsers[keyof TestUsers], id: string) =>
    (await getLinkHealth(db, who, id)).suggestions;
  const decide = (viewer: SignedIn, resourceId: string, suggestionId: string, accept = true) =>
    within((tx) => answerSuggestion(tx, viewer, { resourceId, suggestionId, accept }));
  const events = () =>
    many(
      db,
      sql<{ payload: object }>`select payload from outbox where type like 'resource.address-%' order by id`,
    ).then((rows) => rows.map((it) => it.payload));

  test("can be accepted in one step, which schedules a link check", async () => {
    const id = await dead();
    await suggest(people.tomas, id);
    const [suggestion] = await seenBy(people.mira, id);
    expect(suggestion).toMatchObject({
      url: testAddress("found"),
      by: expect.objectContaining({ username: "tomas" }) as object,
      mine: false,
    });
    await decide(people.mira, id, suggestion!.id);
    expect(await getResource(db, people.guest, id)).toMatchObject({
      url: testAddress("found"),
      health: "unknown",
    });
    await within(scheduleLinkChecks);
    site.answer = answerOk;
    await runLinkChecks();
    expect([await getHealth(id), await seenBy(people.mira, id)]).toEqual(["ok", []]);
    expect(await events()).toEqual([
      {
        type: "resource.address-suggested",
        resourceId: id,
        groupId: null,
        suggestionId: suggestion!.id,
        by: people.tomas.id,
      },
      {
        type: "resource.address-accepted",
        resourceId: id,
        groupId: null,
        suggestionId: suggestion!.id,
        personId: people.tomas.id,
        by: people.mira.id,
      },
    ]);
  });

  test("replaces an earlier suggestion by the same person, and can be declined", async () => {
    const id = await dead();
    await suggest(people.tomas, id, testAddress("first"));
    await suggest(people.tomas, id, testAddress("second"));
    const waiting = await seenBy(people.mira, id);
    expect(waiting.map((it) => it.url)).toEqual([testAddress("second")]);
    await decide(people.mira, id, waiting[0]!.id, false);
    expect((await getResource(db, people.mira, id)).url).toBe(testAddress("dead"));
    await expect(decide(people.mira, id, waiting[0]!.id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("counts toward the daily limit unless it repeats the previous suggestion", async () => {
    const id = await dead();
    for (let n = 1; n <= 20; n++) await suggest(people.tomas, id, testAddress(`house${n}`));
    await suggest(people.tomas, id, testAddress("house20"));
    expect((await events()).length).toBe(20);
    await expect(suggest(people.tomas, id, testAddress("house21"))).rejects.toMatchObject({
      reason: "too-many",
    });
    expect((await seenBy(people.mira, id)).map((it) => it.url)).toEqual([testAddress("house20")]);
    clock.pass(DAY);
    await suggest(people.tomas, id, testAddress("house21"));
    expect((await seenBy(people.mira, id)).map((it) => it.url)).toEqual([testAddress("house21")]);
  });

  test("needs a broken link and a different address", async () => {
    const id = await addTestLink(testAddress("alive"));
    await runLinkChecks();
    await expect(suggest(people.tomas, id)).rejects.toMatchObject({ reason: "conflict" });
    const other = await dead();
    await expect(suggest(people.tomas, other, `${testAddress("dead")}/#top`)).rejects.toMatchObject({
      reason: "invalid",
      fields: { url: expect.any(String) as string },
    });
  });

  test("needs permission to comment, and can be decided only by people who moderate the link", async () => {
    const group = await createTestGroup(database, people, { visibility: "private" });
    await within((tx) => setMembership(tx, group.id, people.ines, "member"));
    const id = await dead(group.id);
    await expect(suggest(people.noor, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(suggest({ ...people.ines, limited: true }, id)).rejects.toMatchObject({
      reason: "not-allowed",
      message: "Your account cannot post at the moment.",
    });
    await suggest(people.ines, id);
    expect([(await seenBy(people.tomas, id)).length, (await seenBy(people.ines, id))[0]?.mine]).toEqual([
      1,
      true,
    ]);
    const [{ id: suggestionId }] = (await seenBy(people.mira, id)) as unknown as [{ id: string }];
    await expect(decide(people.ines, id, suggestionId)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(decide(people.noor, id, suggestionId)).rejects.toMatchObject({ reason: "not-found" });
    await decide(people.tomas, id, suggestionId);
    expect((await getResource(db, people.mira, id)).url).toBe(testAddress("found"));
  });

  test("from a blocked person is hidden", async () => {
    const id = await dead();
    await suggest(people.tomas, id);
    await within((tx) => blockPerson(tx, people.mira, { personId: people.tomas.id }));
    expect(await seenBy(people.mira, id)).toEqual([]);
    expect(await seenBy(people.guest, id)).toEqual([]);
  });
});
