import type { OwnHeld as Held } from "#community/discussions";
import { Act } from "../people/act.tsx";
import { Prose, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";

/** What the reader wrote here that waits until somebody has looked at it, or was given back; nothing where there is none. */
export function OwnHeld({ held }: { held: Held[] }) {
  const t = useWords();
  if (held.length === 0) return null;
  return (
    <section id="waiting" aria-label={t("Waiting to be looked at")} className="mt-4 grid scroll-mt-16 grid-cols-[minmax(0,1fr)] gap-3">
      {held.map((it) => (
        <HeldText key={it.id} it={it} />
      ))}
    </section>
  );
}

/** One of them, with what its writer can do about it. */
export function HeldText({ it: { id, html, createdAt, givenBack, answer } }: { it: Held }) {
  const t = useWords();
  return (
    <div className="notice" data-tone="pending">
      <div className="min-w-0 flex-1">
        {givenBack ? (
          <>
            <p>{t("This was given back to you. It stands in your draft: change it, and send it again.")}</p>
            <p dir="auto" className="mt-1 break-words whitespace-pre-wrap">
              <q>{answer}</q>
            </p>
          </>
        ) : (
          <p>{t("What newcomers write is looked at first. Only you and those who look after this place read this until then.")}</p>
        )}
        <p className="mt-1 text-small text-quiet">
          <Time at={createdAt} />
        </p>
        <Prose html={html} className="mb-2" />
        <Act intent="take-held" action={urls.drafts()} fields={{ heldId: id }} busy={givenBack ? t("Putting away…") : t("Taking back…")}>
          {givenBack ? t("Put this away") : t("Take it back into the draft")}
        </Act>
      </div>
    </div>
  );
}
