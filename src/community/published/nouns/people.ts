import { sql } from "#platform/database";
import { friendIds, tieSeen } from "#community/friends";
import { fieldReadable, guestsSee, visiblePeople } from "#community/people";
import { isSignedIn, isStaff, privacyDefaults, type Privacy, type Viewer } from "#community/rules";
import { propertyColumns } from "./properties.ts";
import { at, common, compound, date, one, type Piece, type PublishedNoun, ref, several, string, text } from "./noun.ts";

/** A value of the row's person `p`. */
const ofPerson = (what: (viewer: Viewer) => Piece) => (viewer: Viewer, alias: string) =>
  sql`(select ${what(viewer)} from people p where p.id = ${at(alias, "object_id")})`;

/** A profile field, for the people its owner shows it to. */
const line = (column: "pronouns" | "location" | "bio_md", key: keyof Privacy & ("pronouns" | "location" | "bio")) =>
  ofPerson((viewer) => {
    const audience = sql<string>`coalesce(p.privacy ->> ${key}, ${privacyDefaults[key]})`;
    return sql`case when ${fieldReadable(viewer, audience)} then ${at("p", column)} end`;
  });

/** For the person and staff. */
const guarded = (column: string) => (viewer: Viewer, alias: string) =>
  isStaff(viewer) ? at(alias, column) : sql`case when ${at(alias, "object_id")} = ${viewer.id}::uuid then ${at(alias, column)} end`;

const sharesPresence = sql`coalesce((p.privacy ->> 'showOnline')::boolean, ${privacyDefaults.showOnline})`;
const lastSeen = ofPerson(
  (viewer) =>
    sql`case when p.id is not distinct from ${viewer.id}::uuid or (${sharesPresence} and ${fieldReadable(viewer, sql<string>`'everyone'`)}) then p.seen_at end`,
);

/** For the person and admins: account data in the API. */
const own = (what: string | Piece) => (viewer: Viewer, alias: string) => {
  const it = typeof what === "string" ? at(alias, what) : what;
  return viewer.role === "admin" ? it : sql`case when ${at(alias, "object_id")} = ${viewer.id}::uuid then ${it} end`;
};
const provider = (alias: string) =>
  sql`(select upper(i.provider) from identities i where i.person_id = ${at(alias, "object_id")} order by i.linked_at limit 1)`;

/** Columns with another name in the view. */
const LIE: Record<string, string> = { blUserLocale: "locale", lastLogin: "seen_at", socialAccount: "object_id" };

/** The account's state in API terms. */
const STATUS = sql`case when p.state in ('active', 'limited', 'ghost') then 'ENABLED' when p.state = 'guest' then 'GUEST'
  when p.state in ('unverified', 'pending_approval') then 'EMAIL_CONFIRMATION_PENDING' else 'DISABLED' end`;

/** Listed are people in the directory, friends, and people who share a group with the viewer. */
function listed(viewer: Viewer): Piece {
  if (isStaff(viewer)) return sql`p.state <> 'erased'`;
  if (!isSignedIn(viewer))
    return sql`(coalesce(p.privacy ->> 'profile', ${privacyDefaults.profile}) = 'everyone' and ${guestsSee} = 'public')`;
  return sql`(coalesce((p.privacy ->> 'inDirectory')::boolean, ${privacyDefaults.inDirectory}) or p.id in (${friendIds(sql`${viewer.id}::uuid`)})
    or exists (select from memberships mine join memberships theirs on theirs.group_id = mine.group_id and theirs.state = 'member'
      where mine.person_id = ${viewer.id}::uuid and mine.state = 'member' and theirs.person_id = p.id))`;
}

export const Users: PublishedNoun = {
  name: "Users",
  view: "users",
  about:
    "People, to whoever may know of them. What a profile says, to whom its owner shows it; the mail address, to its owner and to staff.",
  columns: [
    ...common(ref("objectId")),
    string("name"),
    string("username"),
    string("role"),
    string("email", guarded("email")),
    string("userStatus", (viewer, alias) =>
      isStaff(viewer)
        ? ofPerson(() => STATUS)(viewer, alias)
        : ofPerson(() => sql`case when p.id = ${viewer.id}::uuid then ${STATUS} end`)(viewer, alias),
    ),
    string("blUserLocale", guarded("locale")),
    string("pronouns", line("pronouns", "pronouns")),
    string("location", line("location", "location")),
    text("bio", line("bio_md", "bio")),
    ref("photoId"),
    date("seenAt", lastSeen),
    { ...date("lastLogin", own("seen_at")), ofRow: true },
    string("socialAccount", (viewer, alias) => own(provider(alias))(viewer, alias)),
  ].map((it) => ({ ...it, sqlName: LIE[it.name] ?? it.sqlName })),
  more: propertyColumns,
  stamp: sql`coalesce((select string_agg(name || ' ' || type, ',' order by name) from person_properties), '')`,
  relations: [
    several("memberships", "Memberships", "person_id"),
    several("discussions", "Discussions", "owner_id"),
    several("posts", "Posts", "owner_id"),
    several("resources", "Resources", "owner_id"),
  ],
  visible: (viewer, alias) => sql`exists (select from people p where p.id = ${at(alias, "object_id")}
    and (p.id is not distinct from ${viewer.id}::uuid or (${visiblePeople(viewer)} and ${listed(viewer)})))`,
};

/** The other person of the pair. */
const other = (viewer: Viewer, alias: string): Piece =>
  sql`case when ${at(alias, "low_id")} = ${viewer.id}::uuid then ${at(alias, "high_id")} else ${at(alias, "low_id")} end`;

export const Friendships: PublishedNoun = {
  name: "Friendships",
  view: "friendships",
  about: "One's own friends, and the requests that wait. A request that was declined looks to its sender as if it waited.",
  columns: [
    // The time of the answer is hidden until both are friends.
    ...common(
      compound(["low_id", "id"], ["high_id", "id"]),
      undefined,
      (_viewer, alias) => sql`case when ${at(alias, "state")} = 'friends' then ${at(alias, "updated")} end`,
    ),
    ref("personId", other),
    string(
      "state",
      (viewer, alias) => sql`case when ${at(alias, "state")} = 'friends' then 'friends'
        when ${at(alias, "owner_id")} is not distinct from ${viewer.id}::uuid then 'sent' else 'received' end`,
    ),
    string("note"),
  ],
  relations: [],
  visible: (viewer, alias) => sql`exists (select from friendships f
    where f.low_id = ${at(alias, "low_id")} and f.high_id = ${at(alias, "high_id")} and ${tieSeen(viewer)})`,
};

export const Blocks: PublishedNoun = {
  name: "Blocks",
  view: "blocks",
  about: "Whom one blocks. Nobody learns who blocks them.",
  columns: [...common(compound(["owner_id", "id"], ["person_id", "id"])), ref("personId")],
  relations: [one("person", "Users", "person_id")],
  visible: (viewer, alias) => sql`${at(alias, "owner_id")} is not distinct from ${viewer.id}::uuid`,
};
