import { many, run, sql, type Tx } from "#platform/database";
import { type ApprovalReason, reportFlaggedText } from "#community/prevention";
import type { FieldAudience, SignedIn } from "#community/rules";
import { type ProfileTexts, storePendingTexts } from "../profiles/pending-profile.ts";
import { checkProfileText, mergeFlagged } from "../profiles/profile-approval.ts";
import type { ProfileFieldDefinition } from "./manage-profile-fields.ts";
import { setAnswerAudience, storeAnswer } from "./stored-answers.ts";

type AnswerRow = { field: ProfileFieldDefinition; said: string[]; audience: FieldAudience };

/** Kinds of fields in which people write what they like. Other answers are a date or an option of the site. */
const TEXT_KINDS: readonly ProfileFieldDefinition["kind"][] = ["line", "text", "link"];

/**
 * Stores the viewer's own answers, except for those that need approval, which wait.
 * @throws `invalid` on the id of a field with a blocked word or link
 */
export async function storeOrAwaitApproval(tx: Tx, me: SignedIn, rows: AnswerRow[]): Promise<void> {
  await run(tx, sql`select from people where id = ${me.id} for no key update`);
  const before = await many(
    tx,
    sql<{ id: string; said: string[] }>`
      select field_id as id, said from profile_values where person_id = ${me.id}`,
  );
  const waiting: ProfileTexts = {};
  const flagged = [];
  let reason: ApprovalReason | null = null;
  for (const { field, said, audience } of rows) {
    const isText = TEXT_KINDS.includes(field.kind);
    const known = before.find(({ id }) => id === field.id)?.said ?? [];
    const checked = isText
      ? await checkProfileText(tx, me, { field: field.id, before: known, now: said })
      : { texts: said, waits: false, reason: null, flagged: null };
    if (checked.waits) {
      waiting[`answer:${field.id}`] = {
        label: field.label,
        kind: field.kind,
        said: checked.texts,
        audience,
      };
      reason ??= checked.reason;
      await setAnswerAudience(tx, me.id, field.id, audience);
    } else {
      flagged.push(checked.flagged);
      await storeAnswer(tx, me.id, field.id, checked.texts, audience);
    }
  }
  const names = rows.map(({ field }) => `answer:${field.id}`);
  await storePendingTexts(tx, me.id, names, waiting, reason);
  await reportFlaggedText(tx, me.id, mergeFlagged(flagged), { personId: me.id });
}
