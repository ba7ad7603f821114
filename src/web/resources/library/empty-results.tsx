import type { ResourceFacets } from "#community/resources";
import { ButtonLink, EmptyState } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useResourceKindLabels } from "./resource-kinds.tsx";
import type { LibraryFilter, LibraryFilters } from "./library-query.ts";

type Props = { looking: LibraryFilters; facets: ResourceFacets; hiding: LibraryFilter[]; canAdd: boolean };

/**
 * Shown when no resources are found: names the filters that exclude all resources. In an empty library,
 * explains what the library is for.
 */
export function EmptyResults({ looking, facets, hiding, canAdd }: Props) {
  const t = useTranslate();
  const kinds = useResourceKindLabels();
  const { kind, tag, group, collection, language, owner, year, dead, mine, search } = looking;
  const without: Record<LibraryFilter, string> = {
    kind: t("Not only {kind}", { kind: kind ? kinds.many[kind] : "" }),
    tag: t("Without the tag “{tag}”", { tag }),
    group: t("Outside {group} too", {
      group: facets.groups.find((it) => it.value === group)?.label ?? t("this group"),
    }),
    collection: t("Outside this collection too"),
    language: t("Any language"),
    owner: t("Added by anyone"),
    year: t("Any year"),
    dead: t("Show all links, not only broken ones"),
    mine: t("Show all, not only my bookmarks"),
    search: t("Without “{search}”", { search }),
  };
  const narrowed = [kind, tag, group, collection, language, owner, year, dead, search].some(
    (value) => value !== undefined,
  );
  if (!narrowed && mine) return <NoBookmarks />;
  if (!narrowed)
    return (
      <div className="mt-4">
        <EmptyState
          title={t("The library is empty.")}
          action={
            canAdd && (
              <ButtonLink kind="primary" to={urls.newResource()}>
                {t("Add the first resource")}
              </ButtonLink>
            )
          }
        >
          {t("A place for what is worth coming back to: links, documents and files.")}
        </EmptyState>
      </div>
    );
  return (
    <div className="mt-4">
      <EmptyState
        title={t("No results.")}
        action={
          <span className="flex flex-wrap justify-center gap-2">
            {hiding.map((name) => (
              <ButtonLink key={name} to={urls.resources({ ...looking, [name]: undefined })}>
                {without[name]}
              </ButtonLink>
            ))}
            <ButtonLink to={urls.resources()}>{t("Whole library")}</ButtonLink>
          </span>
        }
      >
        {hiding.length > 0 ? t("Results without one of the filters:") : t("Try fewer filters.")}
      </EmptyState>
    </div>
  );
}

/** Shown to a reader without bookmarks if the library has resources. */
function NoBookmarks() {
  const t = useTranslate();
  return (
    <div className="mt-4">
      <EmptyState
        title={t("You have no bookmarked resources yet.")}
        action={<ButtonLink to={urls.resources()}>{t("Whole library")}</ButtonLink>}
      >
        {t("“Bookmark” on a resource adds it here. Only you see your bookmarks.")}
      </EmptyState>
    </div>
  );
}
