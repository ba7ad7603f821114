import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { uuidv7 } from "#platform/ids";
import {
  AUDIENCES,
  type FieldAudience,
  GUEST,
  narrowerAudience,
  personRules,
  type Viewer,
} from "#community/rules";
import { ADMIN } from "../../../../test/support/accounts/accounts-context.ts";
import { changeProfileField, getPerson, updateProfile } from "../index.ts";
import { toPersonFacts, relationshipColumns } from "../profiles/profiles.ts";
import { isFieldReadable } from "../profiles/people-visibility.ts";
import { effectiveAudience } from "./profile-field-visibility.ts";
import {
  createAnaAndViewers,
  db,
  createTestField,
  accountsContext,
  answerTestField,
  fieldForm,
  within,
} from "../../../../test/support/accounts/profile-fields-setup.ts";

describe("profile field visibility", () => {
  test("agrees between page, rules and SQL for every audience of profile, field and answer", async () => {
    const { ana, friend, stranger, blocker, moderator } = await createAnaAndViewers();
    const viewers: Viewer[] = [
      GUEST,
      ana,
      friend,
      stranger,
      blocker,
      moderator,
      ADMIN,
      { ...stranger, role: "guest" },
    ];
    const rows: { id: string; label: string; locked: boolean; asks: FieldAudience; chosen: FieldAudience }[] =
      [];
    for (const asks of AUDIENCES)
      for (const locked of [false, true])
        for (const chosen of AUDIENCES) {
          const id = uuidv7();
          rows.push({ id, label: `${asks}-${locked}-${chosen}`, locked, asks, chosen });
          await run(
            db,
            sql`insert into profile_fields (id, label, kind, audience, locked, place, created_at)
                values (${id}, ${`${asks}-${locked}-${chosen}`}, 'line', ${asks}, ${locked}, ${rows.length},
                  now())`,
          );
          await run(db, sql`insert into profile_values values (${ana.id}, ${id}, ${["word"]}, ${chosen})`);
        }
    const combinations = AUDIENCES.length * 2 * AUDIENCES.length;
    expect(rows).toHaveLength(combinations);
    for (const guestsSeePeople of ["public", "limited"] as const) {
      await accountsContext.set({ guestsSeePeople });
      for (const profile of ["everyone", "members", "friends"] as const)
        for (const state of ["active", "suspended"]) {
          await run(
            db,
            sql`update people set privacy = ${JSON.stringify({ profile })}::jsonb, state = ${state}
              where id = ${ana.id}`,
          );
          for (const viewer of viewers) {
            const facts = toPersonFacts(
              await one(
                db,
                sql<
                  Parameters<typeof toPersonFacts>[0]
                >`select p.id, p.state, p.privacy, ${relationshipColumns(viewer, "p")} from people p
                  where p.id = ${ana.id}`,
              ),
            );
            const expected = rows
              .filter(({ asks, locked, chosen }) =>
                personRules.readField(viewer, facts, locked ? narrowerAudience(asks, chosen) : chosen),
              )
              .map((it) => it.label);
            const inSql = await many(
              db,
              sql<{
                label: string;
              }>`select f.label from profile_values v join profile_fields f on f.id = v.field_id
                join people p on p.id = v.person_id
                where ${isFieldReadable(viewer, effectiveAudience("f", "v"), "p")} order by f.place`,
            );
            expect([profile, state, viewer, inSql.map((it) => it.label)]).toEqual([
              profile,
              state,
              viewer,
              expected,
            ]);
            const page = await getPerson(db, viewer, ana.id);
            expect([profile, state, viewer, page.about?.answers.map((it) => it.label) ?? []]).toEqual([
              profile,
              state,
              viewer,
              expected,
            ]);
          }
        }
    }
  });

  test("applies to pronouns, location, bio and custom fields as well", async () => {
    const { ana, friend, stranger, moderator } = await createAnaAndViewers();
    await within((tx) =>
      updateProfile(tx, ana, ana.id, {
        pronouns: "she",
        location: "Graz",
        bio: "Beans",
        pronounsFor: "members",
        locationFor: "friends",
        bioFor: "nobody",
        fields: [{ label: "Note", value: "to myself", audience: "nobody" }],
      }),
    );
    const seen = async (viewer: Viewer) => {
      const { about } = await getPerson(db, viewer, ana.id);
      return [
        about?.pronouns,
        about?.location,
        about?.bioMd,
        about?.bioHtml.includes("Beans"),
        about?.fields.length,
      ];
    };
    expect(await seen(stranger)).toEqual(["she", "", "", false, 0]);
    expect(await seen(friend)).toEqual(["she", "Graz", "", false, 0]);
    expect(await seen(moderator)).toEqual(["she", "Graz", "", false, 0]);
    expect(await seen(ana)).toEqual(["she", "Graz", "Beans", true, 1]);
  });

  test("stays for given answers when an admin widens a locked field, and narrows with the field", async () => {
    const { ana, stranger } = await createAnaAndViewers();
    const id = await createTestField({ label: "Street", audience: "friends", locked: true });
    await answerTestField(ana, id, "Ferry Lane", "everyone");
    const labels = async () => (await getPerson(db, stranger, ana.id)).about!.answers.map((it) => it.label);
    await within((tx) =>
      changeProfileField(tx, ADMIN, id, fieldForm({ label: "Street", audience: "everyone", locked: true })),
    );
    expect(await labels()).toEqual([]);
    await answerTestField(ana, id, "Ferry Lane");
    expect(await labels()).toEqual(["Street"]);
    await within((tx) =>
      changeProfileField(tx, ADMIN, id, fieldForm({ label: "Street", audience: "nobody", locked: true })),
    );
    expect(await labels()).toEqual([]);
  });
});
