import { sql } from "#platform/database";
import { friendIds, isFriendshipVisible } from "#community/friends";
import { isFieldReadable, guestVisibilitySetting, isPersonVisible } from "#community/accounts";
import { isSignedIn, isStaff, privacyDefaults, type Privacy, type Viewer } from "#community/rules";
import { createPropertyColumns } from "./user-property-columns.ts";
import {
  columnRef,
  commonColumns,
  compoundIdColumn,
  dateColumn,
  toOne,
  type SqlFragment,
  type ApiEntity,
  idColumn,
  toMany,
  stringColumn,
  textColumn,
} from "./entity.ts";

/** Selects a value from the row's person `p`. */
const fromPerson = (what: (viewer: Viewer) => SqlFragment) => (viewer: Viewer, alias: string) =>
  sql`(select ${what(viewer)} from people p where p.id = ${columnRef(alias, "object_id")})`;

/** A profile field, readable for the people to whom its owner shows it. */
const profileColumn = (
  column: "pronouns" | "location" | "bio_md",
  key: keyof Privacy & ("pronouns" | "location" | "bio"),
) =>
  fromPerson((viewer) => {
    const audience = sql<string>`coalesce(p.privacy ->> ${key}, ${privacyDefaults[key]})`;
    return sql`case when ${isFieldReadable(viewer, audience, "p")} then ${columnRef("p", column)} end`;
  });

/** A column readable for the person and staff. */
const staffOrOwn = (column: string) => (viewer: Viewer, alias: string) =>
  isStaff(viewer)
    ? columnRef(alias, column)
    : sql`case when ${columnRef(alias, "object_id")} = ${viewer.id}::uuid then ${columnRef(alias, column)} end`;

const sharesPresence = sql`coalesce((p.privacy ->> 'showOnline')::boolean, ${privacyDefaults.showOnline})`;
const lastSeen = fromPerson(
  (viewer) =>
    sql`case when p.id is not distinct from ${viewer.id}::uuid
      or (${sharesPresence} and ${isFieldReadable(viewer, sql<string>`'everyone'`, "p")}) then p.seen_at end`,
);

/** Account data, readable in the API for the person and admins. */
const adminOrOwn = (what: string | SqlFragment) => (viewer: Viewer, alias: string) => {
  const it = typeof what === "string" ? columnRef(alias, what) : what;
  return viewer.role === "admin"
    ? it
    : sql`case when ${columnRef(alias, "object_id")} = ${viewer.id}::uuid then ${it} end`;
};
const providerColumn = (alias: string) =>
  sql`(select upper(i.provider) from provider_identities i where i.person_id = ${columnRef(alias, "object_id")}
    order by i.linked_at limit 1)`;

/** Columns whose name in the view differs. */
const VIEW_COLUMNS: Record<string, string> = {
  blUserLocale: "locale",
  lastLogin: "seen_at",
  socialAccount: "object_id",
};

/** The state of the account as the API names it. */
const STATUS_COLUMN = sql`case when p.state in ('active', 'limited', 'ghost') then 'ENABLED'
  when p.state = 'guest' then 'GUEST'
  when p.state in ('unverified', 'pending_approval') then 'EMAIL_CONFIRMATION_PENDING' else 'DISABLED' end`;

/**
 * Condition: the viewer gets the person in lists. Members get people in the directory, friends, and members
 * of their groups; staff get all but erased accounts, guests only public profiles.
 */
function isListed(viewer: Viewer): SqlFragment {
  if (isStaff(viewer)) return sql`p.state <> 'erased'`;
  if (!isSignedIn(viewer))
    return sql`(coalesce(p.privacy ->> 'profile', ${privacyDefaults.profile}) = 'everyone'
      and ${guestVisibilitySetting} = 'public')`;
  return sql`(coalesce((p.privacy ->> 'inDirectory')::boolean, ${privacyDefaults.inDirectory})
    or p.id in (${friendIds(sql`${viewer.id}::uuid`)})
    or exists (select from memberships mine
      join memberships theirs on theirs.group_id = mine.group_id and theirs.state = 'member'
      where mine.person_id = ${viewer.id}::uuid and mine.state = 'member' and theirs.person_id = p.id))`;
}

