import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { GUEST } from "#community/rules";
import { ADMIN } from "../../../../test/support/accounts/accounts-context.ts";
import {
  answerFields,
  AnswersForm,
  restoreProfileField,
  changeProfileField,
  listProfileFields,
  eraseDeactivated,
  listFieldsToFill,
  moveProfileField,
  NewFieldForm,
  getPerson,
  retireProfileField,
} from "../index.ts";
import {
  createAdmin,
  db,
  createTestField,
  accountsContext,
  answerTestField,
  fieldForm,
  within,
} from "../../../../test/support/accounts/profile-fields-setup.ts";

describe("profile field", () => {
  test("can be added, changed, moved, retired and restored by admins only", async () => {
    await createAdmin();
    const [trade, street, day] = [
      await createTestField({ label: "Trade" }),
      await createTestField({ label: "Street" }),
      await createTestField({ label: "Day" }),
    ];
    await within((tx) => moveProfileField(tx, ADMIN, day, "up"));
    await within((tx) => moveProfileField(tx, ADMIN, trade, "up"));
    await within((tx) => changeProfileField(tx, ADMIN, trade, fieldForm({ label: "Craft", required: true })));
    await within((tx) => retireProfileField(tx, ADMIN, street));
    const ana = await accountsContext.member({ username: "ana" });
    expect((await listFieldsToFill(db, ana)).map((it) => it.label)).toEqual(["Craft", "Day"]);
    expect((await listProfileFields(db, ADMIN)).map((it) => it.label)).toEqual(["Craft", "Day", "Street"]);
    await within((tx) => restoreProfileField(tx, ADMIN, street));
    expect((await listFieldsToFill(db, ana)).map((it) => it.label)).toEqual(["Craft", "Day", "Street"]);
    expect(
      await many(
        db,
        sql`select act from audit_events where object_kind = 'profile-field' and object_id = ${street}
          order by id`,
      ),
    ).toEqual(["added", "retired", "restored"].map((act) => ({ act: `profile-field.${act}` })));

    const moderator = await accountsContext.member({ username: "mod", role: "moderator" });
    for (const viewer of [ana, moderator, { ...ADMIN, limited: true }]) {
      await expect(createTestField({ label: "Mine" }, viewer)).rejects.toMatchObject({ reason: "not-found" });
      await expect(
        within((tx) => changeProfileField(tx, viewer, trade, fieldForm({ label: "Mine" }))),
      ).rejects.toMatchObject({
        reason: "not-found",
      });
      await expect(within((tx) => moveProfileField(tx, viewer, trade, "down"))).rejects.toMatchObject({
        reason: "not-found",
      });
      await expect(within((tx) => retireProfileField(tx, viewer, trade))).rejects.toMatchObject({
        reason: "not-found",
      });
      await expect(within((tx) => restoreProfileField(tx, viewer, trade))).rejects.toMatchObject({
        reason: "not-found",
      });
      await expect(listProfileFields(db, viewer)).rejects.toMatchObject({ reason: "not-found" });
    }
    await expect(within((tx) => retireProfileField(tx, ADMIN, "nonsense"))).rejects.toMatchObject({
      reason: "not-found",
    });
    expect(await listFieldsToFill(db, GUEST)).toEqual([]);
  });

  test("needs choices if it is a choice field; a site has at most forty fields", async () => {
    await createAdmin();
    await expect(createTestField({ label: "Which", kind: "choice" })).rejects.toMatchObject({
      reason: "invalid",
      fields: { choices: expect.any(String) },
    });
    expect(
      NewFieldForm.safeParse({ ...fieldForm({ label: "x" }), choices: "a\n".repeat(3) }).data?.choices,
    ).toEqual(["a"]);
    expect(
      NewFieldForm.safeParse({
        ...fieldForm({ label: "x" }),
        choices: Array.from({ length: 51 }, (_, n) => n).join("\n"),
      }).success,
    ).toBe(false);
    for (let n = 0; n < 40; n++) await createTestField({ label: `Field ${n}` });
    await expect(createTestField({ label: "One more" })).rejects.toMatchObject({ reason: "conflict" });
    const [first] = await listProfileFields(db, ADMIN);
    await within((tx) => retireProfileField(tx, ADMIN, first!.id));
    await createTestField({ label: "One more" });
    await expect(within((tx) => restoreProfileField(tx, ADMIN, first!.id))).rejects.toMatchObject({
      reason: "conflict",
    });
  });
});

