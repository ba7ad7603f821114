import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import {
  createTestGroup,
  listEmittedEvents,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import {
  addDocument,
  addFile,
  addLink,
  getFile,
  NewDocument,
  NewFile,
  NewLink,
  replaceFile,
  ResourceChange,
  getResource,
  restoreVersion,
  getVersion,
  listVersions,
} from "./index.ts";
import {
  database,
  db,
  within,
  NOT_ALLOWED_ERROR,
  addTestDocument,
  editAs,
  addTestUpload,
} from "../../../test/support/resources/resource-edits.ts";

describe("new resource", () => {
  test("gets its kind from its content: link, video, file, picture or document", async () => {
    const { mira } = await createTestUsers(database);
    const kindOf = async (id: string) => (await getResource(db, mira, id)).kind;
    for (const [url, kind] of [
      ["https://www.youtube.com/watch?v=1", "video"],
      ["https://youtu.be/x", "video"],
      ["https://youtube.com", "link"],
      ["https://notyoutube.com/watch", "link"],
      ["https://tube.example.org/w/3fbif9S3WmtTP8gGsC5HBd", "video"],
      ["https://example.org/frost.webm", "video"],
      ["https://example.org/frost", "link"],
    ] as const) {
      const { id } = await within((tx) => addLink(tx, mira, NewLink.parse({ url, title: "x" })));
      expect([url, await kindOf(id)]).toEqual([url, kind]);
    }
    for (const [mime, kind] of [
      ["image/png", "image"],
      ["application/pdf", "file"],
    ] as const) {
      const upload = await addTestUpload(mira, "a", mime);
      const { id } = await within((tx) =>
        addFile(tx, mira, NewFile.parse({ uploadId: upload.id, title: "x" })),
      );
      expect(await kindOf(id)).toBe(kind);
    }
  });

  test("from a newcomer must be a link, at most five a day", async () => {
    const people = await createTestUsers(database);
    await run(db, sql`delete from settings where key = 'writingLimits'`);
    const group = await createTestGroup(database, people);
    const nele = await within((tx) => createPerson(tx, "nele", "member", "new"));
    await within((tx) => setMembership(tx, group.id, nele, "member"));
    const add = () =>
      within((tx) =>
        addLink(tx, nele, NewLink.parse({ url: "https://example.org", title: "x", groupId: group.id })),
      );
    await expect(addTestDocument(nele, group.id)).rejects.toMatchObject(NOT_ALLOWED_ERROR);
    await expect(addTestDocument(nele)).rejects.toMatchObject(NOT_ALLOWED_ERROR);
    for (let n = 0; n < 5; n += 1) await add();
    await expect(add()).rejects.toMatchObject({ reason: "too-many" });
    database.clock.at = new Date(database.clock.at.getTime() + DAY + 1);
    await add();
    await within((tx) => setMembership(tx, group.id, nele, "moderator"));
    await addTestDocument(nele, group.id);
  });
});

describe("edit of a resource", () => {
  test("needs the owner, or a moderator with a reason, and creates a version", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor, ines, ada } = people;
    const group = await createTestGroup(database, people);
    const { id } = await addTestDocument(mira, group.id);
    await editAs(mira, id, 0, { title: "Watering, again" });
    await editAs(mira, id, 1, { body: "Once a week.", note: "Less is more." });
    await editAs(mira, id, 2, { body: "Once a week." });
    expect(await getResource(db, mira, id)).toMatchObject({
      title: "Watering, again",
      version: 2,
      changes: 2,
      bodyHtml: "<p>Once a week.</p>\n",
    });
    for (const viewer of [noor, ines, ada])
      await expect(editAs(viewer, id, 2, { body: "Never.", reason: "So." })).rejects.toMatchObject(
        NOT_ALLOWED_ERROR,
      );
    await expect(editAs(tomas, id, 2, { body: "Never." })).rejects.toMatchObject({
      fields: { reason: expect.any(String) },
    });
    await editAs(tomas, id, 2, { body: "Never.", reason: "It rains." });
    expect(await one(db, sql`select act, reason, actor_id from audit_events`)).toMatchObject({
      act: "resource.changed",
      actor_id: tomas.id,
    });
    const it = await getResource(db, mira, id);
    expect(
      (await listVersions(db, mira, it)).rows.map(({ version, note, by }) => [version, note, by?.username]),
    ).toEqual([
      [3, "", "tomas"],
      [2, "Less is more.", "mira"],
      [1, "", "mira"],
    ]);
    expect(await getVersion(db, mira, it, 2)).toMatchObject({
      bodyMd: "Once a week.",
      before: "Twice a week.",
    });
    for (const odd of [0, 9, 1.5, 2 ** 40, Number.NaN])
      await expect(getVersion(db, mira, it, odd)).rejects.toMatchObject({ reason: "not-found" });
    expect((await listEmittedEvents(database)).filter((type) => type.startsWith("resource."))).toEqual([
      "resource.added",
      "resource.edited",
      ...Array.from({ length: 2 }, () => ["resource.edited", "resource.version"]).flat(),
    ]);
  });

  test("deletes its draft and keeps the draft of another device", async () => {
    const { mira } = await createTestUsers(database);
    const { id } = await addTestDocument(mira);
    const drafts = async () => (await one(db, sql<{ n: number }>`select count(*)::int as n from drafts`)).n;
    const keep = (place: string, body: string) =>
      run(
        db,
        sql`insert into drafts (person_id, place, version, data, saved_at)
          values (${mira.id}, ${place}, 2, ${{ title: "Watering", body }}, now())`,
      );
    await keep("new:resource", "Once a week, but");
    await keep(`document:${id}`, "Once a week, but");
    await addTestDocument(mira);
    await editAs(mira, id, 0, { body: "Once a week." });
    expect(await drafts()).toBe(2);
    await editAs(mira, id, 1, { body: "Once a week, but more.", draftVersion: 2 });
    await within((tx) =>
      addDocument(tx, mira, NewDocument.parse({ title: "Watering", body: "Once a week, but" })),
    );
    expect(await drafts()).toBe(0);
  });

  test("based on an outdated version is refused", async () => {
    const { mira } = await createTestUsers(database);
    const { id } = await addTestDocument(mira);
    const both = await Promise.allSettled([
      editAs(mira, id, 0, { body: "One." }),
      editAs(mira, id, 0, { body: "Two." }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find((it) => it.status === "rejected")).toMatchObject({ reason: { reason: "conflict" } });
    expect(await getResource(db, mira, id)).toMatchObject({ version: 2, changes: 1 });
  });

  test("needs only permission to write if the document is open to members", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor, guest } = people;
    const group = await createTestGroup(database, people);
    const inGroup = await addTestDocument(tomas, group.id);
    await expect(editAs(mira, inGroup.id, 0, { editsBy: "members", reason: "x" })).rejects.toMatchObject(
      NOT_ALLOWED_ERROR,
    );
    await editAs(tomas, inGroup.id, 0, { editsBy: "members" });
    await editAs(mira, inGroup.id, 1, { body: "Mine, too.", editsBy: "owner" });
    expect(await getResource(db, mira, inGroup.id)).toMatchObject({ editsBy: "members", version: 2 });
    await expect(editAs(noor, inGroup.id, 2, { body: "x" })).rejects.toMatchObject(NOT_ALLOWED_ERROR);
    const forAll = await addTestDocument(mira);
    await editAs(mira, forAll.id, 0, { editsBy: "members" });
    await editAs(noor, forAll.id, 1, { body: "From a stranger." });
    await expect(editAs({ ...noor, trust: "new" }, forAll.id, 2, { body: "x" })).rejects.toMatchObject(
      NOT_ALLOWED_ERROR,
    );
    await expect(editAs({ ...noor, limited: true }, forAll.id, 2, { body: "x" })).rejects.toMatchObject(
      NOT_ALLOWED_ERROR,
    );
    await expect(editAs(guest as SignedIn, forAll.id, 2, { body: "x" })).rejects.toMatchObject({
      reason: "not-signed-in",
    });
  });

  test("changes the address of a link and keeps fields that are omitted", async () => {
    const { mira } = await createTestUsers(database);
    const { id } = await within((tx) =>
      addLink(
        tx,
        mira,
        NewLink.parse({ url: "https://www.example.org/a", title: "A", why: "So.", tags: "x" }),
      ),
    );
    await run(db, sql`update resources set health = 'dead' where id = ${id}`);
    await editAs(mira, id, 0, { url: "https://vimeo.com/7" });
    expect(await getResource(db, mira, id)).toMatchObject({
      kind: "video",
      siteName: "vimeo.com",
      health: "unknown",
      title: "A",
      why: "So.",
      tags: ["x"],
    });
    expect(ResourceChange.safeParse({ resourceId: id, changes: 1, url: "javascript:alert(1)" }).success).toBe(
      false,
    );
  });

  test("creates at most thirty versions a day", async () => {
    const { mira } = await createTestUsers(database);
    await run(db, sql`delete from settings where key = 'writingLimits'`);
    const { id } = await addTestDocument(mira);
    await run(
      db,
      sql`insert into resource_versions (resource_id, version, by_id, created_at) select ${id}, n, ${mira.id},
        ${database.clock.at} from generate_series(2, 30) n`,
    );
    await run(db, sql`update resources set version = 30 where id = ${id}`);
    await editAs(mira, id, 0, { body: "The thirtieth" });
    await expect(editAs(mira, id, 1, { body: "One more" })).rejects.toMatchObject({ reason: "too-many" });
  });
});

