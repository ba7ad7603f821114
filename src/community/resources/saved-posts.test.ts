import { describe, expect, test } from "vitest";
import { blockPerson } from "#community/friends";
import { deletePost, editPost, NewReply, getPost, reply } from "#community/discussions";
import type { SignedIn, Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  listEmittedEvents,
  setMembership,
  createTestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  addDocument,
  addLink,
  addComment,
  getSavablePost,
  NewDocument,
  NewLink,
  removeResource,
  getResource,
  listResourceUses,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const keepWords = (by: SignedIn, postId: string, groupId?: string) =>
  within((tx) =>
    addDocument(tx, by, NewDocument.parse({ title: "Bookmarked", body: "Words.", postId, groupId })),
  );
const keepLink = (by: SignedIn, postId: string, groupId?: string) =>
  within((tx) =>
    addLink(tx, by, NewLink.parse({ title: "Bookmarked", url: "https://example.org/", postId, groupId })),
  );
const uses = async (viewer: Viewer, id: string) =>
  (await listResourceUses(db, viewer, await getResource(db, viewer, id))).map(({ number }) => number);

describe("post saved as a resource", () => {
  test("links to the post and back, for people who can see post and resource", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor } = people;
    const group = await createTestGroup(database, people, { visibility: "private" });
    const discussion = await createTestDiscussion(database, mira, group.id);
    const post = await createTestReply(database, mira, discussion.id, {
      body: "See https://example.org/a?b=1&c=2 and **this**.",
    });
    expect(await getSavablePost(db, tomas, post.id)).toMatchObject({
      number: 2,
      open: false,
      body: "See https://example.org/a?b=1&c=2 and **this**.",
      links: ["https://example.org/a?b=1&c=2"],
    });
    const { id } = await keepWords(tomas, post.id, group.id);
    const { id: linkId } = await keepLink(tomas, post.id);
    expect((await getPost(db, mira, post.id)).kept).toEqual([
      { id, title: "Bookmarked" },
      { id: linkId, title: "Bookmarked" },
    ]);
    expect([await uses(mira, id), await uses(mira, linkId), await uses(noor, linkId)]).toEqual([
      [2],
      [2],
      [],
    ]);
    expect((await listEmittedEvents(database)).filter((type) => type === "resource.saved")).toHaveLength(2);
    await within((tx) => removeResource(tx, tomas, { resourceId: id, reason: "" }));
    expect((await getPost(db, mira, post.id)).kept).toEqual([{ id: linkId, title: "Bookmarked" }]);
    await within((tx) => deletePost(tx, mira, { postId: post.id }));
    expect(await getPost(db, mira, post.id)).not.toHaveProperty("kept");
    expect(await uses(mira, linkId)).toEqual([]);
  });

  test("stays in its group unless everyone can read the post", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor, guest } = people;
    const closed = await createTestGroup(database, people, { visibility: "private" });
    const open = await createTestGroup(database, people, { name: "Open" });
    const inside = await createTestDiscussion(database, mira, closed.id);
    const outside = await createTestDiscussion(database, mira, open.id);
    for (const groupId of [undefined, open.id])
      await expect(keepWords(tomas, inside.postId, groupId)).rejects.toMatchObject({
        fields: { groupId: expect.any(String) },
      });
    await keepWords(noor, outside.postId);
    await keepWords(tomas, outside.postId, closed.id);
    await expect(getSavablePost(db, noor, inside.postId)).rejects.toMatchObject({ reason: "not-found" });
    await expect(keepLink(noor, inside.postId)).rejects.toMatchObject({ reason: "not-found" });
    await expect(getSavablePost(db, guest, outside.postId)).rejects.toMatchObject({
      reason: "not-signed-in",
    });
    const { id } = await keepLink(mira, outside.postId);
    const storedComment = await within((tx) => addComment(tx, mira, { resourceId: id, body: "So." }));
    await expect(getSavablePost(db, mira, storedComment.id)).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => blockPerson(tx, mira, { personId: noor.id }));
    await expect(getSavablePost(db, noor, outside.postId)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("counts as a use of the resource, like any post that links to it", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor } = people;
    const secret = await createTestGroup(database, people, { visibility: "secret" });
    const open = await createTestGroup(database, people, { name: "Open" });
    const add = (groupId?: string) =>
      within((tx) => addDocument(tx, mira, NewDocument.parse({ title: "It", body: "Words.", groupId })));
    const [{ id }, { id: hidden }] = [await add(), await add(secret.id)];
    const discussion = await createTestDiscussion(database, tomas, open.id);
    const post = await within((tx) =>
      reply(
        tx,
        tomas,
        NewReply.parse({
          discussionId: discussion.id,
          body: `[It](/resources/${id}) and https://elsewhere.example/resources/${hidden}#s`,
        }),
      ),
    );
    expect([await uses(noor, id), await uses(mira, hidden)]).toEqual([[2], [2]]);
    await within((tx) => editPost(tx, tomas, { postId: post.id, body: "Never mind.", version: 1 }));
    expect(await uses(noor, id)).toEqual([]);
    // A link to a resource that the author cannot see is not stored as a use.
    await within((tx) => setMembership(tx, open.id, noor, "member"));
    await createTestReply(database, noor, discussion.id, {
      body: `[It](/resources/${hidden}) [and](/resources/${id})`,
    });
    expect([await uses(noor, id), await uses(mira, hidden)]).toEqual([[3], []]);
  });
});
