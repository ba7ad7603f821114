import { Search } from "lucide-react";
import { Form, redirect } from "react-router";
import {
  dropSearch,
  forgetSearches,
  FOUND_PAGES,
  lookUp,
  NewSavedSearch,
  noteMiss,
  readTyped,
  rememberSearch,
  savedSearchFor,
  saveSearch,
  searchesOf,
  SearchTelling,
  tellOfSearch,
  typedAs,
} from "#community/search";
import { isSignedIn, type Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { z } from "zod";
import { asked, parseForm, verbIn } from "../forms.ts";
import type { House } from "../house.ts";
import { ButtonLink, Empty, NextPage, PageHead, pageMeta, RefusalNotice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading, showing, type Visit } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/search";
import { ByFields } from "./by-fields.tsx";
import { KeptSearches } from "./kept-searches.tsx";
import { Narrowing, Sections } from "./results.tsx";
import { waysFrom, withFields } from "./ways.ts";

const A_MINUTE = 60;
const MEMBERS = { points: 30, seconds: A_MINUTE };
const GUESTS = { points: 15, seconds: A_MINUTE };

export const loader = reading(async ({ visit, viewer, db, house, url }) => {
  const saved = asked(url, "saved", 36);
  if (saved) throw redirect(urls.search({ q: latestFirst((await savedSearchFor(db, viewer, saved)).asked) }));
  const q = withFields(asked(url, "q", 500), url);
  const page = Math.min(FOUND_PAGES, Math.max(1, Number.parseInt(asked(url, "page", 4), 10) || 1));
  showing(visit, "groups", "discussions", "resources", "people");
  if (q === "")
    return { q, page, found: null, ways: waysFrom(q, null, isSignedIn(viewer)), kept: await searchesOf(db, viewer), saved: false };
  await mindPace(house, viewer, visit);
  const found = await lookUp(house.search.engine, db, viewer, { text: q, page, now: visit.now });
  const kept = await searchesOf(db, viewer);
  if (page === 1 && !found.empty)
    await remember(
      house,
      viewer,
      q,
      found.sections.every(({ lines }) => lines.length === 0),
    );
  return {
    q,
    page,
    found,
    ways: waysFrom(q, found, isSignedIn(viewer)),
    kept,
    saved: kept.saved.some((it) => it.asked === q || latestFirst(it.asked) === q),
  };
});

/** Sorts the newest first, unless the search says otherwise. */
const latestFirst = (asked: string) => {
  const typed = readTyped(asked);
  return typed.said.some(({ name }) => name === "sort")
    ? asked
    : typedAs({ ...typed, said: [...typed.said, { name: "sort", value: "new" }] });
};

const mindPace = (house: House, viewer: Viewer, { from }: Visit) =>
  isSignedIn(viewer) ? house.limits.take("search", MEMBERS, viewer.id) : house.limits.take("search-guests", GUESTS, from.address);

const remember = (house: House, viewer: Viewer, q: string, nothing: boolean) =>
  house.database.inTransaction(async (tx) => {
    await rememberSearch(tx, viewer, q);
    if (nothing) await noteMiss(tx, viewer, q);
  });

const VERBS: Record<string, (tx: Tx, viewer: Viewer, form: FormData) => Promise<unknown>> = {
  save: (tx, viewer, form) => saveSearch(tx, viewer, parseForm(NewSavedSearch, form)),
  tell: (tx, viewer, form) => tellOfSearch(tx, viewer, parseForm(SearchTelling, form)),
  drop: (tx, viewer, form) => dropSearch(tx, viewer, parseForm(z.object({ id: z.uuid("That is not something we know.") }), form)),
  forget: (tx, viewer) => forgetSearches(tx, viewer),
};

/** Saves and deletes searches. */
export const action = acting(async ({ house, viewer, form, url }) => {
  const verb = verbIn(VERBS, form);
  await house.database.inTransaction((tx) => verb(tx, viewer, form));
  return redirect(urls.search({ q: asked(url, "q", 500) }));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ q }, t) => ({
  title: q ? t("Search: {words}", { words: q }) : t("Search"),
  hidden: true,
}));

/** One search box: shows some hits of each kind, or all of one kind. */
export default function SearchPage({ loaderData: { q, page, found, ways, kept, saved } }: Route.ComponentProps) {
  const t = useWords();
  const next = found?.sections.some(({ more }) => more) ? urls.search({ q, page: page + 1 }) : null;
  return (
    <>
      <PageHead title={t("Search")} />
      <RefusalNotice />
      <Form role="search" aria-label={t("Search everything")} className="mb-4 flex gap-2">
        <input
          key={q}
          type="search"
          name="q"
          defaultValue={q}
          maxLength={500}
          aria-label={t("Search everything")}
          placeholder={t("People, groups, discussions, resources")}
          className="input"
          autoFocus={q === ""}
        />
        <button type="submit" className="button" data-kind="primary">
          <Search size={16} strokeWidth={1.75} aria-hidden />
          {t("Search")}
        </button>
      </Form>
      <ByFields key={`fields ${q}`} q={q} />
      {found && !found.empty && <Narrowing ways={ways} />}
      {found?.unknown.map(({ name, value }) => (
        <p key={`${name}:${value}`} className="mb-3 text-amber">
          {t("There is nothing that “{said}” could mean here.", { said: `${name}:${value}` })}
        </p>
      ))}
      {found && !found.empty ? <Results q={q} sections={found.sections} ways={ways} /> : <Hints />}
      <NextPage to={next} />
      <KeptSearches q={q} kept={kept} saved={saved} />
    </>
  );
}

type Found = NonNullable<Route.ComponentProps["loaderData"]["found"]>;

function Results({ q, sections, ways }: { q: string; sections: Found["sections"]; ways: Route.ComponentProps["loaderData"]["ways"] }) {
  const t = useWords();
  const count = sections.reduce((sum, { total }) => sum + total, 0);
  const isExact = sections.every(({ exact }) => exact);
  if (sections.every(({ lines }) => lines.length === 0))
    return (
      <Empty
        title={t("Nothing found for “{words}”.", { words: q })}
        action={<ButtonLink to={urls.groups({ tab: "discover" })}>{t("Look through the groups")}</ButtonLink>}
      >
        {t("Try fewer or shorter words. Only what you may see is searched.")}
      </Empty>
    );
  return (
    <>
      <p role="status" className="sr-only">
        {isExact
          ? t("{count, plural, one {# result} other {# results}}", { count })
          : t("{count, plural, one {More than # result} other {More than # results}}", { count })}
      </p>
      <Sections sections={sections} ways={ways} />
    </>
  );
}

/** Operators that can be typed into the search box. */
function Hints() {
  const t = useWords();
  return (
    <div className="text-quiet">
      <p>{t("Two letters are enough, slips are forgiven, and accents do not matter.")}</p>
      <p className="mt-2">{t("Say more to find less:")}</p>
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
