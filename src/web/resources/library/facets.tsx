import type { ResourceFacets } from "#community/resources";
import type { ResourceKind } from "#community/rules";
import { Tabs, ListSearch, useRootData } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { ListFilter } from "../../ui/navigation/list-filter.tsx";
import { useResourceKindLabels } from "./resource-kinds.tsx";
import { MoreFilters } from "./more-filters.tsx";
import type { LibraryFilters } from "./library-query.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { SortMenu } from "../../ui/menus/sort-menu.tsx";

type Props = { looking: LibraryFilters; facets: ResourceFacets };

/** Search, kinds and other filters; each option is a link with its count. */
export function Facets({ looking, facets }: Props) {
  const t = useTranslate();
  const kinds = useResourceKindLabels();
  const signedIn = useRootData().me !== null;
  const ofKind = (kind: ResourceKind) => facets.kinds.find((it) => it.value === kind)?.count ?? 0;
  return (
    <section aria-label={t("Search", undefined, "noun")}>
      <SearchForm looking={looking} />
      <div className="mt-3">
        <Tabs
          label={t("Filter by kind")}
          tabs={[
            { to: urls.resources({ ...looking, kind: undefined }), label: t("All"), current: !looking.kind },
            ...(["link", "document", "file", "image", "video"] as const).map((kind) => ({
              to: urls.resources({ ...looking, kind }),
              label: kinds.many[kind],
              current: looking.kind === kind,
              count: ofKind(kind),
            })),
          ]}
        />
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-1">
        <ListFilter
          label={t("Tag")}
          chosen={looking.tag}
          choices={facets.tags}
          to={(tag) => urls.resources({ ...looking, tag })}
        />
        <ListFilter
          label={t("Group")}
          chosen={facets.groups.find((it) => it.value === looking.group)?.label ?? looking.group}
          choices={facets.groups}
          to={(group) => urls.resources({ ...looking, group })}
        />
        <MoreFilters looking={looking} facets={facets} />
        {signedIn && (
          <Link
            to={urls.resources({ ...looking, mine: looking.mine ? undefined : "yes" })}
            className="button"
            data-kind={looking.mine ? undefined : "quiet"}
            aria-current={looking.mine ? "true" : undefined}
            preventScrollReset
          >
            {t("My bookmarks")}
            {looking.mine && <i className="icon icon-x size-3.5" />}
          </Link>
        )}
        <SortLinks looking={looking} />
      </div>
    </section>
  );
}

function SearchForm({ looking }: { looking: LibraryFilters }) {
  const t = useTranslate();
  const { search, ...rest } = looking;
  return (
    <ListSearch
      label={t("Search the library")}
      hint={t("Search resources")}
      search={search}
      hiddenFields={rest}
    />
  );
}

function SortLinks({ looking }: { looking: LibraryFilters }) {
  const t = useTranslate();
  const names = {
    newest: t("Newest first"),
    kept: t("Most bookmarked"),
    talked: t("Latest comments"),
    discussed: t("Most discussed"),
    title: t("Name"),
  };
  const to = (sort: keyof typeof names) =>
    urls.resources({ ...looking, sort: sort === "newest" ? undefined : sort });
  return <SortMenu names={names} now={looking.sort ?? "newest"} to={to} />;
}
