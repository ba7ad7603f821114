import { one, sql, type Tx } from "#platform/database";
import { msg } from "#platform/messages";
import { invalid } from "#platform/refusal";
import { countNewLinks } from "#community/prevention";
import { type ApprovalMode, firstPostRules, type SignedIn } from "#community/rules";
import { newcomerReviewSetting } from "#community/settings";

/**
 * Asserts that a new member sends no link to a person who has not agreed to their messages, where the site reads
 * links of new members first: such a text is private and cannot wait for approval.
 * @throws `invalid` on `field`
 */
export async function assertNoNewcomerLinks(
  tx: Tx,
  me: SignedIn,
  field: string,
  text: string,
): Promise<void> {
  const links = { before: 0, now: countNewLinks([], [text]) };
  const can = { moderate: false };
  // The strictest setting is checked first: most texts have no link and need no query for the actual setting.
  if (!firstPostRules.addsLinks(me, "all", can, links)) return;
  const { look } = await one(tx, sql<{ look: ApprovalMode }>`select ${newcomerReviewSetting} as look`);
  if (firstPostRules.addsLinks(me, look, can, links))
    throw invalid(
      field,
      msg("New members cannot send links in a first message or a friend request here. Leave the link out."),
    );
}
