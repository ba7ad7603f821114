import { describe, expect, test } from "vitest";
import { many, maybeOne, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  listEmittedEvents,
  createTestUsers,
} from "../../../../test/support/test-users.ts";
import {
  detectMissingLanguages,
  getDiscussion,
  listDiscussions,
  NewTitle,
  renameDiscussion,
} from "../index.ts";
import {
  database,
  db,
  listEntries,
  setupModeration,
  within,
} from "../../../../test/support/discussions/moderated-discussion.ts";
import { getGroup } from "#community/groups";

const languageOf = (id: string) =>
  maybeOne(
    db,
    sql<{
      language: string;
      known: boolean;
    }>`select language, language_known as known from discussions where id = ${id}`,
  );

describe("language of a discussion", () => {
  test.each([
    ["de", "Wer gießt am Sonntag?", "Ich bin leider nicht da und die Tomaten brauchen Wasser."],
    ["fr", "Qui arrose dimanche ?", "Je ne serai pas là et les tomates ont besoin d’eau."],
    ["ar", "من يسقي يوم الأحد؟", "لن أكون هنا والطماطم تحتاج إلى الماء."],
    ["it", "Chi annaffia domenica?", "Non ci sono e i pomodori hanno bisogno d’acqua."],
  ])("follows from its text: %s", async (language, title, body) => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    const { id } = await createTestDiscussion(database, people.mira, group.id, { title, body });
    expect(await languageOf(id)).toEqual({ language, known: true });
    expect(
      (await listDiscussions(db, people.mira, await getGroup(db, people.mira, group.id), {})).rows[0],
    ).toMatchObject({ language });
  });

  test("falls back to its author's language if the text is inconclusive", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    await run(db, sql`update people set locale = 'es' where id = ${people.mira.id}`);
    const { id } = await createTestDiscussion(database, people.mira, group.id, {
      title: "👍👍👍 2027",
      body: "https://example.org",
    });
    expect((await languageOf(id))?.language).toBe("es");
  });

  test("can be changed to a known language by its author and moderators, with an activity entry", async () => {
    const { mira, tomas, noor, discussion } = await setupModeration();
    const { id } = discussion;
    const { title } = await getDiscussion(db, mira, id);
    const change = (viewer: SignedIn, language?: string) =>
      within((tx) => renameDiscussion(tx, viewer, NewTitle.parse({ discussionId: id, title, language })));
    await expect(change(noor, "de")).rejects.toMatchObject({ reason: "not-allowed" });
    await change(mira, "de");
    expect(await languageOf(id)).toEqual({ language: "de", known: true });
    await change(mira);
    await change(tomas, "fr");
    expect(await listEntries(noor, id)).toMatchObject([
      { kind: "language-changed", by: { username: "mira" }, details: { was: "en", became: "de" } },
      { kind: "language-changed", by: { username: "tomas" }, details: { was: "de", became: "fr" } },
    ]);
    expect(await listEmittedEvents(database)).toContain("discussion.language-changed");
    expect(NewTitle.safeParse({ discussionId: id, title, language: "xx" }).error?.issues[0]?.path).toEqual([
      "language",
    ]);
  });

  test("remains as detected when a form opened before the detection is sent", async () => {
    const { mira, discussion } = await setupModeration();
    const rename = (language: string, formerLanguage?: string) =>
      within((tx) =>
        renameDiscussion(
          tx,
          mira,
          NewTitle.parse({ discussionId: discussion.id, title: "Quand semer ?", language, formerLanguage }),
        ),
      );
    await run(db, sql`update discussions set language = 'fr' where id = ${discussion.id}`);
    await rename("en", "en");
    expect(await getDiscussion(db, mira, discussion.id)).toMatchObject({
      title: "Quand semer ?",
      language: "fr",
    });
    await rename("de", "en");
    expect(await languageOf(discussion.id)).toEqual({ language: "de", known: true });
  });

  test("gets detected later for an imported discussion whose language is unknown", async () => {
    const { mira, group, discussion } = await setupModeration();
    const german = await createTestDiscussion(database, mira, group.id, {
      title: "Wer gießt?",
      body: "Die Tomaten brauchen am Sonntag Wasser.",
    });
    await run(
      db,
      sql`update discussions set language = 'en', language_known = false where id = ${german.id}`,
    );
    await run(
      db,
      sql`update discussions set language = 'fr', language_known = true where id = ${discussion.id}`,
    );
    expect(await within(detectMissingLanguages)).toBe(1);
    expect(await languageOf(german.id)).toEqual({ language: "de", known: true });
    expect((await languageOf(discussion.id))?.language).toBe("fr");
    expect(await within(detectMissingLanguages)).toBe(0);
    const events = await many(
      db,
      sql`select from outbox where payload->>'type' = 'discussion.language-detected'`,
    );
    expect(events).toHaveLength(1);
  });
});
