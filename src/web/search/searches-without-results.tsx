import { listSearchMisses } from "#community/search";
import { EmptyState, PageHeader, pageMeta, Time } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/searches-without-results";

export const loader = defineLoader(async ({ db, viewer }) => ({
  misses: await listSearchMisses(db, viewer),
}));

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Searches without results"),
  hidden: true,
}));

/** Lists searches without results, which show what content is missing or which synonyms to add. */
export default function SearchesWithoutResults({ loaderData: { misses } }: Route.ComponentProps) {
  const t = useTranslate();
  const readable = misses.filter((it) => it.words !== null);
  const alone = misses.length - readable.length;
  return (
    <>
      <PageHeader
        title={t("Searches without results")}
        lead={t(
          "Searches of members that had no results in the last year. A search is listed once two " +
            "people have made it; names are not stored.",
        )}
      />
      {readable.length === 0 && (
        <EmptyState title={t("No search without results was made by two or more people.")} />
      )}
      <ul className="border-line">
        {readable.map((searchMiss) => (
          <li
            key={searchMiss.words}
            className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2 last:border-b-0"
          >
            <Link
              to={urls.search({ q: searchMiss.words ?? "" })}
              dir="auto"
              className="min-w-0 break-words font-semibold"
            >
              {searchMiss.words}
            </Link>
            <span className="text-small text-quiet">
              {t("{people, plural, one {# person} other {# people}}", { people: searchMiss.people })} ·{" "}
              {t("{times, plural, one {once} other {# times}}", { times: searchMiss.times })} ·{" "}
              <Time at={searchMiss.lastAt} />
            </span>
          </li>
        ))}
      </ul>
      {alone > 0 && (
        <p className="mt-4 text-quiet">
          {t(
            "{count, plural, one {# more was made by one person only.} other {# more were made by one person each.}}",
            {
              count: alone,
            },
          )}
        </p>
      )}
    </>
  );
}
