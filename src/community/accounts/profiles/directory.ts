import { type Db, limit, many, one, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { createExcerpt } from "#platform/markup";
import { Refusal } from "#platform/refusal";
import { personColumns, type PersonCard, toStorableText } from "#community/common";
import { isSignedIn, LIMITS, privacyDefaults, type Viewer } from "#community/rules";
import { hasMatchingAnswer } from "../profile-fields/profile-field-visibility.ts";
import { blockedEitherWay, isFieldReadable, isPersonVisible } from "./people-visibility.ts";

const PAGE_SIZE = LIMITS.page.people;
/** Maximum characters of a biography's HTML from which the excerpt is made. */
const MAX_BIO_LENGTH = 1_000;
const EXCERPT_LENGTH = 140;

export type DirectoryEntry = PersonCard & {
  role: "member" | "moderator" | "admin";
  joinedAt: Date;
  /** Empty if the viewer may not read the pronouns; `location` and `excerpt` likewise. */
  pronouns: string;
  location: string;
  /** Beginning of the biography as plain text. */
  excerpt: string;
};
export type DirectoryQuery = {
  search?: string | undefined;
  after?: string | null | undefined;
  /** Only members of this group, if the viewer is a member too. */
  groupId?: string | undefined;
  location?: string | undefined;
  /** Only people with these answers, by profile field id. */
  answers?: Record<string, string>;
};

/**
 * A page of listed people by name; `after` is the `next` of the previous page. Details hidden from the viewer
 * never match.
 * @throws `not-signed-in` for guests
 */
export async function listDirectory(
  db: Db,
  viewer: Viewer,
  { search, after, groupId, location, answers = {} }: DirectoryQuery,
): Promise<{ people: DirectoryEntry[]; next: string | null }> {
  if (!isSignedIn(viewer)) throw new Refusal("not-signed-in", "Sign in to see the members.");
  const from = readCursor(after ?? null);
  // One row more than the page: its presence shows that there is a next page.
  const rows = await many(
    db,
    sql<Omit<DirectoryEntry, "excerpt"> & { bioHtml: string; place: string }>`
    select ${personColumns("p")}, p.site_role as role, p.created_at as "joinedAt",
      ${readableField(viewer, "pronouns", sql`p.pronouns`)} as pronouns,
      ${readableField(viewer, "location", sql`p.location`)} as location,
      ${readableField(viewer, "bio", sql`left(p.bio_html, ${MAX_BIO_LENGTH})`)} as "bioHtml",
      lower(p.display_name) as place
    from people p
    where p.state in ('active', 'limited') and coalesce((p.privacy ->> 'inDirectory')::boolean, true)
      and ${isPersonVisible(viewer, "p")} and not ${blockedEitherWay(viewer, "p")} and ${nameMatches(search)}
      ${groupId ? sql`and ${inGroupCondition(viewer, groupId)}` : sql``} ${
        location
          ? sql`and
        ${locationMatches(viewer, location)}`
          : sql``
      }
      ${sql.join(
        Object.entries(answers)
          .filter(([id]) => isId(id))
          .map(
            ([id, wanted]) =>
              sql`and ${hasMatchingAnswer(viewer, id, toStorableText(wanted).slice(0, 200), "p")}`,
          ),
        sql` `,
      )}
      ${from ? sql`and (lower(p.display_name), p.id) > (${from.name}, ${from.id}::uuid)` : sql``}
    order by lower(p.display_name), p.id ${limit(PAGE_SIZE + 1)}`,
  );
  const people = rows.slice(0, PAGE_SIZE).map(({ place: _, bioHtml, ...person }) => ({
    ...person,
    excerpt: createExcerpt(bioHtml, EXCERPT_LENGTH),
  }));
  const last = rows[PAGE_SIZE - 1];
  return {
    people,
    next:
      rows.length > PAGE_SIZE && last
        ? Buffer.from(JSON.stringify([last.place, last.id])).toString("base64url")
        : null,
  };
}

/** Number of open accounts. Available to all, since it names no one. */
export const countPeople = async (db: Db): Promise<number> =>
  (
    await one(
      db,
      sql<{ n: number }>`select count(*)::int as n from people p where p.state in ('active', 'limited')`,
    )
  ).n;

/** Matches prefixes of the username or of any word of the name. */
function nameMatches(search: string | undefined) {
  const words = toStorableText(search ?? "")
    .trim()
    .toLowerCase()
    .replace(/^@/, "")
    .slice(0, 100);
  if (words === "") return sql<boolean>`true`;
  const start = `${words.replace(/[\\%_]/g, "\\$&")}%`;
  return sql<boolean>`(p.username like ${start} or lower(p.display_name) like ${start}
    or lower(p.display_name) like ${`% ${start}`})`;
}

const inGroupCondition = (viewer: Viewer, groupId: string) =>
  isId(groupId)
    ? sql<boolean>`exists (select from memberships theirs
      join memberships mine on mine.group_id = theirs.group_id
        and mine.person_id = ${viewer.id} and mine.state = 'member'
        where theirs.group_id = ${groupId}::uuid and theirs.person_id = p.id and theirs.state = 'member')`
    : sql<boolean>`false`;

const fieldAudience = (field: "pronouns" | "location" | "bio") =>
  sql<string>`coalesce(p.privacy ->> ${field}, ${privacyDefaults[field]})`;

/** The field's text, or an empty text if the viewer may not read the field. */
const readableField = (
  viewer: Viewer,
  field: "pronouns" | "location" | "bio",
  text: ReturnType<typeof sql>,
) => sql<string>`case when ${isFieldReadable(viewer, fieldAudience(field), "p")} then ${text} else '' end`;

function locationMatches(viewer: Viewer, location: string) {
  const within = `%${toStorableText(location)
    .toLowerCase()
    .slice(0, 80)
    .replace(/[\\%_]/g, "\\$&")}%`;
  return sql<boolean>`(lower(p.location) like ${within}
    and ${isFieldReadable(viewer, fieldAudience("location"), "p")})`;
}

/** Reads a cursor made by this list; any other text starts at the beginning. */
function readCursor(after: string | null): { name: string; id: string } | null {
  if (after === null) return null;
  try {
    const [name, id]: unknown[] = JSON.parse(Buffer.from(after, "base64url").toString());
    return typeof name === "string" && typeof id === "string" && isId(id)
      ? { name: toStorableText(name), id }
      : null;
  } catch {
    return null;
  }
}
