import { describe, expect, test } from "vitest";
import { aDiscussion, aGroup, cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { discussionFor, draftFor, openDiscussion, place, saveDraft, sidebarOf } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe("a discussion that is opened", () => {
  test("brings in one query what its parts say", async () => {
    const people = await cast(database);
    const { mira, tomas } = people;
    const group = await aGroup(database, people);
    const { id } = await aDiscussion(database, tomas, group.id);
    await aDiscussion(database, tomas, group.id);
    const here = place.discussion(id);
    await within((tx) => saveDraft(tx, mira, { place: here, version: 0, title: "", body: "Half a thought" }));

    const { sidebar, draft, ...discussion } = await openDiscussion(db, mira, id);
    expect(discussion).toEqual(await discussionFor(db, mira, id));
    expect(sidebar).toHaveLength(2);
    expect(sidebar).toEqual(await sidebarOf(db, mira, discussion.group));
    expect(draft).toMatchObject({ version: 1, body: "Half a thought" });
    expect(await draftFor(db, mira, here)).toMatchObject(draft!);
  });

  test("in a secret group is not there for a stranger, nor is anything of what stands around it", async () => {
    const people = await cast(database);
    const group = await aGroup(database, people, { visibility: "secret" });
    const { id } = await aDiscussion(database, people.tomas, group.id);
    await expect(openDiscussion(db, people.noor, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(openDiscussion(db, people.guest, id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("has no draft of somebody else's", async () => {
    const people = await cast(database);
    const group = await aGroup(database, people);
    const { id } = await aDiscussion(database, people.tomas, group.id);
    await within((tx) => saveDraft(tx, people.mira, { place: place.discussion(id), version: 0, title: "", body: "Mine" }));
    expect((await openDiscussion(db, people.tomas, id)).draft).toBeNull();
    expect((await openDiscussion(db, people.guest, id)).draft).toBeNull();
  });
});
