import { listGroupsOfPerson } from "#community/groups";
import { listDirectory, listSearchableFields } from "#community/accounts";
import { LIMITS } from "#community/rules";
import { requireMember } from "../auth-middleware.ts";
import { readQueryParam } from "../form-parsing.ts";
import { ButtonLink, EmptyState, NextPageLink, PageHeader, pageMeta, ListSearch } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/directory-page";
import { DirectoryFilters, type DirectoryQuery } from "./directory-filters.tsx";
import { DirectoryCard } from "./directory-card.tsx";

export const middleware = [requireMember];

/** Reads the directory query from the URL. */
const readDirectoryQuery = (url: URL): DirectoryQuery => ({
  search: readQueryParam(url, "search"),
  group: readQueryParam(url, "group", 40),
  location: readQueryParam(url, "location", 80),
  answers: Object.fromEntries(
    [...new Set(url.searchParams.keys())]
      .filter((name) => name.startsWith("says-"))
      .slice(0, LIMITS.profileFields.count)
      .map((name) => [name.slice(5), readQueryParam(url, name)])
      .filter(([, wanted]) => wanted !== ""),
  ),
});

export const loader = defineLoader(async ({ db, viewer, url }) => {
  const filters = readDirectoryQuery(url);
  const { search, location, answers } = filters;
  const [found, fields, { rows }] = await Promise.all([
    listDirectory(db, viewer, {
      search,
      location,
      answers,
      groupId: filters.group || undefined,
      after: readQueryParam(url, "after", 1000) || null,
    }),
    listSearchableFields(db, viewer),
    listGroupsOfPerson(db, viewer, viewer.id ?? "", {}),
  ]);
  return {
    ...found,
    filters,
    fields: fields.map(({ id, label, kind, choices }) => ({ id, label, kind, choices })),
    groups: rows.map(({ id, name }) => ({ id, name })),
  };
});

/** Query parameters of the filters, without the name. */
const toSearchParams = ({ group, location, answers }: DirectoryQuery) => ({
  group,
  location,
  ...Object.fromEntries(Object.entries(answers).map(([id, wanted]) => [`says-${id}`, wanted])),
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("People"),
  hidden: true,
}));

export default function Directory({
  loaderData: { filters, fields, groups, people, next },
}: Route.ComponentProps) {
  const t = useTranslate();
  const { search } = filters;
  const narrowed = Boolean(filters.group || filters.location || Object.keys(filters.answers).length);
  return (
    <>
      <PageHeader
        title={t("People")}
        lead={t("All members in the directory.")}
        actions={<ButtonLink to={urls.friends()}>{t("Your friends")}</ButtonLink>}
      />
      <ListSearch
        label={t("Search members")}
        hint={t("Name or username")}
        search={search}
        hiddenFields={toSearchParams(filters)}
        className="mb-2"
      />
      <DirectoryFilters filters={filters} fields={fields} groups={groups} />
      {people.length > 0 && (
        <ul className="mt-4 grid grid-cols-1 gap-4 phone:grid-cols-2">
          {people.map((person) => (
            <DirectoryCard key={person.id} person={person} />
          ))}
        </ul>
      )}
      {people.length === 0 && (
        <div className="mt-5">
          <EmptyState
            title={
              narrowed
                ? t("No members match.")
                : search
                  ? t("No members match “{search}”.", { search })
                  : t("No members yet.")
            }
            action={
              (search || narrowed) && <ButtonLink to={urls.people()}>{t("Show all members")}</ButtonLink>
            }
          >
            {search && !narrowed && t("Searches the beginnings of names and usernames.")}
          </EmptyState>
        </div>
      )}
      <NextPageLink to={next && urls.people({ search, ...toSearchParams(filters), after: next })} />
    </>
  );
}
