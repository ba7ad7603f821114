import { discussionsOf, introductionsFor } from "#community/discussions";
import { groupFor, groupsFor } from "#community/groups";
import type { SignedIn } from "#community/rules";
import type { Db } from "#platform/database";
import { invitationAt } from "../groups/invitation-at.ts";
import { soundsLikeHello } from "../home/say-hello.ts";
import type { House } from "../house.ts";
import { ownPath, urls } from "../urls.ts";

const GROUPS_TRIED = 3;

/**
 * Where the welcome ends: in the group the person was invited to, once a member; else at the page they
 * wanted; else in an introductions discussion or the latest one of their groups. In a discussion the composer
 * is ready.
 */
export async function landingFor(house: House, me: SignedIn, next: string, now: Date): Promise<string> {
  const { db } = house;
  const invitation = await invitationAt(db, me, next, now);
  if (invitation?.state === "open" && invitation.group.viewerState === "member") {
    const group = await groupFor(db, me, invitation.group.id);
    const [living] = await livingIn(db, me, group);
    return living ? replyIn(living) : urls.group(group.slug);
  }
  if (ownPath(next) !== urls.home()) return ownPath(next);
  const introductions = await introductionsFor(db, me, (await house.settings.get()).introductions);
  const living = introductions ?? (await livingOfOwn(db, me));
  return living ? replyIn(living) : urls.home();
}

const replyIn = ({ id }: { id: string }) => `${urls.discussion(id)}#reply`;

async function livingIn(db: Db, me: SignedIn, group: Parameters<typeof discussionsOf>[2]) {
  const { rows, pinned } = await discussionsOf(db, me, group, {});
  return [...rows, ...pinned].filter((discussion) => !discussion.locked);
}

/** A discussion for introductions by its title, or the latest of the first group that has any. */
async function livingOfOwn(db: Db, me: SignedIn) {
  const mine = await groupsFor(db, me, { tab: "mine" });
  const living = [];
  for (const group of mine.rows.filter(({ state }) => state === "active").slice(0, GROUPS_TRIED))
    living.push(...(await livingIn(db, me, group)));
  return living.find(soundsLikeHello) ?? living[0];
}
