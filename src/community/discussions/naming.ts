import { sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { signedIn } from "#community/friends";
import { discussionRules, type Viewer } from "#community/rules";
import { type Discussion, discussionToChange } from "./discussion.ts";
import type { NewTitle } from "./forms.ts";
import { apply, type Change, enterIntoLog } from "./moderating.ts";
import { assertMayShapeNow } from "./pace.ts";

type Wish = z.output<typeof NewTitle>;

/**
 * Another title, and other tags and another language where these are given; a line for each shows what was and what is. For its author too.
 * Throws `not-found`, `not-allowed`, `too-many` above thirty changes of an author's in a day.
 */
export async function renameDiscussion(tx: Tx, viewer: Viewer, input: Wish): Promise<void> {
  const me = signedIn(viewer);
  const discussion = await discussionToChange(tx, me, input.discussionId);
  if (!discussionRules.rename(me, discussion))
    throw new Refusal("not-allowed", "Its author and those who look after the group decide this.");
  const changes = changesOf(discussion, input);
  if (changes.length > 0) await assertMayShapeNow(tx, me, discussion);
  for (const change of changes) {
    await apply(tx, me, discussion, change);
    await enterIntoLog(tx, me, discussion, change);
  }
}

function changesOf(now: Discussion, { title, tags = now.tags, language = now.language, reason }: Wish): Change[] {
  const changes: Change[] = [];
  if (title !== now.title)
    changes.push({ kind: "renamed", reason, details: { was: now.title, became: title }, set: sql`title = ${title}` });
  const [was, became] = [now.tags.join(", "), tags.join(", ")];
  if (was !== became) changes.push({ kind: "tagged", reason, details: { was, became }, set: sql`tags = ${tags}::text[]` });
  if (language !== now.language)
    changes.push({
      kind: "language-changed",
      reason,
      details: { was: now.language, became: language },
      set: sql`language = ${language}, language_known = true`,
    });
  return changes;
}
