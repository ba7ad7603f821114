import { describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import {
  addProfileField,
  AnswersForm,
  answerFields,
  getPerson,
  latestOwnTexts,
  listFieldsToFill,
  listOwnPendingProfiles,
  NewFieldForm,
  type ProfileInput,
  updateProfile,
  updateProfileOrAwaitApproval,
} from "#community/accounts";
import { listOwnPendingPosts, listPendingPosts } from "#community/discussions";
import { saveWatchedWord, WatchedWordForm } from "#community/prevention";
import type { SignedIn, Viewer } from "#community/rules";
import { listEmittedEvents } from "../../../test/support/test-users.ts";
import {
  createApprovalTalk,
  database,
  db,
  returnPost,
  within,
  withdrawPost,
} from "../../../test/support/moderation/first-posts-setup.ts";
import { approvePending } from "./index.ts";

const LINK = "I sell at https://beans.example/";
const save = (who: SignedIn, changes: Partial<ProfileInput>) =>
  within((tx) => updateProfileOrAwaitApproval(tx, who, who.id, changes));
const approve = (who: Viewer, pendingPostId: string) =>
  within((tx) => approvePending(tx, who, { pendingPostId }));
const bio = async (who: Viewer, of: SignedIn) => (await getPerson(db, who, of.id)).about?.bioMd;
const pendingId = async (who: SignedIn) => (await listOwnPendingProfiles(db, who))[0]!.id;

describe("text of a profile", () => {
  test.each([
    ["off", false],
    ["links", true],
    ["first", true],
    ["all", true],
  ] as const)("with a new member's link waits unless the setting is “off”: %s", async (look, waits) => {
    const { nora, mira, ines } = await createApprovalTalk(look);
    expect(await save(nora, { bio: LINK })).toEqual({ waits });
    expect(await bio(mira, nora)).toBe(waits ? "" : LINK);
    for (const who of [mira, ines]) expect(await save(who, { bio: LINK })).toEqual({ waits: false });
    expect(await save(nora, { bio: "I sell beans." })).toEqual({ waits: false });
  });

  test.each([
    ["off", true],
    ["links", false],
    ["first", false],
    ["all", false],
  ] as const)(
    "with a new member's link cannot be the display name unless the setting is “off”: %s",
    async (look, can) => {
      const { nora, mira } = await createApprovalTalk(look);
      for (const name of ["https://beans.example", "Beans www.beans.example", "beans.example"]) {
        await (can
          ? save(nora, { name })
          : expect(save(nora, { name })).rejects.toMatchObject({
              reason: "invalid",
              fields: { name: expect.stringContaining("display name") },
            }));
        await save(mira, { name });
      }
      for (const name of ["Nora Bean", "J.R.R. Bean", "Nora Ph.D."]) await save(nora, { name });
    },
  );

  test("with a bare domain of a new member waits, and an approved one is kept", async () => {
    const { nora, mira, ines } = await createApprovalTalk("links");
    expect(await save(nora, { bio: "I sow beans, e.g. in node.js." })).toEqual({ waits: false });
    expect(await save(nora, { bio: "Cheap ones at beans.example" })).toEqual({ waits: true });
    expect(await save(mira, { bio: "Cheap ones at beans.example" })).toEqual({ waits: false });
    await approve(ines, await pendingId(nora));
    expect(await save(nora, { bio: "Beans: https://beans.example, beans.example" })).toEqual({ waits: true });
    expect(await save(nora, { bio: "Still at beans.example" })).toEqual({ waits: false });
    expect(await save(nora, { location: "peas.example" })).toEqual({ waits: true });
  });

  test("waits where only its author and staff read it, then replaces the previous one", async () => {
    const { nora, mira, tomas, ines, ada, guest } = await createApprovalTalk();
    await save(nora, { bio: "I sow beans." });
    await save(nora, { bio: LINK, location: "Lyon" });
    for (const viewer of [mira, nora, ines, guest].filter((it) => it.id !== null))
      expect(await getPerson(db, viewer, nora.id)).toMatchObject({
        about: { bioMd: "I sow beans.", location: "Lyon" },
      });
    expect(await listOwnPendingProfiles(db, nora)).toMatchObject([
      { texts: { bio: LINK }, isReturned: false },
    ]);
    for (const viewer of [mira, ada, guest]) expect(await listOwnPendingProfiles(db, viewer)).toEqual([]);
    const id = await pendingId(nora);
    expect((await listPendingPosts(db, tomas)).rows).toEqual([]);
    for (const viewer of [ines, ada])
      expect((await listPendingPosts(db, viewer)).rows).toMatchObject([
        { id, profile: { bio: LINK }, group: null, place: { kind: "profile" }, approvalReason: null },
      ]);
    for (const viewer of [nora, mira, tomas])
      await expect(approve(viewer, id)).rejects.toMatchObject({ reason: "not-found" });
    await approve(ines, id);
    expect(await bio(mira, nora)).toBe(LINK);
    expect((await getPerson(db, mira, nora.id)).about?.bioHtml).toContain('href="https://beans.example/"');
    expect(await listOwnPendingProfiles(db, nora)).toEqual([]);
    expect(await listEmittedEvents(database)).toEqual(expect.arrayContaining(["profile.approved"]));
    expect(
      await one(
        db,
        sql`select actor_id as by, object_id as of from audit_events where act = 'profile.approved'`,
      ),
    ).toEqual({ by: ines.id, of: nora.id });
    // Links that were approved are kept in later changes.
    expect(await save(nora, { bio: `${LINK} and sow.` })).toEqual({ waits: false });
  });

  test("that changes while it waits gets a new id, so that no unread text is approved", async () => {
    const { nora, mira, ines } = await createApprovalTalk();
    await save(nora, { bio: LINK });
    const first = await pendingId(nora);
    await save(nora, { bio: LINK });
    expect(await pendingId(nora)).toBe(first);
    await save(nora, { bio: "https://spam.example/" });
    await expect(approve(ines, first)).rejects.toMatchObject({ reason: "not-found" });
    // A text without a link applies at once, and ends the wait.
    await save(nora, { bio: "I sow beans." });
    expect(await listOwnPendingProfiles(db, nora)).toEqual([]);
    expect(await bio(mira, nora)).toBe("I sow beans.");
  });

  test("is returned with a reason, kept for the form, and sent again", async () => {
    const { nora, ines } = await createApprovalTalk();
    await save(nora, { bio: LINK });
    await returnPost(ines, await pendingId(nora), "Say what you sell.");
    const own = await listOwnPendingProfiles(db, nora);
    expect(own).toMatchObject([{ isReturned: true, answer: "Say what you sell." }]);
    expect(latestOwnTexts(own)).toEqual({ bio: LINK });
    expect(await listOwnPendingPosts(db, nora)).toMatchObject([
      { isReturned: true, place: { kind: "profile" } },
    ]);
    await save(nora, { bio: `Beans: ${LINK}` });
    expect(await listOwnPendingProfiles(db, nora)).toMatchObject([
      { isReturned: false, texts: { bio: `Beans: ${LINK}` } },
    ]);
    await withdrawPost(nora, await pendingId(nora));
    expect(await listOwnPendingProfiles(db, nora)).toEqual([]);
  });

  test("waits because of a watched word, and because another new member wrote it", async () => {
    const { nora, mira, ada, ines } = await createApprovalTalk("off");
    await within((tx) =>
      saveWatchedWord(
        tx,
        ada,
        WatchedWordForm.parse({ phrase: "casino", action: "approve", replacement: "", explanation: "Ads." }),
      ),
    );
    await save(mira, { location: "Casino" });
    expect((await listPendingPosts(db, ines)).rows).toMatchObject([
      { profile: { location: "Casino" }, approvalReason: { phrase: "casino", explanation: "Ads." } },
    ]);
    await expect(save(mira, { name: "Casino" })).rejects.toMatchObject({
      fields: { name: expect.anything() },
    });
    const text = "Earn money from home, write to me and I will tell you all about it today.";
    await save({ ...mira, trust: "new" }, { bio: text });
    expect(await save(nora, { bio: text })).toEqual({ waits: true });
    expect((await listOwnPendingProfiles(db, nora))[0]!.approvalReason).toEqual({ kind: "repeat" });
  });

  test("keeps known custom fields with their new audience, and removes others at once", async () => {
    const { nora, mira, ines } = await createApprovalTalk();
    const field = (label: string, value: string, audience: "members" | "nobody" = "members") => ({
      label,
      value,
      audience,
    });
    await save(nora, { fields: [field("Work", "Baker"), field("Phone", "123"), field("Ask me", "Bread")] });
    await save(nora, { fields: [field("Work", LINK), field("Phone", "123", "nobody")] });
    expect((await getPerson(db, mira, nora.id)).about?.fields).toEqual([field("Work", "Baker")]);
    await approve(ines, await pendingId(nora));
    expect((await getPerson(db, mira, nora.id)).about?.fields).toEqual([field("Work", LINK)]);
  });

  test("as an answer to a question waits, and counts as answered", async () => {
    const { nora, mira, ada, ines } = await createApprovalTalk();
    await within((tx) =>
      addProfileField(
        tx,
        ada,
        NewFieldForm.parse({
          label: "Website",
          kind: "link",
          audience: "members",
          required: true,
          locked: false,
        }),
      ),
    );
    const fieldId = (await listFieldsToFill(db, nora))[0]!.id;
    const said = ["https://beans.example/"];
    await within((tx) =>
      answerFields(tx, nora, nora.id, AnswersForm.parse([{ fieldId, said, audience: "members" }])),
    );
    expect(await listFieldsToFill(db, nora)).toMatchObject([{ said }]);
    expect((await getPerson(db, mira, nora.id)).about?.answers).toEqual([]);
    await approve(ines, await pendingId(nora));
    expect((await getPerson(db, mira, nora.id)).about?.answers).toMatchObject([{ label: "Website", said }]);
  });

  test("is refused to clients that cannot show it, and not published for a suspended author", async () => {
    const { nora, ines } = await createApprovalTalk();
    await expect(within((tx) => updateProfile(tx, nora, nora.id, { bio: LINK }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    expect(await listOwnPendingProfiles(db, nora)).toEqual([]);
    await save(nora, { bio: LINK });
    await run(db, sql`update people set state = 'suspended' where id = ${nora.id}`);
    await expect(approve(ines, await pendingId(nora))).rejects.toMatchObject({ reason: "conflict" });
  });
});
