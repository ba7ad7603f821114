import { describe, expect, test } from "vitest";
import { SECOND } from "#platform/clock";
import { run, sql } from "#platform/database";
import { deletePost } from "#community/discussions";
import { setStatus } from "#community/accounts";
import type { Viewer } from "#community/rules";
import { createTestReply } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { createReportSetup } from "../../../test/support/moderation/report-setup.ts";
import {
  appealRemoval,
  getCategoryStatistics,
  iterateDecisions,
  markDuplicate,
  NewPostReport,
  reportPost,
  Resolution,
  resolveCase,
} from "./index.ts";

const database = await testDatabase();
const { resolve, setupReportedPost } = createReportSetup(database);
const { db, clock, inTransaction: within } = database;

const listDecisions = async (viewer: Viewer) => {
  const found = [];
  for await (const { category, law, actions, content, source } of iterateDecisions(db, viewer))
    found.push([category, law, actions.join(), content, source]);
  return found;
};

/** Posts of Noor in a public group. Mira reports one of them for each category. */
async function setup() {
  const setting = await setupReportedPost("public");
  const { mira, noor, discussion } = setting;
  const report = async (category: string, law = "") => {
    const post = await createTestReply(database, noor, discussion.id);
    const input = { ...NewPostReport.parse({ postId: post.id, reason: "It sells beans." }), category, law };
    const { id } = await within((tx) => reportPost(tx, mira, input));
    clock.pass(SECOND);
    return { id, postId: post.id };
  };
  return { ...setting, report };
}

describe("moderation decisions", () => {
  test("state category, law, action and source, without names", async () => {
    const { ada, tomas, ines, noor, discussion, report } = await setup();
    const law = "Germany, § 130 StGB";
    const illegal = await report("illegal", law);
    await resolve(ines, illegal.id, "removed", "It is illegal.");
    clock.pass(SECOND);
    await resolve(ines, (await report("spam")).id, "upheld");
    clock.pass(SECOND);
    await resolve(tomas, (await report("harassment")).id, "rejected");
    clock.pass(SECOND);
    const appeal = await within((tx) =>
      appealRemoval(tx, noor, { postId: illegal.postId, text: "It is a quotation." }),
    );
    await resolve(tomas, appeal.id, "restored", "So it is.");
    clock.pass(SECOND);
    const own = await createTestReply(database, noor, discussion.id);
    await within((tx) => deletePost(tx, tomas, { postId: own.id, reason: "Adverts." }));
    clock.pass(SECOND);
    await within((tx) =>
      setStatus(tx, ada, { personId: noor.id, state: "suspended", reason: "Adverts.", until: null }),
    );
    expect(await listDecisions(ada)).toEqual([
      ["illegal", law, "removed", "post", "notice"],
      ["spam", "", "none", "post", "notice"],
      ["harassment", "", "dismissed", "post", "notice"],
      ["other", "", "restored", "post", "appeal"],
      [null, "", "removed", "post", "own initiative"],
      [null, "", "suspended", "account", "own initiative"],
    ]);
  });

  test.each(["warned", "returned", "locked", "slowed", "banned"])(
    "include one by which content is %s",
    async (outcome) => {
      const { ada, tomas, report } = await setup();
      await resolve(tomas, (await report("harassment")).id, outcome, "Be kind.");
      const action = outcome === "banned" ? "banned,removed" : outcome;
      expect(await listDecisions(ada)).toEqual([["harassment", "", action, "post", "notice"]]);
      const statistics = await getCategoryStatistics(db, clock.at);
      expect(statistics).toMatchObject([{ category: "harassment", [outcome]: "few", none: 0 }]);
    },
  );

  test("include a case with a duplicate once, with the rule that it cites", async () => {
    const { ada, tomas, group, report } = await setup();
    await run(db, sql`update groups set rules = '["No shops."]' where id = ${group.id}`);
    const { id: caseId } = await report("spam");
    const { id: duplicate } = await report("off-topic");
    await within((tx) => markDuplicate(tx, tomas, { caseId: duplicate, originalId: caseId }));
    const input = { caseId, outcome: "removed", reason: "Beans.", note: "", rule: "No shops." };
    await within((tx) => resolveCase(tx, tomas, Resolution.parse(input)));
    expect(await listDecisions(ada)).toEqual([["spam", "No shops.", "removed", "post", "notice"]]);
  });

  test("keep the rule that the first decision cites after an appeal", async () => {
    const { ada, tomas, ines, noor, group, report } = await setup();
    await run(db, sql`update groups set rules = '["No shops."]' where id = ${group.id}`);
    const { id: caseId, postId } = await report("spam");
    const input = { caseId, outcome: "removed", reason: "Beans.", note: "", rule: "No shops." };
    await within((tx) => resolveCase(tx, tomas, Resolution.parse(input)));
    clock.pass(SECOND);
    await within((tx) => appealRemoval(tx, noor, { postId, text: "It was a gift." }));
    const decided = ["spam", "No shops.", "removed", "post", "notice"];
    expect(await listDecisions(ada)).toEqual([decided]);
    clock.pass(SECOND);
    await resolve(ines, caseId, "rejected", "It was an advert.");
    expect(await listDecisions(ada)).toEqual([decided, ["other", "", "kept", "post", "appeal"]]);
  });

  test("can be listed by admins only", async () => {
    const { ines, tomas, mira, guest } = await setup();
    for (const who of [ines, tomas, mira, guest])
      await expect(listDecisions(who)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("appear in statistics by category and action, with small counts shown as “few”", async () => {
    const { ines, report } = await setup();
    for (let i = 0; i < 3; i++) {
      await resolve(ines, (await report("spam")).id, "removed", "Adverts.");
      clock.pass(SECOND);
    }
    await resolve(ines, (await report("off-topic")).id, "rejected");
    const none = { archived: 0, limited: 0, suspended: 0, none: 0 };
    const mild = { returned: 0, warned: 0, locked: 0, slowed: 0, banned: 0 };
    expect(await getCategoryStatistics(db, clock.at)).toEqual([
      { ...none, ...mild, category: "off-topic", reports: "few", removed: 0, dismissed: "few" },
      { ...none, ...mild, category: "spam", reports: 3, removed: 3, dismissed: 0 },
    ]);
  });
});
