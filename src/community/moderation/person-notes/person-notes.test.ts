import { describe, expect, test } from "vitest";
import { DAY, SECOND } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { eraseDeactivated, setRole } from "#community/accounts";
import { PERSON_NOTE_LIMITS, type Viewer } from "#community/rules";
import { createReportSetup } from "../../../../test/support/moderation/report-setup.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createTestUsers, listEmittedEvents } from "../../../../test/support/test-users.ts";
import {
  addPersonNote,
  deletePersonNote,
  listAccountHistory,
  listGroupLog,
  listPersonNotes,
  listSiteLog,
  NewPersonNote,
  Resolution,
  resolveCase,
} from "../index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const { report, view, setupReportedPost } = createReportSetup(database);

const note = (who: Viewer, personId: string, body = "Was friendly on the phone.") =>
  within((tx) => addPersonNote(tx, who, { personId, body }));
const listBodies = async (who: Viewer, personId: string) =>
  (await listPersonNotes(db, who, [personId])).map(({ body }) => body);

describe("note on a person", () => {
  test("appears to staff with its author and time, latest first", async () => {
    const { ada, ines, noor } = await createTestUsers(database);
    await note(ines, noor.id, "First.");
    clock.pass(SECOND);
    await note(ada, noor.id, "Second.");
    expect(await listPersonNotes(db, ines, [noor.id])).toMatchObject([
      { body: "Second.", author: { id: ada.id }, at: clock.at, canDelete: false },
      { body: "First.", author: { id: ines.id }, canDelete: true },
    ]);
    expect((await listPersonNotes(db, ada, [noor.id])).map(({ canDelete }) => canDelete)).toEqual([
      true,
      true,
    ]);
  });

  test("cannot be written or read by members and group moderators", async () => {
    const { tomas, mira, noor, guest, ines } = await setupReportedPost();
    await note(ines, noor.id);
    for (const who of [tomas, mira, noor, guest]) {
      await expect(note(who, noor.id)).rejects.toMatchObject({ reason: "not-found" });
      await expect(listPersonNotes(db, who, [noor.id])).rejects.toMatchObject({ reason: "not-found" });
    }
  });

  test("is hidden from its subject, in the audit log too, even if they are staff", async () => {
    const { ada, ines } = await createTestUsers(database);
    await note(ada, ines.id);
    expect(await listBodies(ines, ines.id)).toEqual([]);
    expect(await listAccountHistory(db, ines, ines.id)).toEqual([]);
    await expect(note(ines, ines.id)).rejects.toMatchObject({ reason: "not-found" });
    const acts = async (who: Viewer) => (await listSiteLog(db, who, {})).rows.map(({ act }) => act);
    expect(await acts(ada)).toContain("person.noted");
    await within((tx) => setRole(tx, ada, { personId: ines.id, role: "admin" }));
    expect(await acts({ ...ines, role: "admin" })).not.toContain("person.noted");
  });

  test("appears in the audit log without its text", async () => {
    const { ada, ines, noor } = await createTestUsers(database);
    await note(ines, noor.id);
    const [row] = await listPersonNotes(db, ines, [noor.id]);
    await within((tx) => deletePersonNote(tx, ada, { noteId: row!.id }));
    expect(
      await many(
        db,
        sql`select act, actor_id as by, object_id as id, reason, details from audit_events order by id`,
      ),
    ).toEqual([
      { act: "person.noted", by: ines.id, id: noor.id, reason: null, details: {} },
      { act: "person.note-deleted", by: ada.id, id: noor.id, reason: null, details: {} },
    ]);
  });

  test("can be deleted by its author and admins only", async () => {
    const { ada, ines, mira, noor } = await createTestUsers(database);
    await note(ada, noor.id, "By Ada.");
    await note(ines, noor.id, "By Ines.");
    const rows = await listPersonNotes(db, ada, [noor.id]);
    const remove = (who: Viewer, body: string) =>
      within((tx) => deletePersonNote(tx, who, { noteId: rows.find((it) => it.body === body)!.id }));
    await expect(remove(mira, "By Ada.")).rejects.toMatchObject({ reason: "not-found" });
    await expect(remove(noor, "By Ada.")).rejects.toMatchObject({ reason: "not-found" });
    await expect(remove(ines, "By Ada.")).rejects.toMatchObject({ reason: "not-allowed" });
    await remove(ines, "By Ines.");
    await remove(ada, "By Ada.");
    await expect(remove(ada, "By Ada.")).rejects.toMatchObject({ reason: "not-found" });
    expect(await listBodies(ines, noor.id)).toEqual([]);
  });

  test("has at most 2,000 characters, and a person at most 100 notes", async () => {
    const { ines, noor } = await createTestUsers(database);
    expect(NewPersonNote.safeParse({ personId: noor.id, body: "x".repeat(2_001) }).success).toBe(false);
    expect(NewPersonNote.safeParse({ personId: noor.id, body: " " }).success).toBe(false);
    await note(ines, noor.id, "x".repeat(2_000));
    await run(
      db,
      sql`insert into person_notes (id, person_id, body, created_at)
        select gen_random_uuid(), ${noor.id}, 'x', now() from generate_series(2, ${PERSON_NOTE_LIMITS.count}::int)`,
    );
    await expect(note(ines, noor.id)).rejects.toMatchObject({ reason: "too-many" });
    expect(await listBodies(ines, noor.id)).toHaveLength(100);
  });

  test("is deleted when the account is erased, and stays when its author is", async () => {
    const { ada, ines, noor, mira } = await createTestUsers(database);
    await note(ines, noor.id);
    await note(ines, mira.id);
    for (const { id } of [noor, ines])
      await run(
        db,
        sql`update people set state = 'deactivated', deactivated_at = ${clock.at} where id = ${id}`,
      );
    clock.pass(400 * DAY);
    await within(eraseDeactivated);
    expect(await listBodies(ada, noor.id)).toEqual([]);
    expect(await listPersonNotes(db, ada, [mira.id])).toMatchObject([{ author: { name: "Former member" } }]);
    await expect(note(ada, noor.id)).rejects.toMatchObject({ reason: "not-found" });
  });
});

