import { z } from "zod";
import { activityOf } from "#community/activity";
import { conversationWith } from "#community/conversations";
import { discussionsBy, repliesBy } from "#community/discussions";
import { friendCountOf, friendsInCommon, friendStateWith, ONLOOKERS, type Onlooker } from "#community/friends";
import { groupsOf } from "#community/groups";
import { accountLineFor, fieldsToFill, personFor, type Profile } from "#community/people";
import { resourcesFor } from "#community/resources";
import { isSignedIn, accountRules, personRules, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { excerptOf } from "#platform/markup";

/** Relationship between viewer and person; null for guests and oneself. */
async function standingWith(db: Db, viewer: Viewer, person: Profile) {
  if (!isSignedIn(viewer) || person.isSelf) return null;
  const [standing, conversation] = await Promise.all([friendStateWith(db, viewer, person.id), conversationWith(db, viewer, person.id)]);
  return { ...standing, conversationId: conversation?.id ?? null, takesPictures: personRules.takePicture(viewer, person) };
}
export type Standing = Awaited<ReturnType<typeof standingWith>>;

/** Data of the open tab. */
async function tabOf(db: Db, viewer: Viewer, { id, isSelf }: Profile, name: string, after: string) {
  if (name === "activity") return { name, ...(await activityOf(db, viewer, id, { after })) } as const;
  if (name === "discussions") return { name, ...(await discussionsBy(db, viewer, id, { after })) } as const;
  if (name === "replies") return { name, ...(await repliesBy(db, viewer, id, { after })) } as const;
  if (name === "resources") return { name, ...(await resourcesFor(db, viewer, { keeper: id, after })) } as const;
  if (name === "groups") return { name, ...(await groupsOf(db, viewer, id, { after })) } as const;
  const friendCount = await friendCountOf(db, viewer, id);
  if (!isSignedIn(viewer) || isSelf) return { name: "about", friendCount, inCommon: null } as const;
  const [groups, friends] = await Promise.all([groupsOf(db, viewer, id, {}), friendsInCommon(db, viewer, id)]);
  const shared = groups.rows
    .filter((group) => group.viewerState === "member")
    .map(({ id: groupId, slug, name: called }) => ({ id: groupId, slug, name: called }));
  return { name: "about", friendCount, inCommon: { groups: shared, friends } } as const;
}
export type OpenTab = Awaited<ReturnType<typeof tabOf>>;

type Wanted = { key: string; tab: string; after: string };

/** A profile as the viewer may see it. */
export async function profileFor(db: Db, viewer: Viewer, { key, tab, after }: Wanted) {
  const person = await personFor(db, viewer, key);
  // Sequential: queries on one connection wait for each other anyway, and a transaction has only one.
  const standing = await standingWith(db, viewer, person);
  const open = person.about && (await tabOf(db, viewer, person, tab, after));
  const account = accountRules.lookAfter(viewer) && !person.isSelf ? await accountLineFor(db, viewer, person.id) : null;
  return { person, standing, tab: open, account, excerpt: excerptOf(person.about?.bioHtml ?? "", 160) };
}

/** The role in which to preview one's own profile; null: none. */
export const onlookerIn = (asked: string): Onlooker | null => z.enum(ONLOOKERS).safeParse(asked).data ?? null;

/** Missing parts of one's own profile; null for others. */
export async function completenessOf(db: Db, viewer: Viewer, { isSelf, photoId, about }: Profile) {
  if (!isSelf || !about) return null;
  const asked = (await fieldsToFill(db, viewer)).filter((field) => field.required);
  return {
    photo: photoId !== null,
    bio: about.bioMd !== "",
    location: about.location !== "",
    asked: asked.filter((field) => field.said.length === 0).map((field) => field.label),
    askedCount: asked.length,
  };
}
export type Completeness = NonNullable<Awaited<ReturnType<typeof completenessOf>>>;
