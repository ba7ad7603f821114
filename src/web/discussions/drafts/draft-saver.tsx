import { Suspense, useRef } from "react";
import type { Draft, RepliesSince } from "#community/discussions";
import { lazyComponent } from "../../client/lazy-component.ts";
import { dateFormat } from "../../ui/text/intl-formats.ts";
import { useRootData } from "../../ui/hooks/use-root-data.ts";
import { urls } from "../../urls.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import type { DraftState } from "../../composer/draft-sync.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { useDraftSync } from "./use-draft-sync.ts";

const DraftConflict = lazyComponent(() => import("../../composer/draft-conflict.tsx"));

type DraftSaverProps = {
  target: string;
  draft: Pick<Draft, "version" | "title" | "body"> | null;
  /** The discussion, and the number of the last post that was there when the page was loaded or is shown. */
  known?: { number: number; discussionId: string };
};

/**
 * Saves title and body of the form around it on the server shortly after the last keystroke, so that the
 * draft is available on every device.
 */
export function DraftSaver({ target, draft, known }: DraftSaverProps) {
  const box = useRef<HTMLDivElement>(null);
  const { state, since, settle } = useDraftSync(box, target, draft);
  return (
    <div ref={box}>
      {/* Sending deletes the draft only if the draft still has this version. */}
      <input type="hidden" name="draftVersion" defaultValue={draft?.version ?? 0} />
      {known && <input type="hidden" name="seen" value={known.number} />}
      {state.at === "clash" && (
        <Suspense>
          <DraftConflict other={state.other} form={() => box.current!.closest("form")!} settle={settle} />
        </Suspense>
      )}
      <p role="status" className="hint">
        <DraftStatus state={state} />
      </p>
      {known && since?.first && since.first > known.number && (
        <NewRepliesNotice since={since} discussionId={known.discussionId} />
      )}
    </div>
  );
}

function DraftStatus({ state }: { state: DraftState }) {
  const t = useTranslate();
  const locale = useLocale();
  const { timeZone } = useRootData();
  if (state.at === "failed") return t("The draft could not be saved. Your text is still here.");
  if (state.at === "signed-out")
    return t("You are signed out, so this draft is not saved. Your text is still here.");
  if (state.at !== "kept") return "";
  return t("Draft saved {time}", {
    time: dateFormat(locale, { timeStyle: "short", timeZone }).format(new Date(state.savedAt)),
  });
}

function NewRepliesNotice({ since, discussionId }: { since: RepliesSince; discussionId: string }) {
  const t = useTranslate();
  return (
    <p role="status" className="my-1 text-small text-amber">
      {t(
        "{count, plural, one {{name} replied while you wrote.} other {{name} and others: # replies while you wrote.}}",
        {
          count: since.count,
          name: since.by?.name ?? t("Someone"),
        },
      )}{" "}
      <Link to={urls.discussion(discussionId, { post: since.first! })} className="font-semibold">
        {t("Show")}
      </Link>
    </p>
  );
}
