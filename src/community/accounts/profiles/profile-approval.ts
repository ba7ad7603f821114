import { isDeepStrictEqual } from "node:util";
import { one, sql, type Tx } from "#platform/database";
import { invalid } from "#platform/refusal";
import {
  type ApprovalReason,
  checkWatchedWords,
  countNewAddresses,
  type FlaggedText,
  isRepeatedText,
} from "#community/prevention";
import { type ApprovalMode, firstPostRules, type SignedIn } from "#community/rules";
import { newcomerReviewSetting } from "#community/settings";

type TextChange = {
  /** Name of the field, for refusals. */
  field: string;
  before: readonly string[];
  now: string[];
  /** Whether new accounts that repeat the text need approval. */
  isProse?: boolean;
};
/** A checked text of a profile, with its words replaced. `reason` is null for a new member's link. */
export type CheckedProfileText = {
  texts: string[];
  waits: boolean;
  reason: ApprovalReason | null;
  flagged: FlaggedText | null;
};

/**
 * Checks a changed text of a profile for watched words, links and repetition. It waits for approval because of
 * a word or link domain that staff listed, because another new account wrote the same text, or, where the site
 * reads what new members write, because of a new link or a domain without a scheme (`beans.example`): people copy
 * it as well. Words and links that it had before are accepted.
 * @throws `invalid` on `field` with a blocked word or link
 */
export async function checkProfileText(
  tx: Tx,
  me: SignedIn,
  { field, before, now, isProse = false }: TextChange,
): Promise<CheckedProfileText> {
  const { input, waitsFor, flagged } = await checkWatchedWords(tx, me, { [field]: now }, [field], {
    before: { [field]: before },
    canWait: true,
  });
  const texts = input[field]!;
  const isRepeated =
    isProse && !isDeepStrictEqual(before, texts) && (await isRepeatedText(tx, me, texts.join("\n")));
  const reason = waitsFor ?? (isRepeated ? { kind: "repeat" as const } : null);
  return { texts, reason, flagged, waits: reason !== null || (await addsLinks(tx, me, before, texts)) };
}

async function addsLinks(
  tx: Tx,
  me: SignedIn,
  before: readonly string[],
  texts: readonly string[],
): Promise<boolean> {
  const links = { before: 0, now: countNewAddresses(before, texts) };
  const can = { moderate: false };
  // The strictest setting is checked first: most changes add no links and need no query for the actual setting.
  if (!firstPostRules.addsLinks(me, "all", can, links)) return false;
  const { look } = await one(tx, sql<{ look: ApprovalMode }>`select ${newcomerReviewSetting} as look`);
  return firstPostRules.addsLinks(me, look, can, links);
}

/**
 * Refuses a new link or domain in the display name of a new member where links need approval: a name cannot wait.
 * @throws `invalid` on `name`
 */
export async function assertNoNameLink(tx: Tx, me: SignedIn, before: string, name: string): Promise<void> {
  if (await addsLinks(tx, me, [before], [name])) throw nameLinkRefusal();
}

/**
 * Refuses a link or domain in the display name of a registration where links of new members need approval.
 * @throws `invalid` on `name`
 */
export function assertNoRegisteredNameLink({ firstPosts }: { firstPosts: ApprovalMode }, name: string): void {
  if (firstPosts !== "off" && countNewAddresses([], [name]) > 0) throw nameLinkRefusal();
}

const nameLinkRefusal = () =>
  invalid(
    "name",
    "The display name cannot contain a link or web address, because links of new members need approval here.",
  );

/** One report for the flagged words of several texts. */
export function mergeFlagged(them: (FlaggedText | null)[]): FlaggedText | null {
  const flagged = them.filter((it) => it !== null);
  return flagged.length === 0
    ? null
    : {
        phrases: [...new Set(flagged.flatMap(({ phrases }) => phrases))],
        texts: flagged.flatMap(({ texts }) => texts),
      };
}
