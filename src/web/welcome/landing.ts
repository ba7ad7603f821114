import { discussionsOf } from "#community/discussions";
import { groupsFor } from "#community/groups";
import type { SignedIn } from "#community/rules";
import type { Db } from "#platform/database";
import { ownPath, urls } from "../urls.ts";

const GROUPS_TRIED = 3;

/** Where the round ends: where one was going, else inside the latest discussion of one's own groups, with the reply box ready. */
export async function landingFor(db: Db, me: SignedIn, next: string): Promise<string> {
  if (ownPath(next) !== urls.home()) return ownPath(next);
  const mine = await groupsFor(db, me, { tab: "mine" });
  for (const group of mine.rows.filter(({ state }) => state === "active").slice(0, GROUPS_TRIED)) {
    const { rows, pinned } = await discussionsOf(db, me, group, {});
    const living = [...rows, ...pinned].find((discussion) => !discussion.locked);
    if (living) return `${urls.discussion(living.id)}#reply`;
  }
  return urls.home();
}
