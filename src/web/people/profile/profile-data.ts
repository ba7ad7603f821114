import { z } from "zod";
import { listActivity } from "#community/activity";
import { findConversationWith } from "#community/conversations";
import { listDiscussionsByAuthor, listRepliesByAuthor } from "#community/discussions";
import {
  countFriends,
  listMutualFriends,
  getFriendState,
  PREVIEW_ROLES,
  type PreviewRole,
} from "#community/friends";
import { listGroupsOfPerson } from "#community/groups";
import {
  getAccountEntry,
  listFieldsToFill,
  getPerson,
  type OwnPendingProfile,
  type Profile,
  withTexts,
} from "#community/accounts";
import { listResources } from "#community/resources";
import { isSignedIn, accountRules, personRules, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { createExcerpt } from "#platform/markup";

/** Relationship between viewer and person; null for guests and on one's own profile. */
async function getRelationship(db: Db, viewer: Viewer, person: Profile) {
  if (!isSignedIn(viewer) || person.isSelf) return null;
  const [standing, conversation] = await Promise.all([
    getFriendState(db, viewer, person.id),
    findConversationWith(db, viewer, person.id),
  ]);
  return {
    ...standing,
    conversationId: conversation?.id ?? null,
    canRemovePictures: personRules.removePicture(viewer, person),
  };
}
export type RelationshipWithPerson = Awaited<ReturnType<typeof getRelationship>>;

/** Data of the open tab. */
async function getTab(db: Db, viewer: Viewer, { id, isSelf }: Profile, name: string, after: string) {
  if (name === "activity") return { name, ...(await listActivity(db, viewer, id, { after })) } as const;
  if (name === "discussions")
    return { name, ...(await listDiscussionsByAuthor(db, viewer, id, { after })) } as const;
  if (name === "replies") return { name, ...(await listRepliesByAuthor(db, viewer, id, { after })) } as const;
  if (name === "resources")
    return { name, ...(await listResources(db, viewer, { owner: id, after })) } as const;
  if (name === "groups") return { name, ...(await listGroupsOfPerson(db, viewer, id, { after })) } as const;
  const friendCount = await countFriends(db, viewer, id);
  if (!isSignedIn(viewer) || isSelf) return { name: "about", friendCount, inCommon: null } as const;
  const [groups, friends] = await Promise.all([
    listGroupsOfPerson(db, viewer, id, {}),
    listMutualFriends(db, viewer, id),
  ]);
  const shared = groups.rows
    .filter((group) => group.viewerState === "member")
    .map(({ id: groupId, slug, name: called }) => ({ id: groupId, slug, name: called }));
  return { name: "about", friendCount, inCommon: { groups: shared, friends } } as const;
}
export type ProfileTabData = Awaited<ReturnType<typeof getTab>>;

type ProfileQuery = { key: string; tab: string; after: string };

/** A profile as the viewer may see it. */
export async function getProfilePage(db: Db, viewer: Viewer, { key, tab, after }: ProfileQuery) {
  const person = await getPerson(db, viewer, key);
  // Queries run one after another: on one connection they would wait for each other anyway, and a
  // transaction has only one connection.
  const relationship = await getRelationship(db, viewer, person);
  const open = person.about && (await getTab(db, viewer, person, tab, after));
  const account =
    accountRules.moderate(viewer) && !person.isSelf ? await getAccountEntry(db, viewer, person.id) : null;
  return {
    person,
    relationship,
    tab: open,
    account,
    excerpt: createExcerpt(person.about?.bioHtml ?? "", 160),
  };
}

/** The viewer's own profile with the texts that wait for approval, as they will see it once it is approved. */
export function withOwnTexts(person: Profile, entries: OwnPendingProfile[]): Profile {
  const waiting = entries.find(({ isReturned }) => !isReturned);
  return person.about && waiting ? { ...person, about: withTexts(person.about, waiting.texts) } : person;
}

/** Parses the role in which to preview one's own profile; null for any other value. */
export const parsePreviewRole = (asked: string): PreviewRole | null =>
  z.enum(PREVIEW_ROLES).safeParse(asked).data ?? null;

/** Missing parts of one's own profile; null on other profiles. */
export async function getCompleteness(db: Db, viewer: Viewer, { isSelf, photoId, about }: Profile) {
  if (!isSelf || !about) return null;
  const missingFields = (await listFieldsToFill(db, viewer)).filter((field) => field.required);
  return {
    photo: photoId !== null,
    bio: about.bioMd !== "",
    location: about.location !== "",
    asked: missingFields.filter((field) => field.said.length === 0).map((field) => field.label),
    askedCount: missingFields.length,
  };
}
export type ProfileCompletenessData = NonNullable<Awaited<ReturnType<typeof getCompleteness>>>;
