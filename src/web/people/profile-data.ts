import { conversationWith } from "#community/conversations";
import { discussionsBy } from "#community/discussions";
import { friendsInCommon, friendStateWith } from "#community/friends";
import { groupsOf } from "#community/groups";
import type { Profile } from "#community/people";
import { isSignedIn, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";

/** How the viewer and the person stand to each other; null for guests, and for oneself. */
export async function standingWith(db: Db, viewer: Viewer, person: Profile) {
  if (!isSignedIn(viewer) || person.isSelf) return null;
  const [standing, conversation] = await Promise.all([friendStateWith(db, viewer, person.id), conversationWith(db, viewer, person.id)]);
  return { ...standing, conversationId: conversation?.id ?? null };
}
export type Standing = Awaited<ReturnType<typeof standingWith>>;

/** What is in the tab that is open. */
export async function tabOf(db: Db, viewer: Viewer, person: Profile, name: string, after: string) {
  if (name === "discussions") return { name, ...(await discussionsBy(db, viewer, person.id, { after })) } as const;
  if (name === "groups") return { name, ...(await groupsOf(db, viewer, person.id, { after })) } as const;
  if (!isSignedIn(viewer) || person.isSelf) return { name: "about", inCommon: null } as const;
  const [groups, friends] = await Promise.all([groupsOf(db, viewer, person.id, {}), friendsInCommon(db, viewer, person.id)]);
  const shared = groups.rows
    .filter((group) => group.viewerState === "member")
    .map(({ id, slug, name: called }) => ({ id, slug, name: called }));
  return { name: "about", inCommon: { groups: shared, friends } } as const;
}
export type OpenTab = Awaited<ReturnType<typeof tabOf>>;