describe("file", () => {
  test("can be replaced at its address; earlier versions stay readable and restorable", async () => {
    const people = await createTestUsers(database);
    const { mira, noor, tomas } = people;
    const group = await createTestGroup(database, people, { visibility: "private" });
    const [a, b] = [await addTestUpload(mira, "a"), await addTestUpload(mira, "b", "image/png")];
    const { id } = await within((tx) =>
      addFile(tx, mira, NewFile.parse({ uploadId: a.id, title: "Plan", groupId: group.id })),
    );
    const replace = (by: SignedIn, uploadId: string, changes = 0) =>
      within((tx) =>
        replaceFile(tx, by, { resourceId: id, uploadId, changes, note: "", reason: "Because." }),
      );
    await expect(replace(tomas, b.id)).rejects.toMatchObject({ fields: { uploadId: expect.any(String) } });
    await expect(replace(mira, b.id, 4)).rejects.toMatchObject({ reason: "conflict" });
    await replace(mira, b.id);
    const it = await getResource(db, mira, id);
    expect(it).toMatchObject({ kind: "image", version: 2, file: { id: b.id } });
    expect(await getVersion(db, mira, it, 1)).toMatchObject({ file: { id: a.id } });
    expect(await getFile(db, tomas, a.id)).toMatchObject({ fileName: "a.pdf" });
    await expect(getFile(db, noor, a.id)).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => restoreVersion(tx, mira, { resourceId: id, version: 1, changes: 1, reason: "" }));
    expect(await getResource(db, mira, id)).toMatchObject({ kind: "file", version: 3, file: { id: a.id } });
    await expect(
      within((tx) => restoreVersion(tx, mira, { resourceId: id, version: 7, changes: 2, reason: "" })),
    ).rejects.toMatchObject({
      reason: "conflict",
    });
    const text = await addTestDocument(mira);
    await expect(
      within((tx) =>
        replaceFile(tx, mira, { resourceId: text.id, uploadId: b.id, changes: 0, note: "", reason: "" }),
      ),
    ).rejects.toMatchObject({ reason: "invalid" });
  });
});
