import { describe, expect, test } from "vitest";
import { DAY, MINUTE } from "#platform/clock";
import { run, sql, type Tx } from "#platform/database";
import { GUEST } from "#community/rules";
import { runConcurrently } from "../../../../test/support/concurrently.ts";
import { createTestReply, createTestUsers } from "../../../../test/support/test-users.ts";
import {
  database,
  db,
  setupDiscussion,
  within,
} from "../../../../test/support/discussions/discussion-setup.ts";
import {
  DraftInput,
  draftTargets,
  getDraft,
  listDrafts,
  purgeDrafts,
  saveDraft,
  saveConflictingDraft,
} from "../index.ts";

test("a draft target that only looks like an id is refused", async () => {
  const { mira } = await createTestUsers(database);
  for (const place of [`group:${"-".repeat(36)}`, `discussion:${"a".repeat(36)}`])
    expect(DraftInput.safeParse({ place, body: "Mulch." }).success, place).toBe(false);
  // Simulates a draft that was saved before the limit existed.
  await within((tx) =>
    saveDraft(tx, mira, { place: `group:${"-".repeat(36)}`, version: 0, title: "", body: "Mulch." }),
  );
  expect((await listDrafts(db, mira)).rows).toMatchObject([
    { body: "Mulch.", group: null, discussion: null, resource: null },
  ]);
});

test("conflicting text is appended only once to the draft of another device", async () => {
  const { mira } = await createTestUsers(database);
  const input = (version: number, body: string) =>
    DraftInput.parse({ place: "new:group", version, title: "Beans", body });
  const { draft } = await within((tx) => saveDraft(tx, mira, input(0, "From the phone.")));
  await within((tx) => saveConflictingDraft(tx, mira, input(0, "From the table.")));
  expect(await getDraft(db, mira, "new:group")).toMatchObject({
    title: "Beans",
    body: "From the phone.\n\nFrom the table.",
  });
  await within((tx) => saveConflictingDraft(tx, mira, input(0, "From the table.")));
  expect((await getDraft(db, mira, "new:group"))?.body).toBe("From the phone.\n\nFrom the table.");
  // The phone sees the newer version.
  expect(
    (await within((tx) => saveDraft(tx, mira, input(draft.version, "From the phone. More.")))).kept,
  ).toBe(false);
});

test("half of a surrogate pair is stored as a replacement character", async () => {
  const { mira } = await createTestUsers(database);
  const cut = DraftInput.parse({ place: "new:group", title: "Seeds \ud83c", body: "Beans \ud83c" });
  await within((tx) => saveDraft(tx, mira, cut));
  expect(await getDraft(db, mira, "new:group")).toMatchObject({
    title: "Seeds \ufffd",
    body: "Beans \ufffd",
  });
});

test("known extra fields are stored with the draft up to the size limit", async () => {
  const { mira } = await createTestUsers(database);
  const keep = (version: number, more: unknown) =>
    within((tx) =>
      saveDraft(tx, mira, DraftInput.parse({ place: "new:group", version, title: "Beans", more })),
    );
  const more = { tags: "beans, beds", pollOptions: "Yes\nNo\ud800", pollChoice: "several" };
  const first = await keep(0, { ...more, to: " ", why: "w".repeat(400) });
  expect(first.kept).toBe(true);
  const storedFields = {
    tags: "beans, beds",
    pollOptions: "Yes\nNo\ufffd",
    pollChoice: "several",
    why: "w".repeat(300),
  };
  expect((await getDraft(db, mira, "new:group"))?.more).toEqual(storedFields);
  expect(await keep(0, {})).toMatchObject({
    kept: false,
    draft: { version: first.draft.version, more: storedFields },
  });
  const second = await keep(first.draft.version, undefined);
  expect(second).toMatchObject({ kept: true, draft: { more: {} } });
  await keep(second.draft.version, { pollChoice: "several", pollResults: "ended", tags: "beans" });
  expect((await getDraft(db, mira, "new:group"))?.more).toEqual({ tags: "beans" });
  for (const wrong of [{ body: "Elsewhere" }, { tags: 5 }, ["beans"], "beans"])
    expect(DraftInput.safeParse({ place: "new:group", more: wrong })).toMatchObject({ success: false });
});

test("long drafts are listed with their full text up to a size limit per page", async () => {
  const { mira } = await createTestUsers(database);
  const keep = (place: string, body: string) => {
    database.clock.pass(MINUTE);
    return within((tx) => saveDraft(tx, mira, { place, version: 0, title: "", body }));
  };
  await keep("new:conversation", `${"Old. ".repeat(200)}The end.`);
  await keep("new:group", "x".repeat(399_000));
  await keep("new:resource", `${"New. ".repeat(400)}The end.`);
  await keep("new:announcement", "Short.");
  const whole = async () =>
    (await listDrafts(db, mira)).rows.map((it) => [it.place, it.body.length, it.whole?.length ?? null]);
  expect(await whole()).toEqual([
    ["new:announcement", 6, null],
    ["new:resource", 400, 2_008],
    ["new:group", 400, 399_000],
    ["new:conversation", 400, null],
  ]);
  await run(db, sql`delete from drafts where place = 'new:group'`);
  expect((await listDrafts(db, mira)).rows.at(-1)?.whole).toMatch(/The end\.$/);
});

