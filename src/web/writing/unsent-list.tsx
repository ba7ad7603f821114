import { useState } from "react";
import { useLocation } from "react-router";
import { Button } from "../ui/button.tsx";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import type { Unsent } from "./unsent.ts";

type Props = { items: Unsent[]; retry: (item: Unsent) => void; discard: (id: string) => void };

/** Replies that are not there yet, where they will stand. */
export default function UnsentList({ items, retry, discard }: Props) {
  const t = useWords();
  return (
    <ul aria-label={t("Not sent yet")}>
      {items.map((item) => (
        <li key={item.id} className="border-t border-line py-5">
          <p role="status" className="text-small text-quiet">
            {item.state !== "failed" && t("Sending…")}
          </p>
          <p dir="auto" className="prose break-words whitespace-pre-wrap opacity-70">
            {item.body}
          </p>
          {item.state === "failed" && <Failed item={item} retry={() => retry(item)} discard={() => discard(item.id)} />}
        </li>
      ))}
    </ul>
  );
}

/** Why it did not get there, and what can be done about it. */
export function Failed({ item, retry, discard }: { item: Unsent; retry: () => void; discard: () => void }) {
  const t = useWords();
  const { pathname } = useLocation();
  const [copied, setCopied] = useState(false);
  const copy = () => navigator.clipboard?.writeText(item.body).then(() => setCopied(true));
  return (
    <div className="notice mt-2" data-tone="bad" role="alert">
      <div>
        <p>
          <span className="font-semibold">{t("Not sent.")}</span> <Why item={item} />
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
          <Button onClick={copy}>{copied ? t("Copied") : t("Copy")}</Button>
          <Button onClick={discard}>{t("Discard")}</Button>
        </p>
      </div>
    </div>
  );
}

function Why({ item: { failed, sentence } }: { item: Unsent }) {
  const t = useWords();
  if (failed === "lost") return t("There is no connection. It is kept in this tab and goes out by itself when there is one.");
  if (failed === "not-signed-in") return t("You are no longer signed in. It is kept in this tab while you sign in again.");
  if (failed === "interrupted") return t("The page was left before it went out. If it did get there, sending it again changes nothing.");
  if (sentence) return sentence;
  if (failed === "too-large") return t("It is too long.");
  if (failed === "too-many") return t("That was a bit much at once. Please try again in a while.");
  return t("Something broke on our side. It is kept in this tab.");
}
