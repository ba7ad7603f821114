import type { ResourceFacets } from "#community/resources";
import { ButtonLink, EmptyState } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useResourceKindLabels } from "./resource-kinds.tsx";
import type { LibraryFilter, LibraryFilters } from "./library-query.ts";

type Props = { looking: LibraryFilters; facets: ResourceFacets; hiding: LibraryFilter[]; mayAdd: boolean };

/** Names the filters that hide results; for an empty library, what it is for. */
export function EmptyResults({ looking, facets, hiding, mayAdd }: Props) {
  const t = useTranslate();
  const kinds = useResourceKindLabels();
  const { kind, tag, group, collection, language, keeper, year, dead, mine, search } = looking;
  const without: Record<LibraryFilter, string> = {
    kind: t("Not only {kind}", { kind: kind ? kinds.many[kind] : "" }),
    tag: t("Without the tag “{tag}”", { tag }),
    group: t("Not only from {group}", { group: facets.groups.find((it) => it.value === group)?.label ?? t("this group") }),
    collection: t("Not only this shelf"),
    language: t("In any language"),
    keeper: t("Kept by anybody"),
    year: t("From any year"),
    dead: t("Not only links that lead nowhere"),
    mine: t("Not only my bookmarks"),
    search: t("Without “{search}”", { search }),
  };
  const narrowed = [kind, tag, group, collection, language, keeper, year, dead, search].some((value) => value !== undefined);
  if (!narrowed && mine) return <NoBookmarks />;
  if (!narrowed)
    return (
      <div className="mt-4">
        <EmptyState
          title={t("The library is empty.")}
          action={
            mayAdd && (
              <ButtonLink kind="primary" to={urls.newResource()}>
                {t("Add the first resource")}
              </ButtonLink>
            )
          }
        >
          {t("Here is room for what is worth coming back to: a link with a reason, a page you write, a file.")}
        </EmptyState>
      </div>
    );
  return (
    <div className="mt-4">
      <EmptyState
        title={t("Nothing matches all of this.")}
        action={
          <span className="flex flex-wrap justify-center gap-2">
            {hiding.map((name) => (
              <ButtonLink key={name} to={urls.resources({ ...looking, [name]: undefined })}>
                {without[name]}
              </ButtonLink>
            ))}
            <ButtonLink to={urls.resources()}>{t("The whole library")}</ButtonLink>
          </span>
        }
      >
        {hiding.length > 0 ? t("One filter less brings something to light:") : t("Try fewer filters.")}
      </EmptyState>
    </div>
  );
}

/** For a reader without bookmarks, in a library that is not empty. */
function NoBookmarks() {
  const t = useTranslate();
  return (
    <div className="mt-4">
      <EmptyState
        title={t("You have bookmarked nothing here yet.")}
        action={<ButtonLink to={urls.resources()}>{t("The whole library")}</ButtonLink>}
      >
        {t("“Bookmark” on the page of a resource puts it here, where only you see it.")}
      </EmptyState>
    </div>
  );
}
