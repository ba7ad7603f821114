import { expect, test } from "vitest";
import { NewReply, draftTargets, reply } from "#community/discussions";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { readUnresolvedMentions } from "../discussions/discussion-data.ts";
import { previewPost } from "./preview-data.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const BODY = "@tomas, @mira and @ines: look!";

test("a preview lists mentions over the limit, which is two for new members and ten for others", async () => {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  const { id } = await createTestDiscussion(database, people.mira, group.id);
  const nora = await within((tx) => createPerson(tx, "nora", "member", "new"));
  await within((tx) => setMembership(tx, group.id, nora, "member"));
  const looked = async (viewer: SignedIn, body = BODY) => {
    const form = new FormData();
    form.set("body", body);
    form.set("preview", "1");
    return (await previewPost(db, viewer, draftTargets.discussion(id), form))!.preview.plain;
  };
  expect(await looked(nora)).toEqual({ names: ["ines"], most: 2 });
  expect(await looked(people.mira)).toBeNull();
  expect(await looked(people.mira, "@nobody-here")).toEqual({ names: ["nobody-here"], most: 10 });
  const { plain } = await within((tx) => reply(tx, nora, NewReply.parse({ discussionId: id, body: BODY })));
  const after = new URL(`https://kith.example/discussions/${id}?plain=${plain.join("+")}`);
  expect(readUnresolvedMentions(nora, after)).toEqual({ names: ["ines"], most: 2 });
  expect(readUnresolvedMentions(people.guest, after)).toBeNull();
});
