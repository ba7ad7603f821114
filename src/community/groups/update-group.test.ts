import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { GroupChange, getGroup, listPreviousRules, updateGroup } from "./index.ts";
import { createModeratedGroupSetup } from "../../../test/support/groups/moderated-group.ts";

const database = await testDatabase();
const { expectRefusal, setupModeratedGroup } = createModeratedGroupSetup(database);
const { db, inTransaction: within } = database;

describe("group details", () => {
  test("can be changed by moderators; the access policy by owners only", async () => {
    const { tomas, lea, mira, noor, group } = await setupModeratedGroup("private");
    await within((tx) =>
      updateGroup(tx, lea, {
        groupId: group.id,
        purpose: "Beans.",
        startsBy: "moderators",
        eventsBy: "established",
        invitesBy: "moderators",
      }),
    );
    await expectRefusal(
      (tx) => updateGroup(tx, lea, { groupId: group.id, visibility: "secret" }),
      "not-allowed",
    );
    await expectRefusal(
      (tx) => updateGroup(tx, lea, { groupId: group.id, historyPolicy: "from_joining" }),
      "not-allowed",
    );
    await expectRefusal(
      (tx) => updateGroup(tx, mira, { groupId: group.id, purpose: "Weeds." }),
      "not-allowed",
    );
    await expectRefusal(
      (tx) => updateGroup(tx, noor, { groupId: group.id, purpose: "Weeds." }),
      "not-allowed",
    );
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, visibility: "secret" }));
    expect(await getGroup(db, mira, group.id)).toMatchObject({
      visibility: "secret",
      joinPolicy: "invite",
      purpose: "Beans.",
      startsBy: "moderators",
      eventsBy: "established",
    });
  });

  test("remain unchanged if the form omits them", async () => {
    const { tomas, mira, group } = await setupModeratedGroup("private");
    const change = (words: object) =>
      within((tx) => updateGroup(tx, tomas, GroupChange.parse({ groupId: group.id, ...words })));
    await change({
      purpose: "Beans.",
      about: "Thirty beds.",
      topic: "garden",
      rules: "Close the gate.",
      questions: "Why?",
    });
    const acts = () =>
      many(db, sql<{ act: string }>`select act from audit_events order by id`).then((rows) =>
        rows.map((row) => row.act),
      );
    expect(await acts()).toEqual(["group.changed"]);
    await change({ visibility: "secret" });
    const details = {
      purpose: "Beans.",
      aboutMd: "Thirty beds.",
      topic: "garden",
      rules: ["Close the gate."],
      questions: ["Why?"],
    };
    expect(await getGroup(db, mira, group.id)).toMatchObject({ ...details, visibility: "secret" });
    expect(await acts()).toEqual(["group.changed", "group.access_changed"]);
    await change({ purpose: "" });
    expect(await getGroup(db, mira, group.id)).toMatchObject({ ...details, purpose: "" });
  });

  test("log the previous name and access policy", async () => {
    const { tomas, group } = await setupModeratedGroup("private");
    const change = (words: object) =>
      within((tx) => updateGroup(tx, tomas, GroupChange.parse({ groupId: group.id, ...words })));
    const [before] = await many(db, sql<{ name: string }>`select name from groups where id = ${group.id}`);
    await change({ name: "The Longer Beds", purpose: "Beans." });
    await change({ name: "The Longer Beds" });
    await change({ visibility: "secret" });
    expect(await many(db, sql`select details from audit_events order by id`)).toEqual([
      { details: { changed: "name,purpose", nameBefore: before!.name } },
      { details: { changed: "name" } },
      {
        details: {
          visibility: "secret",
          joinPolicy: "invite",
          historyPolicy: "shared",
          visibilityBefore: "private",
          joinPolicyBefore: expect.any(String),
          historyPolicyBefore: "shared",
        },
      },
    ]);
  });

  test("get a new rules version only when the rules differ", async () => {
    const { tomas, mira, group } = await setupModeratedGroup();
    const rules = (...lines: string[]) =>
      within((tx) => updateGroup(tx, tomas, { groupId: group.id, rules: lines }));
    expect(await getGroup(db, mira, group.id)).toMatchObject({ rulesVersion: 1, rulesChangedAt: null });
    await rules("Close the gate.");
    const changedAt = database.clock.at;
    database.clock.pass(DAY);
    await rules("Close the gate.");
    expect(await getGroup(db, mira, group.id)).toMatchObject({
      rules: ["Close the gate."],
      rulesVersion: 2,
      rulesChangedAt: changedAt,
    });
    await rules("Close the gate.", "Bring a mug.");
    expect(await one(db, sql`select rules, version from group_rule_versions where version = 2`)).toEqual({
      rules: ["Close the gate."],
      version: 2,
    });
    const before = await listPreviousRules(db, mira, await getGroup(db, mira, group.id));
    expect(before.map((it) => [it.version, it.rules])).toEqual([
      [2, ["Close the gate."]],
      [1, []],
    ]);
    await expect(
      listPreviousRules(db, mira, { ...(await getGroup(db, mira, group.id)), state: "deleted" }),
    ).rejects.toMatchObject({
      reason: "not-found",
    });
    await run(db, sql`update groups set state = 'archived'`);
    await expect(rules("Too late.")).rejects.toMatchObject({ reason: "not-allowed" });
  });
});