describe("case that ends with a note on the person", () => {
  const noted = (who: Viewer, caseId: string, text = "Knows the rules now.") =>
    within((tx) => resolveCase(tx, who, Resolution.parse({ caseId, outcome: "noted", note: text })));

  test("stores the note for staff and leaves the content and its author alone", async () => {
    const { mira, ines, noor, post } = await setupReportedPost();
    const { id } = await report(mira, post.id);
    await noted(ines, id);
    expect(await view(ines, id)).toMatchObject({
      state: "resolved",
      action: "noted",
      note: "",
      personNotes: [{ body: "Knows the rules now.", author: { id: ines.id } }],
    });
    expect(await one(db, sql`select state from posts where id = ${post.id}`)).toEqual({ state: "published" });
    expect(await one(db, sql`select state from people where id = ${noor.id}`)).toEqual({ state: "active" });
    expect(await listEmittedEvents(database)).not.toContain("post.removed");
  });

  test("shows moderators of the group neither the note nor that there is one", async () => {
    const { mira, ines, tomas, noor, post, group, there } = await setupReportedPost();
    const { id } = await report(mira, post.id);
    await noted(ines, id);
    await note(ines, noor.id, "Another note.");
    const seen = await view(tomas, id);
    expect(seen).toMatchObject({ action: "none", note: "", personNotes: null, canNote: false });
    const log = await listGroupLog(db, tomas, { ...(await there(tomas)), id: group.id });
    for (const text of [JSON.stringify(seen), JSON.stringify(log)])
      expect(text).not.toMatch(/Knows the rules|Another note|noted/);
  });

  test("is refused to group moderators, and without a note", async () => {
    const { mira, ines, tomas, noor, post } = await setupReportedPost();
    const { id } = await report(mira, post.id);
    await expect(noted(tomas, id)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(noted(ines, id, " ")).rejects.toMatchObject({
      reason: "invalid",
      fields: { note: expect.any(String) },
    });
    expect(await listBodies(ines, noor.id)).toEqual([]);
    expect((await view(ines, id)).state).toBe("open");
  });
});
