import { useEffect, useState } from "react";
import { Form, useNavigate } from "react-router";
import { Button, useRootData } from "../../ui/index.ts";
import { dateFormat, numberFormat } from "../../ui/text/intl-formats.ts";
import { useHydrated } from "../../ui/hooks/use-hydrated.ts";
import { urls } from "../../urls.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import type { DiscussionData } from "../discussion-data.ts";
import { useReadPosition } from "./use-read-position.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { useTimeZone } from "../../ui/hooks/use-time-zone.ts";

/** Milliseconds after the last move of the slider before the page navigates. */
const SLIDER_DELAY = 350;

/** Shows the position in a discussion and navigates within it. It also reports the member's read position. */
export function PositionSlider({ data }: { data: DiscussionData }) {
  const { me } = useRootData();
  const { discussion, posts, pages } = data;
  const last = posts.at(-1);
  const seen = useReadPosition(discussion.id, { tells: me !== null, until: last?.id ?? null });
  return (
    <>
      {me && last && last.number > (discussion.readUpTo ?? 0) && (
        // Without scripts, the request of this image marks the page as read.
        <noscript>
          <img src={urls.seen(discussion.id, last.number)} alt="" width="1" height="1" />
        </noscript>
      )}
      {pages > 1 && posts[0] && <PositionRail data={data} at={seen ?? posts[0].number} />}
    </>
  );
}

function PositionRail({ data, at }: { data: DiscussionData; at: number }) {
  const t = useTranslate();
  const { id, lastNumber, lastHiddenNumber } = data.discussion;
  return (
    <nav className="position" aria-label={t("Position in this discussion")}>
      <Link
        to={urls.discussion(id, { post: lastHiddenNumber + 1 })}
        className="button"
        data-kind="quiet"
        aria-label={t("First post")}
      >
        <i className="icon icon-arrow-up-to-line" />
      </Link>
      <Form method="get" action={urls.discussion(id)} className="flex min-w-0 flex-1 items-center gap-2">
        <PostSlider data={data} at={at} />
      </Form>
      <Link
        to={urls.discussion(id, { post: lastNumber })}
        className="button"
        data-kind="quiet"
        aria-label={t("Latest post")}
      >
        <i className="icon icon-arrow-down-to-line" />
      </Link>
    </nav>
  );
}

function PostSlider({ data, at }: { data: DiscussionData; at: number }) {
  const t = useTranslate();
  const locale = useLocale();
  const timeZone = useTimeZone();
  const hydrated = useHydrated();
  const [wanted, setWanted] = useSliderTarget(data.discussion.id);
  const { lastNumber, lastHiddenNumber } = data.discussion;
  const number = wanted ?? at;
  const [here, last] = [number, lastNumber].map(numberFormat(locale).format);
  const post = data.posts.find((it) => it.number === number);
  const date = post && dateFormat(locale, { dateStyle: "medium", timeZone }).format(post.createdAt);
  const where = { name: "post", min: lastHiddenNumber + 1, max: lastNumber, "aria-label": t("Go to post") };
  if (!hydrated)
    return (
      <>
        <input {...where} type="number" defaultValue={number} required className="input max-w-24" />
        <span className="flex-1 figures">/ {last}</span>
        <Button type="submit">{t("Go")}</Button>
      </>
    );
  const position = { number: here, last, date };
  const words = date
    ? t("Post {number} of {last}, {date}", position)
    : t("Post {number} of {last}", position);
  return (
    <>
      <input
        {...where}
        type="range"
        value={number}
        aria-valuetext={words}
        onChange={(event) => setWanted(Number(event.target.value))}
        className="min-w-0 flex-1 accent-accent"
      />
      <span aria-hidden className="figures">
        {date && <span className="max-phone:hidden">{date} · </span>}
        {here} / {last}
      </span>
    </>
  );
}

/** The post that the slider points to. Navigates there shortly after the last move. */
function useSliderTarget(id: string) {
  const navigate = useNavigate();
  const [wanted, setWanted] = useState<number | null>(null);
  useEffect(() => {
    if (wanted === null) return;
    const timer = setTimeout(() => {
      const here = document.getElementById(`post-${wanted}`);
      if (here) here.scrollIntoView();
      else void navigate(urls.discussion(id, { post: wanted }));
      setWanted(null);
    }, SLIDER_DELAY);
    return () => clearTimeout(timer);
  }, [id, navigate, wanted]);
  return [wanted, setWanted] as const;
}
