import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { type ContentFacts, type GroupFacts, groupRules, type SignedIn, type Viewer } from "#community/rules";
import {
  type TestUsers,
  createTestGroup,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  groupFactsColumns,
  groupFactsJson,
  canModerateGroup,
  isGroupReadable,
  isGroupVisible,
  viewerMembership,
} from "./group-columns.ts";
import { isContentReadable, contentReadableSince } from "./content-visibility.ts";

const database = await testDatabase();

describe("group visibility", () => {
  const standings = ["requested", "invited", "member", "moderator", "banned", "left", "declined"] as const;

  /** One viewer of every class, with the membership that the class implies. */
  async function viewers(people: TestUsers, groupIds: string[]): Promise<Viewer[]> {
    const standing = await database.inTransaction(async (tx) => {
      const found: SignedIn[] = [];
      for (const how of standings) {
        const viewer = await createPerson(tx, how);
        for (const id of groupIds) await setMembership(tx, id, viewer, how);
        found.push(viewer);
      }
      return found;
    });
    return [people.guest, people.noor, people.tomas, people.mira, people.ines, people.ada, ...standing];
  }

  async function everyGroup(people: TestUsers) {
    const groups: string[] = [];
    for (const visibility of ["public", "private", "secret"] as const)
      for (const state of ["pending", "active", "archived", "deleted"] as const) {
        const { id } = await createTestGroup(database, people, {
          visibility,
          name: `${visibility} ${state}`,
        });
        await run(database.db, sql`update groups set state = ${state} where id = ${id}`);
        groups.push(id);
      }
    return groups;
  }

  test("agrees between SQL and rules for every viewer, visibility and state", async () => {
    const people = await createTestUsers(database);
    const all = await viewers(people, await everyGroup(people));
    for (const viewer of all) {
      const rows = await many(
        database.db,
        sql<GroupFacts & { see: boolean; read: boolean; moderate: boolean; name: string }>`
          select g.name, ${groupFactsColumns("g", "m")}, ${isGroupVisible("g", "m")} as see,
            ${isGroupReadable("g", "m")} as read,
            ${canModerateGroup(viewer, "g", "m")} as moderate
            from groups g ${viewerMembership(viewer, "g", "m")}`,
      );
      expect(rows).toHaveLength(12);
      for (const row of rows) {
        const { name, see, read, moderate, viewerState: as } = row;
        expect({ name, as, see, read, moderate }).toEqual({
          name,
          as,
          see: groupRules.see(viewer, row),
          read: groupRules.read(viewer, row),
          moderate: groupRules.moderate(viewer, row),
        });
      }
    }
  });

  test("agrees between SQL and rules for content of every audience and history policy", async () => {
    const people = await createTestUsers(database);
    const before = database.clock.at;
    const groups = await everyGroup(people);
    database.clock.pass(1_000);
    const after = database.clock.at;
    const all = await viewers(people, groups);
    const histories = [
      { policy: "shared", from: null },
      { policy: "from_joining", from: null },
      { policy: "shared", from: new Date(before.getTime() - 1_000) },
      { policy: "shared", from: new Date(after.getTime() + 1_000) },
    ];
    for (const { policy, from } of histories) {
      await run(database.db, sql`update groups set history_policy = ${policy}, shared_from = ${from}`);
      for (const viewer of all) {
        const rows = await many(
          database.db,
          sql<{
            group: GroupFacts;
            audience: ContentFacts["audience"];
            at: Date;
            read: boolean;
            since: Date | null;
          }>`
            select x.audience, x.at, ${isContentReadable("x", "at", "g", "m")} as read,
              ${contentReadableSince("x", "g", "m")} as since,
              ${groupFactsJson("g", "m")} as "group"
            from groups g ${viewerMembership(viewer, "g", "m")}
            cross join (values ('group', ${before}::timestamptz), ('group', ${after}), ('members', ${before}),
              ('members', ${after})) x (audience, at)`,
        );
        expect(rows).toHaveLength(48);
        for (const row of rows) {
          const as = { name: row.group, viewer: viewer.role };
          expect({ ...as, read: row.read }).toEqual({
            ...as,
            read: groupRules.readContent(viewer, row.group, row),
          });
          expect({ ...as, since: row.since?.getTime() ?? null }).toEqual({
            ...as,
            since: groupRules.readsFrom(row.group, row),
          });
        }
      }
    }
  });
});
