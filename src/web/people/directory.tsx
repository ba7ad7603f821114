import { groupsOf } from "#community/groups";
import { directory, fieldsToAskBy } from "#community/people";
import { LIMITS } from "#community/rules";
import { membersOnly } from "../auth.ts";
import { asked } from "../forms.ts";
import { ButtonLink, Empty, NextPage, PageHead, pageMeta, Tag, Time, SearchIn } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { reading } from "../visit.ts";
import { Rich, useWords } from "../words/index.ts";
import type { Route } from "./+types/directory";
import { DirectoryFilters, type Filters } from "./directory-filters.tsx";
import { PersonRow } from "./person-row.tsx";

export const middleware = [membersOnly];

/** The query in the URL. */
const filtersIn = (url: URL): Filters => ({
  search: asked(url, "search"),
  group: asked(url, "group", 40),
  location: asked(url, "location", 80),
  says: Object.fromEntries(
    [...new Set(url.searchParams.keys())]
      .filter((name) => name.startsWith("says-"))
      .slice(0, LIMITS.profileFields.count)
      .map((name) => [name.slice(5), asked(url, name)])
      .filter(([, wanted]) => wanted !== ""),
  ),
});

export const loader = reading(async ({ db, viewer, url }) => {
  const filters = filtersIn(url);
  const { search, location, says } = filters;
  const [found, fields, { rows }] = await Promise.all([
    directory(db, viewer, { search, location, says, groupId: filters.group || undefined, after: asked(url, "after", 1000) || null }),
    fieldsToAskBy(db, viewer),
    groupsOf(db, viewer, viewer.id ?? "", {}),
  ]);
  return {
    ...found,
    filters,
    fields: fields.map(({ id, label, kind, choices }) => ({ id, label, kind, choices })),
    groups: rows.map(({ id, name }) => ({ id, name })),
  };
});

/** All parameters but the name. */
const addressed = ({ group, location, says }: Filters) => ({
  group,
  location,
  ...Object.fromEntries(Object.entries(says).map(([id, wanted]) => [`says-${id}`, wanted])),
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("People"), hidden: true }));

export default function Directory({ loaderData: { filters, fields, groups, people, next } }: Route.ComponentProps) {
  const t = useWords();
  const { search } = filters;
  const narrowed = Boolean(filters.group || filters.location || Object.keys(filters.says).length);
  return (
    <>
      <PageHead
        title={t("People")}
        lead={t("Everybody here who wants to be found.")}
        actions={<ButtonLink to={urls.friends()}>{t("Your friends")}</ButtonLink>}
      />
      <SearchIn label={t("Search people")} hint={t("Name or user name")} search={search} keeping={addressed(filters)} className="mb-2" />
      <DirectoryFilters filters={filters} fields={fields} groups={groups} />
      {people.length > 0 && (
        <ul>
          {people.map((person) => (
            <PersonRow key={person.id} person={person} line={<Line person={person} />} />
          ))}
        </ul>
      )}
      {people.length === 0 && (
        <div className="mt-5">
          <Empty
            title={
              narrowed
                ? t("Nobody is like that, as far as you can see.")
                : search
                  ? t("Nobody is called “{search}”.", { search })
                  : t("Nobody is here yet.")
            }
            action={(search || narrowed) && <ButtonLink to={urls.people()}>{t("Show everybody")}</ButtonLink>}
          >
            {search && !narrowed && t("The search looks at the beginnings of names and user names.")}
          </Empty>
        </div>
      )}
      <NextPage to={next && urls.people({ search, ...addressed(filters), after: next })} />
    </>
  );
}

function Line({ person }: { person: Route.ComponentProps["loaderData"]["people"][number] }) {
  const t = useWords();
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span>
        <Rich text="Here since <0></0>" parts={[<Time at={person.joinedAt} />]} />
      </span>
      {person.role !== "member" && <Tag>{person.role === "admin" ? t("Admin") : t("Moderator of this place")}</Tag>}
    </span>
  );
}