describe("profile field answer", () => {
  test("must fit the field's kind", async () => {
    await createAdmin();
    const ana = await accountsContext.member({ username: "ana" });
    const choices = ["Bread", "Wool"];
    const good = {
      line: "Gardener",
      text: "Two\nlines",
      link: "https://ana.example/x",
      date: "2024-02-29",
      choice: "Wool",
      choices: ["Bread", "Wool"],
    } as const;
    const bad = {
      line: ["x".repeat(201), ["a", "b"]],
      text: ["x".repeat(1_001)],
      link: ["ana.example", "javascript:alert(1)", "https://", "https://a b"],
      date: ["2023-02-29", "yesterday", "0000-00-00"],
      choice: ["Stone", ["Bread", "Wool"]],
      choices: ["Stone", ["Bread", "Bread"]],
    } as const;
    for (const [kind, answer] of Object.entries(good)) {
      const id = await createTestField({
        label: kind,
        kind: kind as keyof typeof good,
        choices: kind.startsWith("choice") ? choices : [],
      });
      await answerTestField(ana, id, answer as string | string[]);
      for (const wrong of bad[kind as keyof typeof bad])
        await expect(
          answerTestField(ana, id, wrong as string | string[]),
          `${kind}: ${String(wrong)}`,
        ).rejects.toMatchObject({
          reason: "invalid",
          fields: { [id]: expect.any(String) },
        });
    }
    expect((await getPerson(db, ana, "ana")).about!.answers.map((it) => it.said)).toEqual(
      Object.values(good).map((answer) => [answer].flat()),
    );
  });

  test("gets deleted when it is emptied, unless the field is required", async () => {
    await createAdmin();
    const ana = await accountsContext.member({ username: "ana" });
    const [free, needed] = [
      await createTestField({ label: "Free" }),
      await createTestField({ label: "Needed", required: true }),
    ];
    await answerTestField(ana, free, "words");
    await answerTestField(ana, free, "");
    await expect(answerTestField(ana, needed, "")).rejects.toMatchObject({
      reason: "invalid",
      fields: { [needed]: expect.any(String) },
    });
    expect(await one(db, sql`select count(*)::int as n from profile_values`)).toEqual({ n: 0 });
    await within((tx) => retireProfileField(tx, ADMIN, free));
    await answerTestField(ana, free, "too late");
    expect(await one(db, sql`select count(*)::int as n from profile_values`)).toEqual({ n: 0 });
  });

  test("can be changed by its owner or an admin, and is deleted with the account", async () => {
    await createAdmin();
    const [ana, ben] = [
      await accountsContext.member({ username: "ana" }),
      await accountsContext.member({ username: "ben", role: "moderator" }),
    ];
    const trade = await createTestField({ label: "Trade" });
    const answers = AnswersForm.parse([{ fieldId: trade, said: ["Cook"], audience: "members" }]);
    await expect(within((tx) => answerFields(tx, ben, ana.id, answers))).rejects.toMatchObject({
      reason: "not-found",
    });
    await within((tx) => answerFields(tx, ADMIN, ana.id, answers));
    expect((await listFieldsToFill(db, ana))[0]).toMatchObject({ said: ["Cook"], chosen: "members" });
    await run(
      db,
      sql`update people set state = 'deactivated', deactivated_at = ${new Date(0)} where id = ${ana.id}`,
    );
    await within(eraseDeactivated);
    expect(await one(db, sql`select count(*)::int as n from profile_values`)).toEqual({ n: 0 });
  });
});