export const Users: ApiEntity = {
  name: "Users",
  view: "users",
  about:
    "People that the viewer may know of. Profile fields are limited by their owner's privacy settings; " +
    "the email address is visible to its owner and staff.",
  columns: [
    ...commonColumns(idColumn("objectId")),
    stringColumn("name"),
    stringColumn("username"),
    stringColumn("role"),
    stringColumn("email", staffOrOwn("email")),
    stringColumn("userStatus", (viewer, alias) =>
      isStaff(viewer)
        ? fromPerson(() => STATUS_COLUMN)(viewer, alias)
        : fromPerson(() => sql`case when p.id = ${viewer.id}::uuid then ${STATUS_COLUMN} end`)(viewer, alias),
    ),
    stringColumn("blUserLocale", staffOrOwn("locale")),
    stringColumn("pronouns", profileColumn("pronouns", "pronouns")),
    stringColumn("location", profileColumn("location", "location")),
    textColumn("bio", profileColumn("bio_md", "bio")),
    idColumn("photoId"),
    dateColumn("seenAt", lastSeen),
    { ...dateColumn("lastLogin", adminOrOwn("seen_at")), ofRow: true },
    stringColumn("socialAccount", (viewer, alias) => adminOrOwn(providerColumn(alias))(viewer, alias)),
  ].map((it) => ({ ...it, sqlName: VIEW_COLUMNS[it.name] ?? it.sqlName })),
  more: createPropertyColumns,
  stamp: sql`coalesce((select string_agg(name || ' ' || type, ',' order by name) from person_properties),
    '')`,
  relations: [
    toMany("memberships", "Memberships", "person_id"),
    toMany("discussions", "Discussions", "owner_id"),
    toMany("posts", "Posts", "owner_id"),
    toMany("resources", "Resources", "owner_id"),
  ],
  visible: (viewer, alias) => sql`exists (select from people p where p.id = ${columnRef(alias, "object_id")}
    and (p.id is not distinct from ${viewer.id}::uuid
      or (${isPersonVisible(viewer, "p")} and ${isListed(viewer)})))`,
};

/** The other person of the friendship. */
const otherPerson = (viewer: Viewer, alias: string): SqlFragment =>
  sql`case when ${columnRef(alias, "low_id")} = ${viewer.id}::uuid then ${columnRef(alias, "high_id")}
    else ${columnRef(alias, "low_id")} end`;

export const Friendships: ApiEntity = {
  name: "Friendships",
  view: "friendships",
  about: "Your friends and pending requests. To its sender, a declined request looks pending.",
  columns: [
    // The time at which a request was answered is hidden until both are friends.
    ...commonColumns(
      compoundIdColumn(["low_id", "id"], ["high_id", "id"]),
      undefined,
      (_viewer, alias) =>
        sql`case when ${columnRef(alias, "state")} = 'friends' then ${columnRef(alias, "updated")} end`,
    ),
    idColumn("personId", otherPerson),
    stringColumn(
      "state",
      (viewer, alias) => sql`case when ${columnRef(alias, "state")} = 'friends' then 'friends'
        when ${columnRef(alias, "owner_id")} is not distinct from ${viewer.id}::uuid then 'sent'
        else 'received' end`,
    ),
    stringColumn("note"),
  ],
  relations: [],
  visible: (viewer, alias) => sql`exists (select from friendships f
    where f.low_id = ${columnRef(alias, "low_id")} and f.high_id = ${columnRef(alias, "high_id")}
      and ${isFriendshipVisible(viewer, "f")})`,
};

export const Blocks: ApiEntity = {
  name: "Blocks",
  view: "blocks",
  about: "People you block. No one can see who blocks them.",
  columns: [
    ...commonColumns(compoundIdColumn(["owner_id", "id"], ["person_id", "id"])),
    idColumn("personId"),
  ],
  relations: [toOne("person", "Users", "person_id")],
  visible: (viewer, alias) => sql`${columnRef(alias, "owner_id")} is not distinct from ${viewer.id}::uuid`,
};
