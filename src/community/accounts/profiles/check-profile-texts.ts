import { maybeOne, sql, type Tx } from "#platform/database";
import { notFound } from "#platform/refusal";
import { type ApprovalReason, checkWatchedWords, type FlaggedText } from "#community/prevention";
import type { SignedIn } from "#community/rules";
import type { ProfileInput } from "./edit-profile.ts";
import type { ProfileTexts } from "./pending-profile.ts";
import { assertNoNameLink, checkProfileText, mergeFlagged } from "./profile-approval.ts";
import type { ProfileField } from "./profiles.ts";

const SINGLE_TEXTS = ["pronouns", "location", "bio"] as const;
type Before = Record<"name" | (typeof SINGLE_TEXTS)[number], string> & {
  fields: ProfileField[] | Record<string, never>;
};
type CheckedProfile = {
  /** Texts that can be published at once. */
  published: Partial<ProfileInput>;
  waiting: ProfileTexts;
  reason: ApprovalReason | null;
  flagged: FlaggedText | null;
};

/**
 * Checks the texts of a profile and divides them into those that can be published and those that wait for
 * approval. Locks the person. A name cannot wait.
 * @throws `not-found` if there is no such person, `invalid` on a field with a blocked word or link, and on
 * `name` with a new member's link where these need approval
 */
export async function checkProfileTexts(
  tx: Tx,
  me: SignedIn,
  personId: string,
  changes: Partial<ProfileInput>,
): Promise<CheckedProfile> {
  const before = await maybeOne(
    tx,
    sql<Before>`select display_name as name, pronouns, location, bio_md as bio, fields from people
      where id = ${personId} for no key update`,
  );
  if (!before) throw notFound();
  const named = await checkWatchedWords(tx, me, { name: changes.name }, ["name"], {
    before: { name: before.name },
    canWait: false,
  });
  if (named.input.name) await assertNoNameLink(tx, me, before.name, named.input.name);
  const published: Partial<ProfileInput> = {
    ...changes,
    ...(named.input.name && { name: named.input.name }),
  };
  const waiting: ProfileTexts = {};
  const flagged = [named.flagged];
  let reason: ApprovalReason | null = null;
  for (const field of SINGLE_TEXTS) {
    const text = changes[field];
    if (text === undefined) continue;
    const isProse = field === "bio";
    const checked = await checkProfileText(tx, me, { field, before: [before[field]], now: [text], isProse });
    if (!checked.waits) {
      published[field] = checked.texts[0];
      flagged.push(checked.flagged);
      continue;
    }
    waiting[field] = checked.texts[0];
    delete published[field];
    reason ??= checked.reason;
  }
  if (changes.fields) {
    const known = Array.isArray(before.fields) ? before.fields : [];
    const now = changes.fields;
    const checked = await checkProfileText(tx, me, {
      field: "fields",
      before: known.flatMap(listTexts),
      now: now.flatMap(listTexts),
    });
    const fields = now
      .map((field, i) => ({ ...field, label: checked.texts[2 * i]!, value: checked.texts[2 * i + 1]! }))
      .filter(({ value }) => value !== "");
    published.fields = checked.waits ? keepKnownFields(known, fields) : fields;
    if (checked.waits) waiting.fields = fields;
    else flagged.push(checked.flagged);
    reason ??= checked.reason;
  }
  return { published, waiting, reason, flagged: mergeFlagged(flagged) };
}

const listTexts = ({ label, value }: ProfileField): string[] => [label, value];

/** The known fields that the new list still has, with their new audience: a removed field is gone at once. */
const keepKnownFields = (known: ProfileField[], now: ProfileField[]): ProfileField[] =>
  now.flatMap(({ label, value, audience }) => {
    const same = known.filter((field) => field.label === label);
    const before = same.find((field) => field.value === value) ?? same[0];
    return before ? [{ ...before, audience }] : [];
  });
