import { beforeEach, describe, expect, test } from "vitest";
import { SECOND } from "#platform/clock";
import { one, sql } from "#platform/database";
import { SITE_RULE_LIMITS, type Viewer } from "#community/rules";
import { openSettings } from "#community/settings";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { createReportSetup } from "../../../test/support/moderation/report-setup.ts";
import { createTestUsers } from "../../../test/support/test-users.ts";
import {
  addSiteRule,
  deleteSiteRule,
  editSiteRule,
  iterateDecisions,
  moveSiteRule,
  NewSiteRule,
  Resolution,
  resolveCase,
  retireSiteRule,
} from "./index.ts";

const database = await testDatabase();
const { setupReportedPost, report, view } = createReportSetup(database);
const { db, clock, inTransaction: within } = database;

const settings = openSettings(database);
const list = async () =>
  (await settings.getNow()).siteRules.map(({ text, isRetired }) => (isRetired ? `(${text})` : text));
const add = (who: Viewer, text: string) =>
  within((tx) => addSiteRule(tx, who, settings, NewSiteRule.parse({ text })));
const idOf = async (text: string) => (await settings.getNow()).siteRules.find((it) => it.text === text)!.id;
const retire = async (who: Viewer, text: string, isRetired = true) => {
  const id = await idOf(text);
  await within((tx) => retireSiteRule(tx, who, settings, { id, isRetired }));
};
const decide = (who: Viewer, caseId: string, rule: string) =>
  within((tx) =>
    resolveCase(tx, who, Resolution.parse({ caseId, outcome: "removed", reason: "Beans.", note: "", rule })),
  );

beforeEach(() => clock.pass(SECOND));

describe("rules of the community", () => {
  test("can be written, changed, ordered, retired and deleted by admins", async () => {
    const { ada } = await createTestUsers(database);
    for (const text of ["Be  kind.", "No adverts.", "Stay on topic."]) await add(ada, text);
    const id = await idOf("Stay on topic.");
    await within((tx) => moveSiteRule(tx, ada, settings, { id, to: "up" }));
    await within((tx) => editSiteRule(tx, ada, settings, { id, text: "Stay on the topic." }));
    await retire(ada, "Be kind.");
    expect(await list()).toEqual(["(Be kind.)", "Stay on the topic.", "No adverts."]);
    const kind = await idOf("Be kind.");
    await within((tx) => deleteSiteRule(tx, ada, settings, { id: kind }));
    expect(await list()).toEqual(["Stay on the topic.", "No adverts."]);
  });

  test("are closed to others, and refuse an empty, repeated or unknown rule and deleting one in force", async () => {
    const { ada, ines, mira, guest } = await createTestUsers(database);
    for (const who of [ines, mira, guest])
      await expect(add(who, "Mine.")).rejects.toMatchObject({ reason: "not-found" });
    await add(ada, "Be kind.");
    await expect(add(ada, "Be kind.")).rejects.toMatchObject({ reason: "conflict" });
    expect(NewSiteRule.safeParse({ text: " " }).success).toBe(false);
    expect(NewSiteRule.safeParse({ text: "a".repeat(SITE_RULE_LIMITS.text + 1) }).success).toBe(false);
    const id = await idOf("Be kind.");
    const remove = (it: string) => within((tx) => deleteSiteRule(tx, ada, settings, { id: it }));
    await expect(remove(id)).rejects.toMatchObject({ reason: "conflict" });
    await expect(remove("nonsense")).rejects.toMatchObject({ reason: "not-found" });
  });

  test("are at most fifty, also when two admins add one at once", async () => {
    const { ada } = await createTestUsers(database);
    const siteRules = Array.from({ length: SITE_RULE_LIMITS.count - 1 }, (_, i) => ({
      id: `rule-${i}`,
      text: `Rule ${i}.`,
      isRetired: false,
    }));
    await within((tx) => settings.set(tx, ada, { siteRules }));
    const results = await Promise.allSettled([add(ada, "One more."), add(ada, "And one more.")]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await list()).toHaveLength(SITE_RULE_LIMITS.count);
  });

  test("need a new acceptance when those in force change", async () => {
    const { ada } = await createTestUsers(database);
    const version = async () => (await settings.getNow()).rulesVersion;
    const first = await version();
    await add(ada, "Be kind.");
    await retire(ada, "Be kind.");
    expect(await version()).toBe(first + 2);
    const id = await idOf("Be kind.");
    await within((tx) => editSiteRule(tx, ada, settings, { id, text: "Be nice." }));
    expect(await version()).toBe(first + 2);
  });

  test("can be cited by staff, in groups too, but not by moderators of a group or when retired", async () => {
    const { ada, ines, tomas, mira, post } = await setupReportedPost("public");
    for (const text of ["No adverts.", "Be kind."]) await add(ada, text);
    await retire(ada, "Be kind.");
    const { id } = await report(mira, post.id);
    expect((await view(ines, id)).rules).toEqual({ group: [], site: ["No adverts."] });
    expect((await view(tomas, id)).rules).toEqual({ group: [], site: [] });
    await expect(decide(tomas, id, "No adverts.")).rejects.toMatchObject({ fields: { rule: /in force/ } });
    await expect(decide(ines, id, "Be kind.")).rejects.toMatchObject({ fields: { rule: /in force/ } });
    await decide(ines, id, "No adverts.");
    expect(await view(ines, id)).toMatchObject({ rule: "No adverts.", action: "removed" });
  });

  test("keep their text in letter, case and file of decisions when they are changed and deleted", async () => {
    const { ada, ines, mira, post } = await setupReportedPost("public");
    await add(ada, "No adverts.");
    const { id } = await report(mira, post.id);
    await decide(ines, id, "No adverts.");
    const ruleId = await idOf("No adverts.");
    await within((tx) => editSiteRule(tx, ada, settings, { id: ruleId, text: "Adverts on Fridays only." }));
    await retire(ada, "Adverts on Fridays only.");
    await within((tx) => deleteSiteRule(tx, ada, settings, { id: ruleId }));
    expect((await view(ines, id)).rule).toBe("No adverts.");
    const laws = [];
    for await (const { law } of iterateDecisions(db, ada)) laws.push(law);
    expect(laws).toEqual(["No adverts."]);
    expect(await one(db, sql`select reason from audit_events where act = 'post.removed'`)).toEqual({
      reason: "No adverts.\nBeans.",
    });
  });
});
