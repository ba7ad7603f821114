import { beforeEach, describe, expect, test } from "vitest";
import { DAY, MINUTE } from "#platform/clock";
import { run, sql } from "#platform/database";
import { markRead, setFollowLevel } from "#community/discussions";
import { blockPerson, mutePerson } from "#community/friends";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  setMembership,
  type TestUsers,
  createTestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { recommendFromReading } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
let people: TestUsers;
let group: Awaited<ReturnType<typeof createTestGroup>>;

beforeEach(async () => {
  people = await createTestUsers(database);
  group = await createTestGroup(database, people);
});

async function make(title: string, { tags = [] as string[], by = people.tomas, groupId = group.id } = {}) {
  const { id } = await createTestDiscussion(database, by, groupId, { title, tags });
  database.clock.pass(MINUTE);
  return id;
}
const read = (discussionId: string, viewer: SignedIn = people.mira) =>
  within((tx) => markRead(tx, viewer, { discussionId, upTo: 1 }));
const because = async (viewer = people.mira) => {
  const found = await recommendFromReading(db, viewer, database.clock.at);
  return found && [found.title, ...found.near.map(({ title }) => title)];
};

describe("reading recommendations", () => {
  test("include discussions that share a tag or significant words of the title", async () => {
    const water = await make("What do we do about the water?", { tags: ["dry-spell"] });
    for (const title of ["What do we do about the hedge?", "Water butts, and where they stand"])
      await make(title);
    await make("Mulching the long beds", { tags: ["dry-spell", "soil"] });
    await make("Rain water in July", { tags: ["dry-spell"] });
    await read(water);
    expect(await because()).toEqual([
      "What do we do about the water?",
      "Rain water in July",
      "Mulching the long beds",
      "Water butts, and where they stand",
    ]);
  });

  test("start from the discussion read last, within thirty days", async () => {
    const [leeks, tools] = [await make("Leeks in spring"), await make("Tools in the shed")];
    await make("Leeks again");
    await make("More tools");
    for (const id of [tools, leeks]) {
      await read(id);
      database.clock.pass(MINUTE);
    }
    expect(await because()).toEqual(["Leeks in spring", "Leeks again"]);
    database.clock.pass(30 * DAY);
    expect(await because()).toBeNull();
  });

  test("fall back to an earlier discussion if nothing is related to the last one", async () => {
    const [leeks, lonely] = [await make("Leeks in spring"), await make("Hurdy-gurdy")];
    await make("Leeks again");
    for (const id of [leeks, lonely]) {
      await read(id);
      database.clock.pass(MINUTE);
    }
    expect(await because()).toEqual(["Leeks in spring", "Leeks again"]);
  });

  test("include at most three discussions, none of them read, muted or by the viewer", async () => {
    const from = await make("Leeks in spring");
    const [opened, muted] = [await make("Leeks one"), await make("Leeks two")];
    await make("Leeks three", { by: people.mira });
    for (const n of ["four", "five", "six", "seven"]) await make(`Leeks ${n}`);
    await within((tx) => setFollowLevel(tx, people.mira, { discussionId: muted, level: "muted" }));
    for (const id of [opened, from]) {
      await read(id);
      database.clock.pass(MINUTE);
    }
    expect(await because()).toEqual(["Leeks in spring", "Leeks seven", "Leeks six", "Leeks five"]);
  });

  test.each([
    ["Gießen im Frühling", "Frühlinge ohne Regen"],
    ["سقي الحديقة", "الحديقة في الصيف"],
    ["O'Leary & the | pump:*", "A pump, again"],
  ])("for “%s” include “%s”", async (title, near) => {
    const from = await make(title);
    await make(near);
    await read(from);
    expect(await because()).toEqual([title, near]);
  });

  test("return null if nothing was read or nothing is related", async () => {
    expect(await because()).toBeNull();
    await read(await make("Who and what are we about?"));
    await make("What are these about?");
    expect(await because()).toBeNull();
  });

  test("omit unreadable discussions and discussions by blocked or muted people", async () => {
    const from = await make("Leeks in spring");
    const other = await createTestGroup(database, people, {
      name: "Behind the hedge",
      visibility: "private",
    });
    for (const { id } of [group, other]) await within((tx) => setMembership(tx, id, people.noor, "member"));
    await make("Leeks within", { groupId: other.id, by: people.noor });
    await make("Leeks of Noor", { by: people.noor });
    await make("Leeks of ours");
    await read(from);
    expect(await because()).toEqual(["Leeks in spring", "Leeks of ours", "Leeks of Noor", "Leeks within"]);
    await run(
      db,
      sql`delete from memberships where group_id = ${other.id} and person_id = ${people.mira.id}`,
    );
    await within((tx) => mutePerson(tx, people.mira, { personId: people.noor.id, until: null }));
    expect(await because()).toEqual(["Leeks in spring", "Leeks of ours"]);
    await within((tx) => blockPerson(tx, people.tomas, { personId: people.mira.id }));
    expect(await because()).toBeNull();
  });
});
