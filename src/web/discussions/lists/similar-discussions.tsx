import { useEffect, useState } from "react";
import type { SimilarDiscussion } from "#community/search";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Milliseconds without a keystroke before similar discussions are fetched. */
const TYPING_PAUSE = 400;

/** Discussions with a similar title. They open in a new tab, so that typed text is not lost. */
export default function SimilarDiscussions({ title }: { title: string }) {
  const t = useTranslate();
  const found = useSimilar(title);
  return (
    <div role="status">
      {found.length > 0 && (
        <div className="notice">
          <div className="min-w-0">
            <p className="font-semibold">{t("Similar discussions:")}</p>
            <ul className="mt-1">
              {found.map((similarDiscussion) => (
                <li key={similarDiscussion.id} dir="auto" className="py-0.5">
                  <a href={urls.discussion(similarDiscussion.id)} target="_blank" rel="noopener">
                    {similarDiscussion.title}
                  </a>{" "}
                  <span className="text-small text-quiet">{similarDiscussion.groupName}</span>
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </div>
  );
}

function useSimilar(title: string): SimilarDiscussion[] {
  const [found, setFound] = useState<SimilarDiscussion[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await fetch(urls.similar(title), { signal: stop.signal }).catch(() => null);
      const similar: SimilarDiscussion[] = answer?.ok ? await answer.json().catch(() => []) : [];
      if (!stop.signal.aborted) setFound(similar);
    }, TYPING_PAUSE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [title]);
  return found;
}
