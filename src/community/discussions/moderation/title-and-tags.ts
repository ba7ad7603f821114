import { one, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { requireSignedIn } from "#community/friends";
import { checkWatchedWords, reportFlaggedText } from "#community/prevention";
import { discussionRules, type Viewer } from "#community/rules";
import { getDiscussionForUpdate } from "../discussion.ts";
import { type Discussion } from "../discussion-columns.ts";
import type { NewTitle } from "../discussion-inputs.ts";
import {
  applyDiscussionChange,
  type DiscussionChange,
  auditDiscussionChange,
} from "./discussion-moderation.ts";
import { assertOwnDiscussionEditLimit } from "../posts/post-limits.ts";

type RenameInput = z.output<typeof NewTitle>;

/**
 * Changes the title, and tags and language if given. Each change adds an activity entry with the old and new
 * value. Authors may do this too.
 * @throws `not-found`, `not-allowed`, `too-many` above thirty changes by an author in a day
 */
export async function renameDiscussion(tx: Tx, viewer: Viewer, uncheckedInput: RenameInput): Promise<void> {
  const me = requireSignedIn(viewer);
  const discussion = await getDiscussionForUpdate(tx, me, uncheckedInput.discussionId);
  if (!discussionRules.rename(me, discussion))
    throw new Refusal("not-allowed", "Only the author and the moderators can decide this.");
  const { input, flagged } = await checkWatchedWords(tx, me, uncheckedInput, ["title", "tags"], {
    before: discussion,
    canWait: false,
  });
  const changes = listTitleChanges(discussion, input);
  if (changes.length > 0) await assertOwnDiscussionEditLimit(tx, me, discussion);
  for (const change of changes) {
    await applyDiscussionChange(tx, me, discussion, change);
    await auditDiscussionChange(tx, me, discussion, change);
  }
  if (flagged)
    await reportFlaggedText(tx, me.id, flagged, { postId: await getFirstPostId(tx, discussion.id) });
}

const getFirstPostId = async (tx: Tx, discussionId: string) =>
  (
    await one(
      tx,
      sql<{ id: string }>`select id from posts where discussion_id = ${discussionId} and number = 1`,
    )
  ).id;

function listTitleChanges(
  now: Discussion,
  { title, tags = now.tags, language = now.language, formerLanguage, reason }: RenameInput,
): DiscussionChange[] {
  const changes: DiscussionChange[] = [];
  if (title !== now.title)
    changes.push({
      kind: "renamed",
      reason,
      details: { was: now.title, became: title },
      set: sql`title = ${title}`,
    });
  const [was, became] = [now.tags.join(", "), tags.join(", ")];
  if (was !== became)
    changes.push({ kind: "tagged", reason, details: { was, became }, set: sql`tags = ${tags}::text[]` });
  if (language !== now.language && language !== formerLanguage)
    changes.push({
      kind: "language-changed",
      reason,
      details: { was: now.language, became: language },
      set: sql`language = ${language}, language_known = true`,
    });
  return changes;
}
