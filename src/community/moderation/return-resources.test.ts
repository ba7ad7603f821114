import { describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import {
  listOwnPendingPosts,
  listPendingPosts,
  purgePendingPosts,
  withdrawPendingPost,
  returnPendingPost,
} from "#community/discussions";
import {
  addDocument,
  addLink,
  editResource,
  getResource,
  NewDocument,
  NewLink,
  removeResource,
  ResourceChange,
  unhideResource,
} from "#community/resources";
import type { SignedIn, Viewer } from "#community/rules";
import { createCaseSetup } from "../../../test/support/moderation/case-setup.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { DAY } from "#platform/clock";
import {
  approvePending,
  getTransparencyReport,
  iterateDecisions,
  reportResource,
  undoDecision,
} from "./index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const { view, setup: setupCase, decide, notificationsOf } = createCaseSetup(database);

/** A document of Noor in Tomas' group, reported by Mira. */
async function setup() {
  const it = await setupCase();
  const { id } = await within((tx) =>
    addDocument(
      tx,
      it.noor,
      NewDocument.parse({ title: "Beans", body: "Buy my beans.", groupId: it.group.id }),
    ),
  );
  const { id: caseId } = await within((tx) =>
    reportResource(tx, it.mira, { resourceId: id, reason: "It sells beans." }),
  );
  return { ...it, resourceId: id, caseId };
}
const edit = (who: Viewer, resourceId: string, changes = 0, body = "Beans to give away.") =>
  within((tx) => editResource(tx, who, ResourceChange.parse({ resourceId, changes, reason: "", body })));
const stateOf = async (id: string) =>
  (await one(db, sql<{ state: string }>`select state from resources where id = ${id}`)).state;
const pendingOf = async (who: Viewer) => (await listPendingPosts(db, who)).rows;
const approve = (who: Viewer, pendingPostId: string) =>
  within((tx) => approvePending(tx, who, { pendingPostId }));
const returnedTo = (who: SignedIn) => listOwnPendingPosts(db, who);

test("request for changes of a resource is a decision in the list for admins and in the figures", async () => {
  const { ada, tomas, caseId } = await setup();
  await decide(tomas, caseId, "returned");
  const decisions = [];
  for await (const { actions, content } of iterateDecisions(db, ada)) decisions.push({ actions, content });
  expect(decisions).toEqual([{ actions: ["returned"], content: "resource" }]);
  expect((await getTransparencyReport(db, clock.at))[0]).toMatchObject({
    upheld: "few",
    returned: "few",
    removed: 0,
  });
});

describe("request for changes of a resource", () => {
  test("hides it until its owner has changed it and a moderator has approved the change", async () => {
    const { tomas, mira, noor, resourceId, caseId } = await setup();
    expect(await view(tomas, caseId)).toMatchObject({ canReturn: true });
    await decide(tomas, caseId, "returned");
    await expect(getResource(db, mira, resourceId)).rejects.toMatchObject({ reason: "not-found" });
    expect(await notificationsOf(noor)).toEqual([
      ["post_decided", "returned published resource", "No shops.\nIt is an advert."],
    ]);
    expect(await pendingOf(tomas)).toEqual([]);
    expect(await returnedTo(noor)).toMatchObject([
      { isReturned: true, isChange: true, answer: "No shops.\nIt is an advert.", place: { id: resourceId } },
    ]);
    await edit(noor, resourceId);
    expect(await stateOf(resourceId)).toBe("hidden");
    const [pending] = await pendingOf(tomas);
    expect(pending).toMatchObject({
      author: { id: noor.id },
      isChange: true,
      title: "Beans",
      resource: { kind: "document" },
      place: { kind: "resource", id: resourceId },
    });
    expect(pending!.html).toContain("give away");
    await approve(tomas, pending!.id);
    expect((await getResource(db, mira, resourceId)).bodyHtml).toContain("give away");
    expect(await returnedTo(noor)).toEqual([]);
    expect((await notificationsOf(noor)).map(([, detail]) => detail)).toContain("approved resource");
  });

  test("needs a change, which only the owner can make, and which others cannot approve or withdraw", async () => {
    const { tomas, mira, noor, guest, resourceId, caseId } = await setup();
    await decide(tomas, caseId, "returned");
    await expect(edit(noor, resourceId, 0, "Buy my beans.")).rejects.toMatchObject({ reason: "invalid" });
    await expect(edit(tomas, resourceId)).rejects.toMatchObject({ reason: "not-allowed" });
    for (const who of [mira, guest])
      await expect(edit(who, resourceId)).rejects.toMatchObject({ reason: expect.any(String) });
    await edit(noor, resourceId);
    const { id } = (await pendingOf(tomas))[0]!;
    for (const who of [mira, noor])
      await expect(approve(who, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(within((tx) => withdrawPendingPost(tx, noor, { pendingPostId: id }))).rejects.toMatchObject({
      reason: "conflict",
    });
    await edit(noor, resourceId, 1, "Still for sale.");
    await expect(approve(tomas, id)).rejects.toMatchObject({ reason: "not-found" });
    const { id: later } = (await pendingOf(tomas))[0]!;
    await within((tx) => returnPendingPost(tx, tomas, { pendingPostId: later, answer: "No sales, please." }));
    expect(await stateOf(resourceId)).toBe("hidden");
    expect(await returnedTo(noor)).toMatchObject([{ isReturned: true, answer: "No sales, please." }]);
  });

  test("stays while the resource is hidden, also when a new resource waits", async () => {
    const { tomas, noor, group, caseId } = await setup();
    await decide(tomas, caseId, "returned");
    clock.pass(400 * DAY);
    expect(await within(purgePendingPosts)).toBe(0);
    await within((tx) =>
      addLink(
        tx,
        noor,
        NewLink.parse({ title: "Peas", why: "", url: "https://example.org", groupId: group.id }),
      ),
    );
    expect(await returnedTo(noor)).toHaveLength(1);
  });

  test.each(["removed by its owner", "shown again by a moderator"])("ends when it is %s", async (end) => {
    const { tomas, noor, resourceId, caseId } = await setup();
    await decide(tomas, caseId, "returned");
    await within<unknown>((tx) =>
      end.startsWith("removed")
        ? removeResource(tx, noor, { resourceId, reason: "" })
        : unhideResource(tx, tomas, { resourceId }),
    );
    expect(await returnedTo(noor)).toEqual([]);
    expect(await stateOf(resourceId)).toBe(end.startsWith("removed") ? "removed" : "published");
  });

  test("follows the resource into another group, whose moderators then approve it", async () => {
    const { tomas, ines, resourceId, noor, caseId } = await setup();
    await decide(tomas, caseId, "returned");
    await edit(noor, resourceId);
    await run(db, sql`update resources set group_id = null where id = ${resourceId}`);
    expect(await pendingOf(tomas)).toEqual([]);
    await approve(ines, (await pendingOf(ines))[0]!.id);
    expect(await stateOf(resourceId)).toBe("published");
  });

  test("can be undone until its owner has changed the resource", async () => {
    const { tomas, noor, resourceId, caseId } = await setup();
    const undo = () => within((tx) => undoDecision(tx, tomas, { caseId, reason: "A mistake." }));
    await decide(tomas, caseId, "returned");
    await undo();
    expect(await stateOf(resourceId)).toBe("published");
    expect(await returnedTo(noor)).toEqual([]);
    await decide(tomas, caseId, "returned");
    await edit(noor, resourceId);
    await expect(undo()).rejects.toMatchObject({
      reason: "conflict",
      message: expect.stringContaining("after your decision"),
    });
  });
});
