import { one, sql, type Tx } from "#platform/database";
import { parseText } from "#platform/markup";
import { invalid } from "#platform/refusal";
import { type ApprovalMode, firstPostRules, type SignedIn } from "#community/rules";
import {
  type ApprovalReason,
  type CheckedText,
  checkWatchedWords,
  isRepeatedText,
} from "#community/prevention";
import { newcomerReviewSetting } from "#community/settings";
import { type RenderedText, PREVIEW_ID } from "../posts/mentions.ts";

/** Approval stage: `first` checks whether approval is needed, `passed` skips the check. */
export type ApprovalStage = "first" | "passed";

/**
 * Checks a new text for watched words and link domains, and whether new accounts repeat it. An approved text is
 * not checked again.
 */
export async function checkNewText<
  Name extends string,
  Input extends Partial<Record<Name, string | string[]>> & { body: string },
>(
  tx: Tx,
  me: SignedIn,
  input: Input,
  names: readonly Name[],
  stage: ApprovalStage,
): Promise<CheckedText<Input>> {
  if (stage === "passed") return { input, waitsFor: null, flagged: null };
  const checked = await checkWatchedWords(tx, me, input, names, { canWait: true });
  const isRepeated = await isRepeatedText(tx, me, input.body);
  return { ...checked, waitsFor: checked.waitsFor ?? (isRepeated ? { kind: "repeat" } : null) };
}

/**
 * Whether a text by `me` needs approval before it is published: by the site setting for newcomers, or because
 * of a watched word, a link or a repeated text. People who moderate the place are exempt. A published post
 * counts as the first text of its author, and for a resource also a published resource.
 */
export async function needsApproval(
  tx: Tx,
  me: SignedIn,
  can: { moderate: boolean },
  { linksOut, isResource = false }: Pick<RenderedText, "linksOut"> & { isResource?: boolean },
  reason: ApprovalReason | null,
): Promise<boolean> {
  if (reason && !can.moderate) return true;
  if (!firstPostRules.concerns(me, can)) return false;
  const { look, ...known } = await one(
    tx,
    sql<{ look: ApprovalMode; before: boolean; reportedBy: number }>`
      select ${newcomerReviewSetting} as look,
        exists (select from posts where author_id = ${me.id} and state = 'published')
          or (${isResource}::boolean
            and exists (select from resources where owner_id = ${me.id} and state = 'published')) as before,
        (select count(distinct r.reporter_id)::int from reports r
          where not r.appeal and (r.resolved_at is null or r.outcome = 'upheld')
            and (r.post_id in (select id from posts where author_id = ${me.id})
              or r.resource_id in (select id from resources where owner_id = ${me.id}))) as "reportedBy"`,
  );
  return firstPostRules.waits(me, look, can, { linksOut, ...known });
}

/**
 * Refuses links that a newcomer adds by editing, because edits are not approved.
 * @throws `invalid` on `body`
 */
export async function assertNoNewLinks(
  tx: Tx,
  me: SignedIn,
  can: { moderate: boolean },
  before: string,
  now: RenderedText,
): Promise<void> {
  const links = { before: countLinks(before), now: now.linksOut };
  if (await addsUnapprovedLinks(tx, me, can, links))
    throw invalid(
      "body",
      "Links of new members need approval here. Post the link in a new reply, which can wait " +
        "for approval.",
    );
}

/** Number of links to other sites in a text. */
export const countLinks = (text: string): number => parseText(text, PREVIEW_ID).linksOut;

/** Whether an edit adds links that need approval. */
export async function addsUnapprovedLinks(
  tx: Tx,
  me: SignedIn,
  can: { moderate: boolean },
  links: { before: number; now: number },
): Promise<boolean> {
  // The strictest setting is checked first: most edits add no links and need no query for the actual
  // setting.
  if (!firstPostRules.addsLinks(me, "all", can, links)) return false;
  const { look } = await one(tx, sql<{ look: ApprovalMode }>`select ${newcomerReviewSetting} as look`);
  return firstPostRules.addsLinks(me, look, can, links);
}
