import { later } from "#platform/clock";
import { maybeOne, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { discussionRules, type SignedIn } from "#community/rules";
import type { Discussion } from "./discussion.ts";

/**
 * Lets a reply pass, or refuses it as `too-many` with the seconds to wait, where the discussion is slow. What is sent
 * again under its `clientId` is the same reply. Those who look after the group are not held up.
 */
export async function assertSlowEnough(tx: Tx, me: SignedIn, discussion: Discussion, clientId: string | undefined): Promise<void> {
  const { slowSeconds } = discussion;
  if (slowSeconds === 0 || discussionRules.moderate(me, discussion)) return;
  const last = await maybeOne(
    tx,
    sql<{ at: Date }>`
      select created_at as at from posts
      where author_id = ${me.id} and created_at > ${later(tx.now, -slowSeconds * 1000)} and discussion_id = ${discussion.id} and number > 1
        and client_id is distinct from ${clientId ?? null}::uuid
      order by created_at desc limit 1`,
  );
  if (!last) return;
  const wait = Math.ceil((last.at.getTime() + slowSeconds * 1000 - tx.now.getTime()) / 1000);
  throw new Refusal("too-many", "This discussion is slow: let others speak, and come back in a moment.", { retryAfter: Math.max(1, wait) });
}
