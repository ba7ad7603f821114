import { Form, redirect } from "react-router";
import {
  deleteSavedSearch,
  clearRecentSearches,
  MAX_RESULT_PAGES,
  loadSearchPage,
  NewSavedSearch,
  recordSearchMiss,
  parseSearchInput,
  recordRecentSearch,
  getSavedSearch,
  saveSearch,
  listOwnSearches,
  SearchAlertSetting,
  setSearchAlert,
  formatSearchInput,
} from "#community/search";
import { isSignedIn, type Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { z } from "zod";
import { readQueryParam, parseForm, chooseAction } from "../form-parsing.ts";
import type { WebContext } from "../web-context.ts";
import type { ShellHandle } from "../layouts/default.tsx";
import { ButtonLink, EmptyState, NextPageLink, PageHeader, pageMeta, RefusalNotice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineAction, defineLoader, addCacheTags, type RequestContext } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/search-page";
import { SearchFields } from "./search-fields.tsx";
import { SavedSearches } from "./saved-searches.tsx";
import { SearchFilters, SearchTabs, ResultSections } from "./search-results.tsx";
import { createSearchLinks, addFieldOperators } from "./search-links.ts";

const A_MINUTE = 60;
const MEMBER_LIMIT = { points: 30, seconds: A_MINUTE };
const GUEST_LIMIT = { points: 15, seconds: A_MINUTE };

export const loader = defineLoader(async ({ ctx, viewer, db, app, url }) => {
  const saved = readQueryParam(url, "saved", 36);
  if (saved)
    throw redirect(urls.search({ q: withNewestFirst((await getSavedSearch(db, viewer, saved)).asked) }));
  const q = addFieldOperators(readQueryParam(url, "q", 500), url);
  const page = Math.min(
    MAX_RESULT_PAGES,
    Math.max(1, Number.parseInt(readQueryParam(url, "page", 4), 10) || 1),
  );
  addCacheTags(ctx, "groups", "events", "discussions", "resources", "people");
  if (q === "")
    return {
      q,
      page,
      found: null,
      links: createSearchLinks(q, null, isSignedIn(viewer)),
      kept: await listOwnSearches(db, viewer),
      saved: false,
    };
  await assertSearchLimit(app, viewer, ctx);
  const found = await loadSearchPage(app.search.engine, db, viewer, { text: q, page, now: ctx.now });
  const searches = await listOwnSearches(db, viewer);
  if (page === 1 && !found.empty)
    await recordSearch(
      app,
      viewer,
      q,
      found.sections.every(({ items }) => items.length === 0),
    );
  return {
    q,
    page,
    found,
    links: createSearchLinks(q, found, isSignedIn(viewer)),
    kept: searches,
    saved: searches.saved.some((it) => it.asked === q || withNewestFirst(it.asked) === q),
  };
});

/** Adds the operator that sorts the newest first, unless the search has a sort operator. */
const withNewestFirst = (request: string) => {
  const typed = parseSearchInput(request);
  return typed.operators.some(({ name }) => name === "sort")
    ? request
    : formatSearchInput({ ...typed, operators: [...typed.operators, { name: "sort", value: "new" }] });
};

const assertSearchLimit = (app: Pick<WebContext, "limits">, viewer: Viewer, { from }: RequestContext) =>
  isSignedIn(viewer)
    ? app.limits.take("search", MEMBER_LIMIT, viewer.id)
    : app.limits.take("search-guests", GUEST_LIMIT, from.address);

const recordSearch = (app: Pick<WebContext, "database">, viewer: Viewer, q: string, nothing: boolean) =>
  app.database.inTransaction(async (tx) => {
    await recordRecentSearch(tx, viewer, q);
    if (nothing) await recordSearchMiss(tx, viewer, q);
  });

const SEARCH_COMMANDS: Record<string, (tx: Tx, viewer: Viewer, form: FormData) => Promise<unknown>> = {
  save: (tx, viewer, form) => saveSearch(tx, viewer, parseForm(NewSavedSearch, form)),
  "set-alert": (tx, viewer, form) => setSearchAlert(tx, viewer, parseForm(SearchAlertSetting, form)),
  delete: (tx, viewer, form) =>
    deleteSavedSearch(tx, viewer, parseForm(z.object({ id: z.uuid("Unknown value.") }), form)),
  "clear-recent": (tx, viewer) => clearRecentSearches(tx, viewer),
};

/** Saves and deletes searches. */
export const action = defineAction(async ({ app, viewer, form, url }) => {
  const verb = chooseAction(SEARCH_COMMANDS, form);
  await app.database.inTransaction((tx) => verb(tx, viewer, form));
  return redirect(urls.search({ q: readQueryParam(url, "q", 500) }));
});

export const handle: ShellHandle<Route.ComponentProps["loaderData"]> = {
  aside: ({ q, found, links }) => (
    <>
      {found && !found.empty && <SearchFilters links={links} />}
      <SearchFields key={q} q={q} />
    </>
  ),
};

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ q }, t) => ({
  title: q ? t("Search: {words}", { words: q }) : t("Search", undefined, "noun"),
  hidden: true,
}));