test("two hundred drafts are listed fifty per page without gaps, even if saved at the same moment", async () => {
  const { mira, tomas, guest } = await createTestUsers(database);
  await run(
    db,
    sql`insert into drafts (person_id, place, data, saved_at)
        select ${mira.id}::uuid, 'post:' || gen_random_uuid(), jsonb_build_object('body', 'Number ' || n),
          date_trunc('milliseconds', now()) - (n / 7) * interval '1 minute'
        from generate_series(1, 200) n`,
  );
  await within((tx) => saveDraft(tx, tomas, { place: "new:group", version: 0, title: "", body: "Mine." }));
  const found: string[] = [];
  for (let after: string | undefined, pages = 1; ; pages++) {
    const page = await listDrafts(db, mira, { after });
    expect(page.rows).toHaveLength(50);
    found.push(...page.rows.map(({ body }) => body));
    if (page.next === null) {
      expect(pages).toBe(4);
      break;
    }
    after = page.next;
  }
  expect(new Set(found).size).toBe(200);
  expect(await listDrafts(db, guest)).toEqual({ rows: [], next: null });
});

test("an empty draft is deleted, unless another device has changed it", async () => {
  const { mira } = await createTestUsers(database);
  const keep = (version: number, body: string) =>
    within((tx) => saveDraft(tx, mira, { place: "new:group", version, title: "", body }));
  expect(await keep(0, " ")).toMatchObject({ kept: true, draft: { version: 0 } });
  const { version } = (await keep(0, "Beans.")).draft;
  expect(await keep(0, "")).toMatchObject({ kept: false, draft: { version, body: "Beans." } });
  expect(await keep(version, "")).toMatchObject({ kept: true, draft: { version: 0 } });
  expect(await getDraft(db, mira, "new:group")).toBeNull();
});

test("the limit is two hundred drafts per person; existing drafts can still be saved", async () => {
  const { mira, tomas } = await createTestUsers(database);
  await run(
    db,
    sql`insert into drafts (person_id, place, version, data, saved_at)
        select ${mira.id}, 'discussion:' || gen_random_uuid(), 1, '{"title":"","body":"Mulch."}', now()
        from generate_series(1, 199)`,
  );
  const keep = (who: typeof mira, place: string, version: number) =>
    within((tx) => saveDraft(tx, who, { place, version, title: "", body: "Beans." }));
  const { kept, draft } = await keep(mira, "new:group", 0);
  expect(kept).toBe(true);
  await expect(keep(mira, "new:announcement", 0)).rejects.toMatchObject({ reason: "too-many" });
  const again = await keep(mira, "new:group", draft.version);
  expect(again.kept).toBe(true);
  expect(await keep(mira, "new:group", draft.version)).toMatchObject({
    kept: false,
    draft: { version: again.draft.version },
  });
  expect(await keep(tomas, "new:announcement", 0)).toMatchObject({ kept: true });
});

test("two drafts created concurrently both count toward the limit", async () => {
  const { mira } = await createTestUsers(database);
  await run(
    db,
    sql`insert into drafts (person_id, place, version, data, saved_at)
        select ${mira.id}, 'discussion:' || gen_random_uuid(), 1, '{"title":"","body":"Mulch."}', now()
        from generate_series(1, 199)`,
  );
  const keep = (place: string) => (tx: Tx) =>
    saveDraft(tx, mira, { place, version: 0, title: "", body: "Beans." });
  expect(await runConcurrently(database, keep("new:group"), keep("new:announcement"))).toMatchObject([
    { value: { kept: true } },
    { reason: { reason: "too-many" } },
  ]);
});

describe("draft", () => {
  test("has a version, so that a second device cannot overwrite it unseen", async () => {
    const { mira, tomas, discussion } = await setupDiscussion();
    const there = { place: draftTargets.discussion(discussion.id), title: "" };
    const save = (version: number, body: string) =>
      within((tx) => saveDraft(tx, mira, { ...there, version, body }));
    const first = (await save(0, "I thi")).draft.version;
    const second = await save(first, "I think");
    expect(second.kept).toBe(true);
    expect(second.draft.version).toBeGreaterThan(first);
    expect(await save(first, "From the phone")).toMatchObject({
      kept: false,
      draft: { version: second.draft.version, body: "I think" },
    });
    expect(await getDraft(db, tomas, there.place)).toBeNull();
    expect(await getDraft(db, GUEST, there.place)).toBeNull();
    await createTestReply(database, mira, discussion.id, { body: "I think" });
    expect(await getDraft(db, mira, there.place)).toBeNull();
  });

  test("expires 180 days after its last change", async () => {
    const { mira, discussion } = await setupDiscussion();
    const save = (at: string, version: number) =>
      within((tx) => saveDraft(tx, mira, { place: at, title: "", version, body: "I thi" }));
    const [old, changed] = [draftTargets.discussion(discussion.id), "new:conversation"];
    await save(old, 0);
    const { version } = (await save(changed, 0)).draft;
    database.clock.pass(DAY);
    const again = (await save(changed, version)).draft;
    database.clock.pass(179 * DAY);
    expect(await within(purgeDrafts)).toBe(0);
    database.clock.pass(1);
    expect(await within(purgeDrafts)).toBe(1);
    expect([await getDraft(db, mira, old), await getDraft(db, mira, changed)]).toEqual([null, again]);
  });
});
