import { Plus } from "lucide-react";
import { collectionsFor, resourceFacets, resourcesFor, shelfFor } from "#community/resources";
import { isSignedIn, shelfRules } from "#community/rules";
import { Refusal } from "#platform/refusal";
import { asked } from "../forms.ts";
import { ButtonLink, NextPage, PageHead, pageMeta } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { reading, showing } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/resources";
import { Facets } from "./facets.tsx";
import { hidingFilters, type Looking, lookingFor } from "./looking-for.ts";
import { NothingFound } from "./nothing-found.tsx";
import { ResourceLine } from "./resource-line.tsx";
import { Shelves } from "./shelves.tsx";

export const loader = reading(async ({ db, viewer, visit, url }) => {
  showing(visit, "settings", "resources", "people", "groups");
  const looking = lookingFor(url);
  const { group, search } = looking;
  const [page, facets, shelves] = await Promise.all([
    resourcesFor(db, viewer, { ...looking, after: asked(url, "after", 1000) }),
    resourceFacets(db, viewer, { group, search }),
    isWide(looking) ? collectionsFor(db, viewer, {}) : [],
  ]);
  const shelf = looking.collection === undefined ? null : await shelfFor(db, viewer, looking.collection).catch(nothing);
  const hiding = page.rows.length === 0 ? await hidingFilters(db, viewer, looking) : [];
  return {
    looking,
    ...page,
    facets,
    shelves,
    shelf: shelf && { id: shelf.id, title: shelf.title, about: shelf.about, mayCurate: shelfRules.curate(viewer, shelf) },
    hiding,
    mayAdd: isSignedIn(viewer) && !viewer.limited,
    mayMakeShelf: shelfRules.make(viewer, null),
  };
});

/** A collection the viewer cannot see counts as empty. */
function nothing(error: unknown) {
  if (error instanceof Refusal) return null;
  throw error;
}

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ looking }, t) => ({
  title: t("Resources"),
  description: t("What this community keeps: links, documents and files worth coming back to."),
  ...(isWide(looking) ? { canonical: urls.resources() } : { hidden: true }),
}));

/** The whole library, without filters. */
const isWide = (looking: Looking) => Object.values(looking).every((value) => value === undefined);

export default function Resources({ loaderData }: Route.ComponentProps) {
  const { looking, rows, next, facets, shelves, shelf, hiding, mayAdd, mayMakeShelf } = loaderData;
  const t = useWords();
  return (
    <>
      <PageHead
        title={shelf ? <span dir="auto">{shelf.title}</span> : t("Resources")}
        lead={shelf ? <span dir="auto">{shelf.about}</span> : t("What we keep: links, documents and files worth coming back to.")}
        actions={
          <>
            {shelf && <ButtonLink to={urls.resources()}>{t("The whole library")}</ButtonLink>}
            {shelf?.mayCurate && <ButtonLink to={urls.shelf(shelf.id)}>{t("Put it in order")}</ButtonLink>}
            {!shelf && mayMakeShelf && <ButtonLink to={urls.newShelf()}>{t("A new shelf")}</ButtonLink>}
            {mayAdd && (
              <ButtonLink kind="primary" to={urls.newResource({ group: looking.group })} data-compose>
                <Plus size={16} strokeWidth={1.75} aria-hidden />
                {t("Add a resource")}
              </ButtonLink>
            )}
          </>
        }
      />
      {isWide(looking) && shelves.length > 0 && <Shelves shelves={shelves} />}
      <Facets looking={looking} facets={facets} />
      <h2 className="sr-only">{t("The library")}</h2>
      {rows.length > 0 ? (
        <ul className="mt-2">
          {rows.map((row) => (
            <ResourceLine key={row.id} row={row} />
          ))}
        </ul>
      ) : (
        <NothingFound looking={looking} facets={facets} hiding={hiding} mayAdd={mayAdd} />
      )}
      <NextPage to={next && urls.resources({ ...looking, after: next })} />
    </>
  );
}