/** Search page with one search box. It shows a few hits of each kind, or all hits of one kind. */
export default function SearchPage({
  loaderData: { q, page, found, links, kept, saved },
}: Route.ComponentProps) {
  const t = useTranslate();
  const next = found?.sections.some(({ more }) => more) ? urls.search({ q, page: page + 1 }) : null;
  return (
    <>
      <PageHeader title={t("Search", undefined, "noun")} />
      <RefusalNotice />
      <Form role="search" aria-label={t("Search everything")} className="mb-4 flex gap-2">
        <input
          key={q}
          type="search"
          name="q"
          defaultValue={q}
          maxLength={500}
          aria-label={t("Search everything")}
          placeholder={t("People, groups, events, discussions, resources")}
          className="input"
          autoFocus={q === ""}
        />
        <button type="submit" className="button" data-kind="primary">
          <i className="icon icon-search size-4" />
          {t("Search")}
        </button>
      </Form>
      <button type="button" popoverTarget="beside" className="button mb-4 wide:hidden">
        {t("Filters")}
      </button>
      {found && !found.empty && <SearchTabs links={links} />}
      {found?.unknown.map(({ name, value }) => (
        <p key={`${name}:${value}`} className="mb-3 text-amber">
          {t("No results match “{filter}”.", { filter: `${name}:${value}` })}
        </p>
      ))}
      {found && !found.empty ? <Results q={q} sections={found.sections} links={links} /> : <SearchHints />}
      <NextPageLink to={next} />
      <SavedSearches q={q} kept={kept} saved={saved} />
    </>
  );
}

type FoundResults = NonNullable<Route.ComponentProps["loaderData"]["found"]>;

function Results({
  q,
  sections,
  links,
}: {
  q: string;
  sections: FoundResults["sections"];
  links: Route.ComponentProps["loaderData"]["links"];
}) {
  const t = useTranslate();
  const count = sections.reduce((sum, { total }) => sum + total, 0);
  const isExact = sections.every(({ exact }) => exact);
  if (sections.every(({ items }) => items.length === 0))
    return (
      <EmptyState
        title={t("No results for “{words}”.", { words: q })}
        action={<ButtonLink to={urls.groups({ tab: "discover" })}>{t("Browse groups")}</ButtonLink>}
      >
        {t("Try fewer or shorter words. The search covers only content that you can read.")}
      </EmptyState>
    );
  return (
    <>
      <p role="status" className="sr-only">
        {isExact
          ? t("{count, plural, one {# result} other {# results}}", { count })
          : t("{count, plural, one {More than # result} other {More than # results}}", { count })}
      </p>
      <ResultSections sections={sections} links={links} />
    </>
  );
}

/** Operators that can be typed into the search box. */
function SearchHints() {
  const t = useTranslate();
  return (
    <div className="text-quiet">
      <p>{t("Two letters are enough. Typos and accents are tolerated.")}</p>
      <p className="mt-2">{t("Narrow your search:")}</p>
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
        {[
          "in:group",
          "from:@name",
          "from:me",
          "tag:word",
          "after:2026-01-31",
          "before:3m",
          "has:image",
          "is:unread",
          "is:resolved",
          "type:posts",
          '"two words"',
          "-without",
        ].map((it) => (
          <li key={it}>
            <code dir="ltr">{it}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
