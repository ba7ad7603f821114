import { listDiscussions, getIntroductionsDiscussion } from "#community/discussions";
import { acceptInvitation, getGroup, listGroups } from "#community/groups";
import type { SignedIn } from "#community/rules";
import type { Db } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { findInvitationAt, invitationToken } from "../groups/join/find-invitation.ts";
import { hasIntroductionTitle } from "../home/introduction-discussion.ts";
import type { WebContext } from "../web-context.ts";
import { ownPathOrHome, urls } from "../urls.ts";

const GROUPS_TRIED = 3;

/**
 * Returns the page to open after the welcome pages: the group to which the person was invited, if they are a
 * member; else the page they wanted; else an introductions discussion or the latest discussion of their
 * groups. A discussion opens at its reply form.
 */
export async function findWelcomeDestination(
  app: Pick<WebContext, "db" | "settings">,
  me: SignedIn,
  next: string,
  now: Date,
): Promise<string> {
  const { db } = app;
  const invitation = await findInvitationAt(db, me, next, now);
  if (invitation?.state === "open" && invitation.group.viewerState === "member") {
    const group = await getGroup(db, me, invitation.group.id);
    const [living] = await listActiveDiscussions(db, me, group);
    return living ? replyUrl(living) : urls.group(group.slug);
  }
  if (ownPathOrHome(next) !== urls.home()) return ownPathOrHome(next);
  const introductions = await getIntroductionsDiscussion(db, me, (await app.settings.get()).introductions);
  const living = introductions ?? (await findActiveDiscussionOfOwnGroups(db, me));
  return living ? replyUrl(living) : urls.home();
}

/**
 * Accepts the invitation that a person registered by, and returns the page to open. An invitation with
 * questions, or one that has ended meanwhile, opens its own page.
 */
export async function acceptRegistrationInvitation(
  app: Pick<WebContext, "db" | "settings" | "database">,
  me: SignedIn,
  next: string,
  now: Date,
): Promise<string> {
  const token = invitationToken(next);
  if (!token) return DISCUSSION_PATH.test(next) ? `${next}#reply` : next;
  try {
    await app.database.inTransaction((tx) => acceptInvitation(tx, me, { token, answers: [] }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return next;
  }
  return findWelcomeDestination(app, me, next, now);
}

const DISCUSSION_PATH = /^\/discussions\/[0-9a-f-]{36}$/;

const replyUrl = ({ id }: { id: string }) => `${urls.discussion(id)}#reply`;

async function listActiveDiscussions(db: Db, me: SignedIn, group: Parameters<typeof listDiscussions>[2]) {
  const { rows, pinned } = await listDiscussions(db, me, group, {});
  return [...rows, ...pinned].filter((discussion) => !discussion.locked);
}

/**
 * Finds a discussion whose title is about introductions; else the latest discussion of the first group that
 * has any.
 */
async function findActiveDiscussionOfOwnGroups(db: Db, me: SignedIn) {
  const mine = await listGroups(db, me, { tab: "mine" });
  const living = [];
  for (const group of mine.rows.filter(({ state }) => state === "active").slice(0, GROUPS_TRIED))
    living.push(...(await listActiveDiscussions(db, me, group)));
  return living.find(hasIntroductionTitle) ?? living[0];
}
