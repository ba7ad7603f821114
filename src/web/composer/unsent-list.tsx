import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { Button } from "../ui/forms/button.tsx";
import { useClipboard } from "../ui/hooks/use-clipboard.ts";
import { relativeFormat } from "../ui/text/intl-formats.ts";
import { urls } from "../urls.ts";
import { useLocale, useTranslate } from "../i18n/index.ts";
import type { UnsentPost } from "./use-unsent-posts.ts";

type UnsentListProps = {
  items: UnsentPost[];
  retry: (item: UnsentPost) => void;
  discard: (id: string) => void;
};

/** Replies that are still being sent, listed where they will appear. */
export default function UnsentList({ items, retry, discard }: UnsentListProps) {
  const t = useTranslate();
  return (
    <ul aria-label={t("Not sent yet")}>
      {items.map((item) => (
        <li key={item.id} className="post">
          <p role="status" className="text-small text-quiet">
            {item.state !== "failed" && t("Sending…")}
          </p>
          <p dir="auto" className="prose break-words whitespace-pre-wrap opacity-70">
            {item.body}
          </p>
          {item.state === "failed" && (
            <FailedItem item={item} retry={() => retry(item)} discard={() => discard(item.id)} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Why sending failed, and what can be done. */
export function FailedItem({
  item,
  retry,
  discard,
}: {
  item: UnsentPost;
  retry: () => void;
  discard: () => void;
}) {
  const t = useTranslate();
  const { pathname } = useLocation();
  const { copied, copy } = useClipboard();
  return (
    <div className="notice mt-2" data-tone="bad" role="alert">
      <div>
        <p>
          <span className="font-semibold">{t("Not sent.")}</span> <FailureReason item={item} />
          {item.failed === "not-signed-in" && (
            <>
              {" "}
              <a href={urls.login({ next: pathname })}>{t("Sign in")}</a>
            </>
          )}
        </p>
        <p className="mt-2 flex flex-wrap gap-2">
          <Button kind="primary" onClick={retry}>
            {t("Retry")}
          </Button>
          {copy && <Button onClick={() => copy(item.body)}>{copied ? t("Copied") : t("Copy")}</Button>}
          <Button onClick={discard}>{t("Discard")}</Button>
        </p>
      </div>
    </div>
  );
}

function FailureReason({ item: { failed, sentence, again } }: { item: UnsentPost }) {
  const t = useTranslate();
  const locale = useLocale();
  const now = useClock(again !== undefined);
  if (failed === "lost")
    return t("You're offline. Your text is kept in this tab and sent automatically when you are back.");
  if (failed === "not-signed-in")
    return t("You are signed out. Your text is kept in this tab while you sign in.");
  if (failed === "interrupted")
    return t("The page was closed before this was sent. Sending it again does not post it twice.");
  if (failed === "signed-in-again") return t("You were signed out when you sent this. You can send it now.");
  if (again !== undefined && again <= now) return t("You were sending too fast. You can send this now.");
  if (sentence) return sentence;
  if (again !== undefined)
    return t("You were sending too fast. You can send this {when}.", {
      when: formatDelay(again - now, locale),
    });
  if (failed === "too-large") return t("Too long.");
  if (failed === "too-many") return t("Too many attempts. Try again in a while.");
  return t("Something went wrong on the server. Your text is kept in this tab.");
}

/** Returns the current time, updated regularly while `waits` is true. */
function useClock(waits: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(() => setNow(Date.now()), 5_000);
    return () => clearInterval(timer);
  }, [waits]);
  return now;
}

/** Formats a delay in whole units, rounded up, such as "in 40 minutes". */
function formatDelay(ms: number, locale: string): string {
  const seconds = ms / 1000;
  const [unit, size] =
    seconds < 90
      ? (["second", 1] as const)
      : seconds < 5_400
        ? (["minute", 60] as const)
        : (["hour", 3_600] as const);
  return relativeFormat(locale, "long").format(Math.ceil(seconds / size), unit);
}
