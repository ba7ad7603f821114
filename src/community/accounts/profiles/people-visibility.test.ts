import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { GUEST, personRules, type Privacy, type SignedIn, type Viewer } from "#community/rules";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createAccountsContext, testViewer } from "../../../../test/support/accounts/accounts-context.ts";
import { getPerson, listPersonSummaries, isPersonVisible } from "../index.ts";
import { toPersonFacts, relationshipColumns } from "./profiles.ts";

const database = await testDatabase();
const app = createAccountsContext(database);

const STATES = [
  "unverified",
  "pending_approval",
  "active",
  "limited",
  "suspended",
  "deactivated",
  "erased",
  "ghost",
  "bot",
  "guest",
] as const;
const AUDIENCES = ["everyone", "members", "friends"] as const;
const TIES = ["none", "friend", "blocks the viewer", "is blocked by the viewer", "both block"] as const;

/** One person for each state, audience and relationship to Ana; every one looks at all the others. */
async function crowd(ana: SignedIn) {
  const people: { id: string; username: string }[] = [];
  for (const state of STATES)
    for (const profile of AUDIENCES)
      for (const tie of TIES) {
        const username = `p${people.length}-x`;
        const { id } = await app.member({ username, state, passwordHash: null });
        await run(
          database.db,
          sql`update people set privacy = ${JSON.stringify({ profile } satisfies Partial<Privacy>)}::jsonb
            where id = ${id}`,
        );
        const [low, high] = [id, ana.id].sort();
        const at = database.clock.at;
        if (tie === "friend")
          await run(
            database.db,
            sql`insert into friendships values (${low}, ${high}, 'friends', ${id}, '', ${at}, ${at})`,
          );
        if (tie === "blocks the viewer" || tie === "both block")
          await run(database.db, sql`insert into blocks values (${id}, ${ana.id}, ${at})`);
        if (tie === "is blocked by the viewer" || tie === "both block")
          await run(database.db, sql`insert into blocks values (${ana.id}, ${id}, ${at})`);
        people.push({ id, username });
      }
  return people;
}

describe("people visibility", () => {
  test("agrees between rules, SQL, lists and page for every viewer, state, audience and block", async () => {
    const ana = await app.member({ username: "ana" });
    const people = await crowd(ana);
    const viewers: Viewer[] = [
      GUEST,
      ana,
      { ...ana, limited: true },
      { ...ana, role: "guest" },
      { ...ana, role: "moderator" },
      { ...ana, role: "admin" },
      testViewer((await app.member({ username: "stranger" })).id),
      ...STATES.map((_, n) => testViewer(people[n * AUDIENCES.length * TIES.length]!.id)),
    ];
    for (const viewer of viewers) {
      type Row = Parameters<typeof toPersonFacts>[0];
      const rows = await many(
        database.db,
        sql<Row & { visible: boolean }>`
        select p.id, p.state, p.privacy, ${isPersonVisible(viewer, "p")} as visible,
          ${relationshipColumns(viewer, "p")}
        from people p`,
      );
      for (const { visible, ...row } of rows)
        expect([viewer, row, visible]).toEqual([viewer, row, personRules.see(viewer, toPersonFacts(row))]);

      const listed = new Set(
        (
          await listPersonSummaries(
            database.db,
            viewer,
            people.map((it) => it.id),
          )
        ).map((it) => it.id),
      );
      for (const row of rows.filter((it) => people.some(({ id }) => id === it.id))) {
        expect(listed.has(row.id)).toBe(row.visible);
        const page = await getPerson(database.db, viewer, row.id).catch(
          (refusal: { reason: string }) => refusal.reason,
        );
        const about = typeof page === "string" ? page : page.about !== null;
        // An erased account has a stub page for everyone.
        const known = row.visible
          ? personRules.readProfile(viewer, toPersonFacts(row))
          : row.state === "erased"
            ? false
            : "not-found";
        expect([viewer, row, about]).toEqual([viewer, row, known]);
      }
    }
  });
});
