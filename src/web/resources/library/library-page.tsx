import { listCollections, getResourceFacets, listResources, getCollection } from "#community/resources";
import { isSignedIn, collectionRules } from "#community/rules";
import { Refusal } from "#platform/refusal";
import { feedLinkTag } from "../../head-tags.ts";
import { readQueryParam } from "../../form-parsing.ts";
import { ButtonLink, NextPageLink, PageHeader, pageMeta } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineLoader, addCacheTags } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/library-page";
import { Facets } from "./facets.tsx";
import { listEmptyingFilters, type LibraryFilters, readLibraryFilters } from "./library-query.ts";
import { EmptyResults } from "./empty-results.tsx";
import { ResourceRow } from "./resource-row.tsx";
import { CollectionList } from "../collections/collection-list.tsx";

export const loader = defineLoader(async ({ db, viewer, ctx, app, url }) => {
  addCacheTags(ctx, "settings", "resources", "people", "groups");
  ctx.head = feedLinkTag(app.origin(), urls.resources());
  const filters = readLibraryFilters(url);
  const { group, search } = filters;
  const [page, facets, collections] = await Promise.all([
    listResources(db, viewer, { ...filters, after: readQueryParam(url, "after", 1000) }),
    getResourceFacets(db, viewer, { group, search }),
    isUnfiltered(filters) ? listCollections(db, viewer, {}) : [],
  ]);
  const collection =
    filters.collection === undefined
      ? null
      : await getCollection(db, viewer, filters.collection).catch(nullOnRefusal);
  const hiding = page.rows.length === 0 ? await listEmptyingFilters(db, viewer, filters) : [];
  return {
    looking: filters,
    ...page,
    facets,
    collections,
    collection: collection && {
      id: collection.id,
      title: collection.title,
      about: collection.about,
      canCurate: collectionRules.curate(viewer, collection),
    },
    hiding,
    canAdd: isSignedIn(viewer) && !viewer.limited,
    canMakeCollection: collectionRules.make(viewer, null),
  };
});

/** Returns null for a collection that the viewer may not see. */
function nullOnRefusal(error: unknown) {
  if (error instanceof Refusal) return null;
  throw error;
}

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ looking }, t) => ({
  title: t("Resources"),
  description: t("The community's links, documents and files worth coming back to."),
  ...(isUnfiltered(looking) ? { canonical: urls.resources() } : { hidden: true }),
}));

/** Whether the whole library is listed, without filters. */
const isUnfiltered = (filters: LibraryFilters) =>
  Object.values(filters).every((value) => value === undefined);

export default function LibraryPage({ loaderData }: Route.ComponentProps) {
  const { looking, rows, next, facets, collections, collection, hiding, canAdd, canMakeCollection } =
    loaderData;
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={collection ? <span dir="auto">{collection.title}</span> : t("Resources")}
        lead={
          collection ? (
            <span dir="auto">{collection.about}</span>
          ) : (
            t("Links, documents and files worth coming back to.")
          )
        }
        actions={
          <>
            {collection && <ButtonLink to={urls.resources()}>{t("Whole library")}</ButtonLink>}
            {collection?.canCurate && (
              <ButtonLink to={urls.collection(collection.id)}>{t("Edit order")}</ButtonLink>
            )}
            {!collection && canMakeCollection && (
              <ButtonLink to={urls.newCollection()}>{t("New collection")}</ButtonLink>
            )}
            {canAdd && (
              <ButtonLink kind="primary" to={urls.newResource({ group: looking.group })} data-compose>
                <i className="icon icon-plus size-4" />
                {t("Add resource")}
              </ButtonLink>
            )}
          </>
        }
      />
      {isUnfiltered(looking) && collections.length > 0 && <CollectionList collections={collections} />}
      <Facets looking={looking} facets={facets} />
      <h2 className="sr-only">{t("Library")}</h2>
      {rows.length > 0 ? (
        <ul className="mt-2">
          {rows.map((row) => (
            <ResourceRow key={row.id} row={row} />
          ))}
        </ul>
      ) : (
        <EmptyResults looking={looking} facets={facets} hiding={hiding} canAdd={canAdd} />
      )}
      <NextPageLink to={next && urls.resources({ ...looking, after: next })} />
    </>
  );
}
