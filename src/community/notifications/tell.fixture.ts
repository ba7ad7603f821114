import { type FollowLevel, setFollowLevel } from "#community/discussions";
import type { SignedIn } from "#community/rules";
import { aDiscussion, aGroup, bring, cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { carry, toldTo } from "./told.fixture.ts";

export const database = await testDatabase();
export const { inTransaction: within } = database;
export const told = (who: { id: string }) => toldTo(database, who);
export const level = (who: SignedIn, discussionId: string, it: FollowLevel) =>
  within((tx) => setFollowLevel(tx, who, { discussionId, level: it }));

/** Mira has started a discussion in a group of Tomas's; Noor is a member too. No notification exists yet. */
export async function talk(visibility: "public" | "private" = "public") {
  const people = await cast(database);
  const group = await aGroup(database, people, { visibility });
  await within((tx) => bring(tx, group.id, people.noor, "member"));
  const discussion = await aDiscussion(database, people.mira, group.id);
  await carry(database);
  return { ...people, group, discussion };
}
