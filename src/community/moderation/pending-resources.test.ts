import { describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { createEventOrAwaitApproval, NewEvent } from "#community/calendar";
import { getReturnedResource, listOwnPendingPosts, listPendingPosts } from "#community/discussions";
import { blockPerson } from "#community/friends";
import {
  addDocumentOrAwaitApproval,
  addFileOrAwaitApproval,
  addLink,
  addLinkOrAwaitApproval,
  editResource,
  listResources,
  NewDocument,
  NewFile,
  NewLink,
  ResourceChange,
} from "#community/resources";
import { saveWatchedWord, WatchedWordForm } from "#community/prevention";
import { getDraft, draftTargets, getPendingPostFile } from "#community/discussions";
import type { SignedIn, Viewer } from "#community/rules";
import { listEmittedEvents } from "../../../test/support/test-users.ts";
import {
  createApprovalTalk,
  createTestPicture,
  database,
  db,
  returnPost,
  within,
  withdrawPost,
} from "../../../test/support/moderation/first-posts-setup.ts";
import { eventFields } from "../../../test/support/calendar-setup.ts";
import { approvePending } from "./index.ts";

const link = (fields: Record<string, unknown> = {}) =>
  NewLink.parse({ url: "https://beans.example/", title: "Beans", why: "To sow.", tags: "beans", ...fields });
const sendLink = (who: Viewer, fields: Record<string, unknown> = {}) =>
  within((tx) => addLinkOrAwaitApproval(tx, who, link(fields)));
const createPendingLink = async (who: Viewer, fields: Record<string, unknown> = {}) => {
  const it = await sendLink(who, fields);
  if (!("waits" in it)) throw new Error("it does not wait");
  return it.waits;
};
const approve = (who: Viewer, pendingPostId: string) =>
  within((tx) => approvePending(tx, who, { pendingPostId }));
const watch = (who: SignedIn, phrase: string) =>
  within((tx) =>
    saveWatchedWord(
      tx,
      who,
      WatchedWordForm.parse({ phrase, action: "approve", replacement: "", explanation: "We read these." }),
    ),
  );
const library = async (who: Viewer) => (await listResources(db, who, {})).rows.map(({ title }) => title);

describe("pending resource", () => {
  test.each([
    ["off", ["added", "added"]],
    ["links", ["waits", "waits"]],
    ["first", ["waits", "waits"]],
    ["all", ["waits", "waits"]],
  ] as const)("needs approval if the setting “%s” requires it", async (look, expected) => {
    const { nora, mira } = await createApprovalTalk(look);
    const found = [];
    for (const title of ["Beans", "Peas"])
      found.push("waits" in (await sendLink(nora, { title })) ? "waits" : "added");
    expect(found).toEqual(expected);
    expect("waits" in (await sendLink(mira))).toBe(false);
  });

  test("in a group is seen by its author and moderators only, then published by one of them", async () => {
    const { nora, mira, tomas, elsa, ines, guest, group } = await createApprovalTalk("first", "private");
    const id = await createPendingLink(nora, { groupId: group.id });
    await within((tx) => blockPerson(tx, nora, { personId: tomas.id }));
    for (const viewer of [tomas, elsa])
      expect((await listPendingPosts(db, viewer)).rows).toMatchObject([
        { id, title: "Beans", resource: { kind: "link", url: "https://beans.example/", why: "To sow." } },
      ]);
    expect((await listPendingPosts(db, ines)).rows).toEqual([]);
    expect(await listOwnPendingPosts(db, nora)).toMatchObject([{ id, place: { kind: "library" } }]);
    for (const viewer of [mira, nora, guest, ines]) expect(await library(viewer)).toEqual([]);
    expect(await listEmittedEvents(database)).not.toContain("resource.added");
    for (const viewer of [mira, nora, ines])
      await expect(approve(viewer, id)).rejects.toMatchObject({ reason: "not-found" });
    await approve(elsa, id);
    expect(await library(mira)).toEqual(["Beans"]);
    expect(await listEmittedEvents(database)).toEqual(
      expect.arrayContaining(["resource.added", "resource.approved"]),
    );
    await expect(approve(tomas, id)).rejects.toMatchObject({ reason: "not-found" });
    expect(
      await one(db, sql`select actor_id as by from audit_events where act = 'resource.approved'`),
    ).toEqual({ by: elsa.id });
  });

  test("for the whole community is decided by staff", async () => {
    const { nora, tomas, ines, mira } = await createApprovalTalk();
    const id = await createPendingLink(nora);
    expect((await listPendingPosts(db, tomas)).rows).toEqual([]);
    await expect(approve(tomas, id)).rejects.toMatchObject({ reason: "not-found" });
    expect((await listPendingPosts(db, ines)).rows).toMatchObject([{ id, group: null, place: { id: "" } }]);
    await approve(ines, id);
    expect(await library(mira)).toEqual(["Beans"]);
  });

  test("is returned with a reason and its fields, which only the author reads", async () => {
    const { nora, mira, ines } = await createApprovalTalk();
    const id = await createPendingLink(nora);
    expect(await getReturnedResource(db, nora, id)).toBeNull();
    await returnPost(ines, id, "Say why it is useful.");
    await expect(approve(ines, id)).rejects.toMatchObject({ reason: "conflict" });
    expect(await listOwnPendingPosts(db, nora)).toMatchObject([
      { id, isReturned: true, answer: "Say why it is useful.", approvalReason: null },
    ]);
    expect(await getReturnedResource(db, nora, id)).toMatchObject({ title: "Beans", tags: "beans" });
    for (const viewer of [mira, ines]) expect(await getReturnedResource(db, viewer, id)).toBeNull();
    // Sending it again removes the returned one.
    const again = await createPendingLink(nora, { why: "For beginners." });
    expect((await listOwnPendingPosts(db, nora)).map((it) => it.id)).toEqual([again]);
  });

  test("waits because of a watched word, also for an established member, and says why", async () => {
    const { ada, mira, elsa, group } = await createApprovalTalk("off");
    await watch(ada, "beans");
    const id = await createPendingLink(mira, { groupId: group.id });
    expect((await listPendingPosts(db, elsa)).rows).toMatchObject([
      { id, approvalReason: { kind: "word", phrase: "beans", explanation: "We read these." } },
    ]);
    // A client that cannot show a pending resource is refused, and nothing is stored.
    await expect(within((tx) => addLink(tx, mira, link()))).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await listOwnPendingPosts(db, mira)).toHaveLength(1);
    expect("waits" in (await sendLink(elsa, { groupId: group.id }))).toBe(false);
  });

  test("limits the pending entries of a person to three", async () => {
    const { nora } = await createApprovalTalk();
    for (const title of ["A", "B", "C"]) await createPendingLink(nora, { title });
    await expect(sendLink(nora, { title: "D" })).rejects.toMatchObject({ reason: "too-many" });
  });

  test("keeps its document as a draft when it is withdrawn or returned", async () => {
    const { ada, mira, elsa, group } = await createApprovalTalk("off");
    await watch(ada, "rows");
    const send = () =>
      within((tx) =>
        addDocumentOrAwaitApproval(
          tx,
          mira,
          NewDocument.parse({ title: "How to sow", body: "In rows.", groupId: group.id }),
        ),
      );
    const first = await send();
    await withdrawPost(mira, (first as { waits: string }).waits);
    expect(await getDraft(db, mira, draftTargets.newResource)).toMatchObject({ body: "In rows." });
    const second = await send();
    expect(await getDraft(db, mira, draftTargets.newResource)).toBeNull();
    await returnPost(elsa, (second as { waits: string }).waits);
    expect(await getDraft(db, mira, draftTargets.newResource)).toMatchObject({ title: "How to sow" });
  });

  test("shows its file to author and moderators, and keeps it when it is approved", async () => {
    const { ada, mira, elsa, noor, group } = await createApprovalTalk("off");
    await watch(ada, "scan");
    const uploadId = await createTestPicture(mira);
    const fields = { uploadId, title: "Scan", groupId: group.id };
    const sent = await within((tx) => addFileOrAwaitApproval(tx, mira, NewFile.parse(fields)));
    for (const viewer of [mira, elsa]) expect((await getPendingPostFile(db, viewer, uploadId)).size).toBe(1);
    for (const viewer of [ada, noor])
      await expect(getPendingPostFile(db, viewer, uploadId)).rejects.toMatchObject({ reason: "not-found" });
    await approve(elsa, (sent as { waits: string }).waits);
    expect(
      await one(
        db,
        sql`select u.attached_kind as kind from uploads u join resources r on r.upload_id = u.id`,
      ),
    ).toEqual({ kind: "resource" });
  });

  test("cannot be published for an author who was suspended", async () => {
    const { nora, ines } = await createApprovalTalk();
    const id = await createPendingLink(nora);
    await run(db, sql`update people set state = 'suspended' where id = ${nora.id}`);
    await expect(approve(ines, id)).rejects.toMatchObject({ reason: "conflict" });
  });

  test("cannot be avoided by adding a link in an edit", async () => {
    const { nora, ines, mira } = await createApprovalTalk("links");
    await approve(ines, await createPendingLink(nora));
    const { id } = (await listResources(db, nora, {})).rows[0]!;
    const edit = (fields: object) =>
      within((tx) => editResource(tx, nora, ResourceChange.parse({ resourceId: id, changes: 0, ...fields })));
    await expect(edit({ url: "https://spam.example/" })).rejects.toMatchObject({
      fields: { url: /need approval/ },
    });
    await expect(edit({ why: "See https://spam.example/" })).rejects.toMatchObject({
      fields: { body: /need approval/ },
    });
    await expect(edit({ why: "For beginners." })).resolves.toBeUndefined();
    expect("waits" in (await sendLink(mira, { url: "https://other.example/" }))).toBe(false);
  });
});

test("event waits because of a watched word in its location", async () => {
  const { ada, mira, elsa, group } = await createApprovalTalk("off");
  await watch(ada, "casino");
  const sent = await within((tx) =>
    createEventOrAwaitApproval(
      tx,
      mira,
      NewEvent.parse({ ...eventFields(tx.now), groupId: group.id, place: "Casino" }),
    ),
  );
  expect((await listPendingPosts(db, elsa)).rows).toMatchObject([
    { event: { place: "Casino" }, approvalReason: { phrase: "casino" } },
  ]);
  expect(await one(db, sql`select count(*)::int as count from calendar_events`)).toEqual({ count: 0 });
  await approve(elsa, (sent as { waits: string }).waits);
  expect(await one(db, sql`select place from calendar_events`)).toEqual({ place: "Casino" });
});
