import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { deletePost } from "#community/discussions";
import { applyDueOpenings, updateGroup } from "#community/groups";
import { revealEmail, setStatus } from "#community/accounts";
import type { SignedIn, Visibility } from "#community/rules";
import { openSettings } from "#community/settings";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  listAccountHistory,
  inspectGroup,
  iterateSiteLog,
  type LogPart,
  NewInspection,
  reportPost,
  listReportsAbout,
  resolveCase,
  listSiteLog,
} from "./index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const later = <T>(work: Promise<T>) => work.finally(() => clock.pass(1));

const reported = (viewer: SignedIn, postId: string) =>
  later(within((tx) => reportPost(tx, viewer, { postId, reason: "It sells." })));

/** A post of Mira's in a group of this visibility, removed by Tomas. */
async function scene(visibility: Visibility) {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility, name: "Behind the shed" });
  const { id } = await createTestDiscussion(database, people.mira, group.id);
  const post = await createTestReply(database, people.mira, id, { body: "Buy my beans." });
  const takesAway = () =>
    later(within((tx) => deletePost(tx, people.tomas, { postId: post.id, reason: "Adverts of the shed." })));
  return { ...people, group, post, takesAway };
}
const log = async (viewer: SignedIn, siteLogQuery: Parameters<typeof listSiteLog>[2] = {}) =>
  (await listSiteLog(db, viewer, siteLogQuery)).rows.map(({ act, by, whom, reason, group }) => [
    act,
    by?.username,
    whom?.username,
    reason,
    group?.name,
  ]);

describe("site log", () => {
  test("lists actor, action, target, time and reason, latest first", async () => {
    const { ada, ines, mira, takesAway } = await scene("public");
    await takesAway();
    await later(
      within((tx) =>
        setStatus(tx, ines, { personId: mira.id, state: "limited", reason: "Adverts.", until: clock.at }),
      ),
    );
    await later(within((tx) => openSettings(database).set(tx, ada, { sentence: "A secret sentence." })));
    expect(await log(ada)).toEqual([
      ["settings.changed", "ada", undefined, null, undefined],
      ["person.limited", "ines", "mira", "Adverts.", undefined],
      ["post.removed", "tomas", undefined, "Adverts of the shed.", "Behind the shed"],
    ]);
    expect((await listSiteLog(db, ada, {})).rows[0]!.details).toEqual({
      "before.sentence": "A home for our community.",
      sentence: "A secret sentence.",
    });
    expect(await log(ada, { by: "@Ines" })).toHaveLength(1);
    const written = [];
    for await (const { act } of iterateSiteLog(db, ada, { by: "ines" })) written.push(act);
    expect(written).toEqual(["person.limited"]);
    await expect(iterateSiteLog(db, ines, {}).next()).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await log(ada, { by: mira.id })).toEqual([]);
    for (const [part, acts] of Object.entries({
      people: ["person.limited"],
      words: ["post.removed"],
      place: ["settings.changed"],
      reports: [],
    }))
      expect((await log(ada, { part: part as LogPart })).map(([act]) => act)).toEqual(acts);
  });

  test("continues where the previous page ended", async () => {
    const { ada, mira } = await createTestUsers(database);
    for (let i = 0; i < 60; i++) await within((tx) => revealEmail(tx, ada, mira.id));
    const first = await listSiteLog(db, ada, {});
    const second = await listSiteLog(db, ada, { after: first.next! });
    expect([first.rows.length, second.rows.length, second.next]).toEqual([50, 10, null]);
    expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(60);
  });

  test.each(["private", "secret"] as const)(
    "shows only staff actions in a %s group, without names that the viewer may not know",
    async (visibility) => {
      const { ada, group, takesAway } = await scene(visibility);
      await takesAway();
      await later(
        within((tx) =>
          inspectGroup(
            tx,
            ada,
            NewInspection.parse({ groupId: group.id, reason: "Somebody is threatened." }),
          ),
        ),
      );
      expect(await log(ada)).toEqual([
        [
          "group.inspected",
          "ada",
          undefined,
          "Somebody is threatened.",
          visibility === "private" ? "Behind the shed" : undefined,
        ],
      ]);
      expect(JSON.stringify(await listSiteLog(db, ada, {}))).not.toContain(group.id);
      // A moderator reads the group's log; a member does not.
      await within((tx) => setMembership(tx, group.id, ada, "member"));
      expect(await log(ada)).toHaveLength(1);
      await within((tx) => setMembership(tx, group.id, ada, "moderator"));
      expect(await log(ada)).toHaveLength(2);
    },
  );

  test("shows actions in a group only from when it became public", async () => {
    const { ada, tomas, group, takesAway } = await scene("private");
    await takesAway();
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, visibility: "public" }));
    clock.pass(8 * DAY);
    await later(within(applyDueOpenings));
    expect((await log(ada)).map(([act]) => act)).toEqual(["group.opened"]);
  });

  test("omits reports that concern the viewer", async () => {
    const { ada, ines, noor, group } = await scene("public");
    await within((tx) => setMembership(tx, group.id, ada, "member"));
    const { id } = await createTestDiscussion(database, ada, group.id);
    const post = await createTestReply(database, ada, id, { body: "Buy my beans." });
    const { id: reportId } = await reported(noor, post.id);
    await later(
      within((tx) =>
        resolveCase(tx, ines, {
          caseId: reportId,
          outcome: "rejected",
          reason: "",
          note: "An admin, of all people.",
        }),
      ),
    );
    expect(await log(ada)).toEqual([]);
  });

  test("requires an admin", async () => {
    const { ines, mira, guest } = await createTestUsers(database);
    for (const viewer of [ines, mira, guest])
      await expect(listSiteLog(db, viewer, {})).rejects.toMatchObject({ reason: "not-allowed" });
  });
});

describe("account history", () => {
  test("lists staff actions on the account and reports about it", async () => {
    const { ines, noor, mira, post } = await scene("public");
    await later(
      within((tx) =>
        setStatus(tx, ines, { personId: mira.id, state: "limited", reason: "Adverts.", until: clock.at }),
      ),
    );
    const { id: reportId } = await reported(noor, post.id);
    expect((await listAccountHistory(db, ines, mira.id)).map(({ act, reason }) => [act, reason])).toEqual([
      ["person.limited", "Adverts."],
    ]);
    expect((await listReportsAbout(db, ines, mira.id)).map(({ id, reason }) => [id, reason])).toEqual([
      [reportId, "It sells."],
    ]);
    expect([await listAccountHistory(db, ines, noor.id), await listReportsAbout(db, ines, noor.id)]).toEqual([
      [],
      [],
    ]);
  });

  test("requires staff", async () => {
    const { mira, guest } = await createTestUsers(database);
    for (const viewer of [mira, guest]) {
      await expect(listAccountHistory(db, viewer, mira.id)).rejects.toMatchObject({ reason: "not-allowed" });
      await expect(listReportsAbout(db, viewer, mira.id)).rejects.toMatchObject({ reason: "not-found" });
    }
  });
});
