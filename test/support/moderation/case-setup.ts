import { many, one, run, sql } from "#platform/database";
import { listGroupLog, Resolution, resolveCase } from "#community/moderation";
import type { SignedIn, Viewer } from "#community/rules";
import { dispatchEvents } from "../notifications/deliveries.ts";
import type { TestDatabase } from "../setup/test-database.ts";
import { createReportSetup } from "./report-setup.ts";

/** Helpers for the decisions of a case. */
export function createCaseSetup(database: TestDatabase) {
  const { db, inTransaction: within } = database;
  const { report, view, setupReportedPost } = createReportSetup(database);

  /** Noor's post in Tomas' group, reported by Mira. Ines and Ada are staff. */
  async function setup(visibility: "public" | "private" = "public") {
    const it = await setupReportedPost(visibility);
    await run(db, sql`update groups set rules = '["No shops."]' where id = ${it.group.id}`);
    const { id: caseId } = await report(it.mira, it.post.id);
    return { ...it, caseId };
  }

  return {
    report,
    view,
    setup,
    decide: (who: Viewer, caseId: string, outcome: string, more: object = {}) =>
      within((tx) =>
        resolveCase(
          tx,
          who,
          Resolution.parse({
            caseId,
            outcome,
            reason: "It is an advert.",
            note: "",
            rule: "No shops.",
            ...more,
          }),
        ),
      ),
    stateOf: async (postId: string) =>
      (await one(db, sql<{ state: string }>`select state from posts where id = ${postId}`)).state,
    /** Kind, detail and words of a person's notifications, the newest first. */
    notificationsOf: async (who: SignedIn) => {
      await dispatchEvents(database);
      const rows = await many(
        db,
        sql<{ kind: string; detail: string; words: string }>`
          select kind, detail, words from notifications where person_id = ${who.id} order by created_at desc`,
      );
      return rows.map(({ kind, detail, words }) => [kind, detail, words]);
    },
    /** Acts in the log of the group, the newest first. */
    logOf: async ({ there, tomas }: Awaited<ReturnType<typeof setup>>) =>
      (await listGroupLog(db, tomas, await there(tomas))).rows.map(({ act }) => act),
  };
}
