import { type Db, many, maybeOne, one, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import { personColumns, type PersonCard, toStorableText } from "#community/common";
import {
  type FieldAudience,
  isSignedIn,
  type PersonFacts,
  personRules,
  type Privacy,
  privacyDefaults,
  type Viewer,
} from "#community/rules";
import type { SiteSettings } from "#community/settings";
import { answersJson, type FieldAnswer } from "../profile-fields/profile-field-answers.ts";
import { guestVisibilitySetting, isPersonVisible } from "./people-visibility.ts";

/** A custom field of a profile. */
export type ProfileField = { label: string; value: string; audience: FieldAudience };

export type Profile = PersonCard & {
  photoAlt: string;
  role: "member" | "moderator" | "admin";
  state: string;
  joinedAt: Date;
  isSelf: boolean;
  isFriend: boolean;
  /** The viewer blocks this person: the page is a stub with an unblock button. */
  viewerBlocks: boolean;
  /** The current username, to redirect to, if a former one was requested; null otherwise. */
  movedTo: string | null;
  /** Details for those who may read the profile; null for others. */
  about: {
    header: { id: string | null; alt: string; style: string };
    pronouns: string;
    location: string;
    bioMd: string;
    bioHtml: string;
    fields: ProfileField[];
    /** Answers to the community's profile fields. */
    answers: FieldAnswer[];
    /** Time of the last visit; also null if the person does not share it. */
    seenAt: Date | null;
  } | null;
  /** Whether search engines may index this page. */
  indexed: boolean;
};

type Row = PersonCard &
  Omit<Profile, "about" | "movedTo" | "isSelf" | "indexed"> & {
    privacy: Partial<Privacy>;
    guestsSee: SiteSettings["guestsSeePeople"];
    blocksViewer: boolean;
    headerId: string | null;
    headerAlt: string;
    headerStyle: string;
    pronouns: string;
    location: string;
    bioMd: string;
    bioHtml: string;
    fields: ProfileField[] | Record<string, never>;
    answers: FieldAnswer[];
    seenAt: Date | null;
  };

/**
 * A person as the viewer may see them, by id, username or former username.
 * @throws `not-found` for missing and invisible people alike, `not-signed-in` for guests where the site hides
 * people from them
 */
export async function getPerson(db: Db, viewer: Viewer, idOrUsername: string): Promise<Profile> {
  if (!isSignedIn(viewer) && (await getGuestVisibility(db)) === "hidden")
    throw new Refusal("not-signed-in", "Only members can see profiles. Sign in.");
  const key = toStorableText(idOrUsername).trim().toLowerCase().slice(0, 100);
  const row =
    (await findPersonRow(db, viewer, isId(key) ? sql`p.id = ${key}` : sql`p.username = ${key}`)) ??
    (await findByFormerUsername(db, viewer, key));
  if (!row) return getFormerMember(db, key);
  if (!personRules.see(viewer, toPersonFacts(row))) throw notFound();
  const found = isId(key) || row.username === key;
  return { ...toProfile(viewer, row), movedTo: found ? null : row.username };
}

const getGuestVisibility = async (db: Db) =>
  (await one(db, sql<{ it: SiteSettings["guestsSeePeople"] }>`select ${guestVisibilitySetting} as it`)).it;

const findByFormerUsername = (db: Db, viewer: Viewer, username: string) =>
  isId(username)
    ? undefined
    : findPersonRow(
        db,
        viewer,
        sql`p.id = (select f.person_id from former_usernames f where f.username = ${username})`,
      );

/**
 * Profile stub of an erased account. Links from the account's content lead there.
 * @throws `not-found` for anyone else
 */
async function getFormerMember(db: Db, key: string): Promise<Profile> {
  type Left = PersonCard & { joinedAt: Date };
  const which = isId(key) ? sql`p.id = ${key}` : sql`p.username = ${key}`;
  const left = await maybeOne(
    db,
    sql<Left>`select ${personColumns("p")}, p.created_at as "joinedAt" from people p
      where ${which} and p.state = 'erased'`,
  );
  if (!left) throw notFound();
  const nothing = {
    isSelf: false,
    isFriend: false,
    viewerBlocks: false,
    movedTo: null,
    about: null,
    indexed: false,
  } as const;
  return { ...left, ...nothing, photoAlt: "", role: "member", state: "erased" };
}

const findPersonRow = (db: Db, viewer: Viewer, which: ReturnType<typeof sql>) =>
  maybeOne(
    db,
    sql<Row>`
    select ${personColumns("p")}, p.photo_alt as "photoAlt", p.site_role as role, p.state,
      p.created_at as "joinedAt", p.privacy,
      p.header_id as "headerId", p.header_alt as "headerAlt", p.header_style as "headerStyle",
      p.pronouns, p.location, p.bio_md as "bioMd", p.bio_html as "bioHtml", p.fields, p.seen_at as "seenAt",
      ${answersJson("p")} as answers, ${relationshipColumns(viewer, "p")}
    from people p where ${which} and ${isPersonVisible(viewer, "p")}`,
  );

/**
 * Facts for the rules about viewer, person and site: `isFriend`, `blocksViewer`, `viewerBlocks`, `guestsSee`.
 */
export const relationshipColumns = ({ id }: Viewer, person: string) => {
  const p = sql.ref(person);
  return id === null
    ? sql`${guestVisibilitySetting} as "guestsSee", false as "isFriend", false as "blocksViewer",
      false as "viewerBlocks"`
    : sql`
      ${guestVisibilitySetting} as "guestsSee",
      exists (select 1 from friendships f
        where f.low_id = least(${p}.id, ${id}::uuid) and f.high_id = greatest(${p}.id, ${id}::uuid)
          and f.state = 'friends') as "isFriend",
      exists (select 1 from blocks b where b.blocker_id = ${p}.id and b.blocked_id = ${id}) as "blocksViewer",
      exists (select 1 from blocks b where b.blocker_id = ${id} and b.blocked_id = ${p}.id)
        as "viewerBlocks"`;
};

type FactsRow = Pick<PersonFacts, "id" | "state" | "isFriend" | "blocksViewer" | "viewerBlocks"> & {
  privacy: Partial<Privacy>;
  guestsSee: SiteSettings["guestsSeePeople"];
};
/** The site setting limits a profile that its owner opened to everyone: the stricter of the two applies. */
export const toPersonFacts = ({ privacy, guestsSee, ...row }: FactsRow): PersonFacts => {
  const profile = privacy.profile ?? privacyDefaults.profile;
  return { ...row, profile: profile === "everyone" && guestsSee !== "public" ? "members" : profile };
};

function toProfile(viewer: Viewer, row: Row): Omit<Profile, "movedTo"> {
  const privacy = { ...privacyDefaults, ...row.privacy };
  const readable = personRules.readProfile(viewer, toPersonFacts(row));
  const { id, username, name, photoId, isBot, photoAlt, role, state, joinedAt, isFriend, viewerBlocks } = row;
  return {
    id,
    username,
    name,
    photoId,
    isBot,
    photoAlt,
    role,
    state,
    joinedAt,
    isFriend,
    viewerBlocks,
    isSelf: viewer.id === id,
    about: readable ? toAbout(viewer, row, privacy) : null,
    indexed: toPersonFacts(row).profile === "everyone" && privacy.inSearchEngines && state === "active",
  };
}

function toAbout(viewer: Viewer, row: Row, privacy: Privacy): Profile["about"] {
  const facts = toPersonFacts(row);
  const reads = ({ audience }: { audience: FieldAudience }) => personRules.readField(viewer, facts, audience);
  const shown = (text: string, audience: FieldAudience) => (reads({ audience }) ? text : "");
  return {
    header: { id: row.headerId, alt: row.headerAlt, style: row.headerStyle },
    pronouns: shown(row.pronouns, privacy.pronouns),
    location: shown(row.location, privacy.location),
    bioMd: shown(row.bioMd, privacy.bio),
    bioHtml: shown(row.bioHtml, privacy.bio),
    fields: (Array.isArray(row.fields) ? row.fields : []).filter(reads),
    answers: row.answers.filter(reads),
    seenAt: privacy.showOnline || viewer.id === row.id ? row.seenAt : null,
  };
}

/** Summaries of those people whom the viewer may see, in no particular order. */
export const listPersonSummaries = (db: Db, viewer: Viewer, ids: string[]): Promise<PersonCard[]> =>
  many(
    db,
    sql<PersonCard>`select ${personColumns("p")} from people p
      where p.id = any(${ids.filter(isId)}::uuid[]) and ${isPersonVisible(viewer, "p")}`,
  );
