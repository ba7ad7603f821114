import { type RefObject, useEffect, useRef, useState } from "react";
import type { Draft, RepliesSince } from "#community/discussions";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { loadOptionalChunk } from "../../client/chunk-guard.ts";
import { loadWhenOnline } from "../../client/lazy-component.ts";
import type { RejectedForm } from "../../request-context.ts";
import { isPreviewSubmit } from "../../composer/text-preview.tsx";
import type { DraftState, DraftSync } from "../../composer/draft-sync.ts";

type LoadedDraft = Pick<Draft, "version" | "title" | "body"> | null;

/**
 * Loads the code that saves drafts after hydration. Text typed before hydration is saved too. If loading
 * fails, no draft is saved.
 */
const loadDraftSync = () =>
  loadOptionalChunk(() => loadWhenOnline(() => import("../../composer/draft-sync.ts"))).catch(() => null);

/** Saves the form around `box` as the draft for a target, and returns the state of saving. */
export function useDraftSync(box: RefObject<HTMLElement | null>, target: string, draft: LoadedDraft) {
  const [state, setState] = useState<DraftState>({ at: "quiet" });
  const [since, setSince] = useState<RepliesSince | null>(null);
  const [sync, setSync] = useState<DraftSync | null>(null);
  const begun = useRef(false);
  const atFirst = useRef(draft);
  useEffect(() => void (atFirst.current = draft), [draft]);
  useEffect(() => {
    const form = box.current?.closest("form");
    if (!form) return;
    const left = new AbortController();
    const isSent = trackSubmission(form, left.signal);
    const begin = async () => {
      const part = await loadDraftSync();
      if (!part) return;
      const first = !begun.current && !isSent();
      const started = new part.DraftSync(form, target, atFirst.current, (now, repliesSince) => {
        setState(now);
        setSince(repliesSince);
      });
      if (left.signal.aborted) return first ? started.left() : undefined;
      left.signal.addEventListener("abort", started.watch({ first }));
      begun.current = true;
      setSync(started);
    };
    void begin();
    return () => left.abort();
  }, [box, target]);
  useEffect(() => sync?.reread(draft), [sync, draft]);
  const answer = useFormResult<RejectedForm | null>();
  useEffect(() => {
    if (answer && "refused" in answer) sync?.again();
  }, [sync, answer]);
  return { state, since, settle: () => state.at === "clash" && sync?.settle(state.other) };
}

/** Returns a function that tells whether the form has been sent and nothing was typed since. */
function trackSubmission(form: HTMLFormElement, signal: AbortSignal): () => boolean {
  let sent = false;
  form.addEventListener("submit", (event) => (sent ||= !isPreviewSubmit(event)), { signal });
  form.addEventListener("input", () => (sent = false), { signal });
  return () => sent;
}
