import { redirect } from "react-router";
import { assertNotTooWide, tryWatchedWord, type WatchedWordTrial } from "#community/moderation";
import {
  listWatchedWords,
  removeWatchedWord,
  saveWatchedWord,
  type WatchedWord,
  WatchedWordForm,
} from "#community/prevention";
import { PREVENTION_LIMITS } from "#community/rules";
import { notFound } from "#platform/refusal";
import { parseForm, readQueryParam } from "../../form-parsing.ts";
import { useTranslate } from "../../i18n/index.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { readTypedValues } from "../../typed-values.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { ButtonLink, EmptyState, ListSearch, PageHeader, pageMeta } from "../../ui/index.ts";
import { normalizeText } from "../../ui/text/normalize-text.ts";
import { urls } from "../../urls.ts";
import type { Route } from "./+types/watched-words-page";
import { WatchedWordInputs } from "./watched-word-inputs.tsx";
import { WatchedWordRow } from "./watched-word-row.tsx";
import { WatchedWordTrialResult } from "./watched-word-trial-result.tsx";

export const loader = defineLoader(async ({ db, viewer, url }) => {
  const search = readQueryParam(url, "search");
  const words = await listWatchedWords(db, viewer);
  return {
    words: words.filter(({ phrase }) => normalizeText(phrase).includes(normalizeText(search))),
    count: words.length,
    search,
    open: readQueryParam(url, "word", 40),
    saved: readQueryParam(url, "saved", 20),
  };
});

/** Result of *Try*: the form is shown again, with the posts that the word would match. */
export type TriedWord = { tried: WatchedWordTrial; typed: Record<string, string> };

export const action = defineAction(async ({ app, db, viewer, form }) => {
  const intent = String(form.get("intent") ?? "");
  const id = String(form.get("id") ?? "") || undefined;
  if (intent === "remove") {
    await app.database.inTransaction((tx) => removeWatchedWord(tx, viewer, id ?? ""));
    return redirect(urls.watchedWords({ saved: "removed" }));
  }
  const word = parseForm(WatchedWordForm, form);
  if (intent === "try")
    return {
      tried: await tryWatchedWord(db, viewer, word),
      typed: readTypedValues(form),
    } satisfies TriedWord;
  if (intent !== "save") throw notFound();
  await assertNotTooWide(db, viewer, word);
  await app.database.inTransaction((tx) => saveWatchedWord(tx, viewer, word, id));
  return redirect(urls.watchedWords({ saved: "saved" }));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Watched words"),
  hidden: true,
}));

/** Words and patterns that posts, titles, resources, events, groups and profiles are checked for. */
export default function WatchedWordsPage({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const { words, count, search, open, saved } = loaderData;
  const isAnswered = useFormResult() !== undefined;
  const edited = words.find(({ id }) => id === open);
  return (
    <>
      <PageHeader
        title={t("Watched words")}
        lead={t(
          "Posts, titles, comments, resources, events, groups and profiles are checked for these " +
            "words; private messages never are. Moderators and admins are exempt.",
        )}
      />
      <p role="status" className="text-accent empty:hidden">
        {!isAnswered && saved === "saved" && t("The watched word was saved.")}
        {!isAnswered && saved === "removed" && t("The watched word was removed.")}
      </p>
      {!edited && <NewWatchedWord isFull={count >= PREVENTION_LIMITS.watchedWords.count} />}
      {count === 0 ? (
        <div className="mt-8">
          <EmptyState title={t("No watched words yet.")}>
            {t("For example the name of a product that spammers advertise, or an insult.")}
          </EmptyState>
        </div>
      ) : (
        <section aria-labelledby="words" className="mt-8">
          <h2 id="words" className="mb-3 font-serif text-large font-semibold">
            {t("{count, plural, one {# watched word} other {# watched words}}", { count })}
          </h2>
          {count > 10 && (
            <ListSearch label={t("Search words")} hint={t("Search words")} search={search} className="mb-4" />
          )}
          <WatchedWordList {...{ words, open }} />
        </section>
      )}
    </>
  );
}

function NewWatchedWord({ isFull }: { isFull: boolean }) {
  const t = useTranslate();
  const tried = useFormResult<Partial<TriedWord>>()?.tried;
  return (
    <section aria-labelledby="new-word" className="mt-4">
      <h2 id="new-word" className="mb-3 font-serif text-large font-semibold">
        {t("New watched word")}
      </h2>
      {isFull ? (
        <p className="text-quiet">
          {t("There can be at most {count, number} watched words. Remove one first.", {
            count: PREVENTION_LIMITS.watchedWords.count,
          })}
        </p>
      ) : (
        <>
          <WatchedWordInputs />
          {tried && <WatchedWordTrialResult tried={tried} />}
        </>
      )}
    </section>
  );
}

function WatchedWordList({ words, open }: { words: WatchedWord[]; open: string }) {
  const t = useTranslate();
  if (words.length === 0)
    return (
      <EmptyState
        title={t("No results.")}
        action={<ButtonLink to={urls.watchedWords()}>{t("Show all")}</ButtonLink>}
      />
    );
  return (
    <ul className="border-t border-line">
      {words.map((word) => (
        <WatchedWordRow key={word.id} word={word} open={open === word.id} />
      ))}
    </ul>
  );
}
