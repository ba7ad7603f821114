import { type RefObject, useEffect, useRef, useState } from "react";
import { useActionData } from "react-router";
import type { Draft, Since } from "#community/discussions";
import { fetchPart } from "../client/chunk-guard.ts";
import { whenThereIsOne } from "../client/lazy-part.ts";
import type { Refused } from "../visit.ts";
import type { DraftState, DraftSync } from "../writing/draft-sync.ts";

type Kept = Pick<Draft, "version" | "title" | "body"> | null;

/** What keeps a form is fetched once the page is awake; what was typed until then is kept as well. Without it, nothing is. */
const load = () => fetchPart(() => whenThereIsOne(() => import("../writing/draft-sync.ts"))).catch(() => null);

/** Keeps the form around `box` as the draft of a place, and says how that stands. */
export function useDraftSync(box: RefObject<HTMLElement | null>, place: string, draft: Kept) {
  const [state, setState] = useState<DraftState>({ at: "quiet" });
  const [since, setSince] = useState<Since | null>(null);
  const [sync, setSync] = useState<DraftSync | null>(null);
  const begun = useRef(false);
  const atFirst = useRef(draft);
  useEffect(() => void (atFirst.current = draft), [draft]);
  useEffect(() => {
    const form = box.current?.closest("form");
    if (!form) return;
    const left = new AbortController();
    const begin = async () => {
      const part = await load();
      if (!part || left.signal.aborted) return;
      const sync = new part.DraftSync(form, place, atFirst.current, (now, said) => {
        setState(now);
        setSince(said);
      });
      left.signal.addEventListener("abort", sync.watch({ first: !begun.current }));
      begun.current = true;
      setSync(sync);
    };
    void begin();
    return () => left.abort();
  }, [box, place]);
  useEffect(() => sync?.reread(draft), [sync, draft]);
  const answer = useActionData<Refused | null>();
  useEffect(() => {
    if (answer && "refused" in answer) sync?.again();
  }, [sync, answer]);
  return { state, since, settle: () => state.at === "clash" && sync?.settle(state.other) };
}
