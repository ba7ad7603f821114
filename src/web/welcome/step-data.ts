import { listGroups } from "#community/groups";
import { getNotificationSettings } from "#community/notifications";
import type { OnboardingProgress } from "#community/accounts";
import type { SignedIn, Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { renderMarkdown } from "#platform/markup";
import { findInvitationAt } from "../groups/join/find-invitation.ts";
import type { WebContext } from "../web-context.ts";

export async function findRulesToAccept(app: Pick<WebContext, "settings">, arrival: OnboardingProgress) {
  const { rules, rulesVersion } = await app.settings.get();
  return {
    html: renderMarkdown(rules),
    version: rulesVersion,
    accepted: arrival.rulesAcceptedVersion === rulesVersion,
  };
}

/** Returns the inviter and the group if the address `next` is a valid invitation; else null. */
export async function findInvitation(db: Db, viewer: Viewer, next: string, now: Date) {
  const found = await findInvitationAt(db, viewer, next, now);
  if (found?.state !== "open") return null;
  const { id, name, purpose, viewerState } = found.group;
  return { by: found.by, group: { id, name, purpose }, entry: found.entry, isIn: viewerState === "member" };
}

/** How often the person gets a digest, and on which day. */
export async function getDigestSettings(db: Db, me: SignedIn, now: Date) {
  const { digestEvery, digestDay } = await getNotificationSettings(db, me, now);
  return { digestEvery, digestDay };
}

const MAX_OFFERED_GROUPS = 12;

/** Groups the person can join or request to join; secret ones are by invitation and not offered. */
export async function listGroupsToChoose(db: Db, me: SignedIn, invitedTo: string | undefined) {
  const [mine, others] = await Promise.all([
    listGroups(db, me, { tab: "mine" }),
    listGroups(db, me, { tab: "discover" }),
  ]);
  const offered = others.rows
    .filter((group) => group.joinPolicy !== "invite" && group.id !== invitedTo)
    .slice(0, MAX_OFFERED_GROUPS);
  return { mine: mine.rows, offered };
}
