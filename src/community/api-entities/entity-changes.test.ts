import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { uuidv7 } from "#platform/ids";
import { ACTIVITY_KINDS } from "#community/discussions";
import { createTestGroup, createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { type EntityChange, listChanges } from "./entity-changes.ts";
import { listAffectedPeople } from "./affected-people.ts";
import { readRecordFor } from "./index.ts";

const database = await testDatabase();

test("a vote is published as a change of its post, without naming the voter", () => {
  const place = { discussionId: "d", groupId: "g" };
  expect(listChanges({ type: "poll.voted", postId: "p", by: "somebody", ...place })).toEqual([
    { table: "Posts", event: "updated", ids: { objectId: "p", ...place } },
  ]);
});

test("a loaded link preview is published as a change of its post or comment", () => {
  const [inDiscussion, underResource] = [
    { discussionId: "d", resourceId: null, groupId: "g" },
    { discussionId: null, resourceId: "r", groupId: null },
  ];
  expect(listChanges({ type: "link.previewed", postId: "p", ...inDiscussion })).toEqual([
    { table: "Posts", event: "updated", ids: { objectId: "p", discussionId: "d", groupId: "g" } },
  ]);
  expect(listChanges({ type: "link.previewed", postId: "p", ...underResource })).toEqual([
    { table: "Comments", event: "updated", ids: { objectId: "p", resourceId: "r", groupId: "" } },
  ]);
});

test("pending posts and group appeals are not published as changes", () => {
  for (const type of ["post.pending", "post.returned", "post.withdrawn"])
    expect(
      listChanges({ type, pendingPostId: "h", discussionId: "d", groupId: "g", by: "somebody" }),
    ).toEqual([]);
  for (const type of [
    "group.appealed",
    "group.appeal_declined",
    "group.owner_requested",
    "group.owner_request_declined",
    "group.inspected",
  ])
    expect(listChanges({ type, groupId: "g", personId: "p", by: "somebody" })).toEqual([]);
});

/**
 * Every text in the community's code that looks like a domain event type, and the types that the code
 * composes.
 */
function everyType(): string[] {
  const sources = globSync("src/community/**/*.ts").map((path) => readFileSync(path, "utf8"));
  const literals = sources.flatMap((text) =>
    [...text.matchAll(/["'`]([a-z]+\.[a-z_-]+)["'`]/g)].map((match) => match[1]!),
  );
  const ofPosts = [
    "edited",
    "deleted",
    "removed",
    "restored",
    "hidden",
    "unhidden",
    "reacted",
    "unreacted",
    "mentioned",
    "written",
  ];
  const composed = [
    ...ofPosts.flatMap((it) => [`post.${it}`, `comment.${it}`]),
    ...ACTIVITY_KINDS.map((kind) => `discussion.${kind}`),
  ];
  return [...new Set([...literals, ...composed])];
}

const NAMES = [
  "discussionId",
  "groupId",
  "postId",
  "resourceId",
  "conversationId",
  "messageId",
  "personId",
  "by",
];

/** Every combination of ids that a domain event may carry, the empty one included. */
const everyChoice = NAMES.reduce<string[][]>(
  (choices, name) => choices.flatMap((chosen) => [chosen, [...chosen, name]]),
  [[]],
);

test("changes of every domain event can be read as records, whichever ids the event has", async () => {
  const { mira, tomas } = await createTestUsers(database);
  await createTestGroup(database, { mira, tomas });
  const named = Object.fromEntries(NAMES.map((name) => [name, uuidv7()]));
  const shapes = new Map<string, EntityChange>();
  for (const type of everyType())
    for (const chosen of everyChoice)
      for (const change of listChanges({
        type,
        ...Object.fromEntries(chosen.map((name) => [name, named[name]!])),
        emoji: "👍",
      }))
        shapes.set(JSON.stringify(change), change);
  expect(shapes.size).toBeGreaterThan(30);
  for (const change of shapes.values())
    await expect(readRecordFor(database.db, change, [mira.id]), JSON.stringify(change)).resolves.toSatisfy(
      (it) => it === null || typeof it === "function",
    );
});

test("affected people can be listed for every domain event, whichever ids the event has", async () => {
  const { mira } = await createTestUsers(database);
  for (const type of everyType())
    for (const chosen of [[], NAMES]) {
      const ids = Object.fromEntries(chosen.map((name) => [name, uuidv7()]));
      await expect(listAffectedPeople(database.db, { type, ...ids }, [mira.id]), type).resolves.toEqual(
        expect.any(Array),
      );
    }
});
