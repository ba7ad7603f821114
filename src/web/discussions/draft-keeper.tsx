import { useEffect, useRef, useState } from "react";
import { TOKENS } from "../tokens.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";

type Kept = { version: number } | null;
type State = "quiet" | "kept" | "elsewhere" | "failed";

/** Inside a form: keeps its title and body on the server a moment after the last key, for every device. */
export function DraftKeeper({ place, draft }: { place: string; draft: Kept }) {
  const t = useWords();
  const line = useRef<HTMLParagraphElement>(null);
  const version = useRef(draft?.version ?? 0);
  const [state, setState] = useState<State>("quiet");
  useEffect(() => void (version.current = draft?.version ?? 0), [draft?.version]);
  useEffect(() => {
    const form = line.current?.closest("form");
    return form ? keepTyping(form, place, version, setState) : undefined;
  }, [place]);
  const words: Record<State, string> = {
    quiet: "",
    kept: t("Draft kept"),
    elsewhere: t("You have been writing this on another device too. What stands here is kept from now on."),
    failed: t("The draft could not be kept just now. What you wrote is still here."),
  };
  return (
    <p ref={line} role="status" className="hint">
      {words[state]}
    </p>
  );
}

/** Watches a form; gives back the way to stop. What is typed last is kept once the hands rest. */
function keepTyping(form: HTMLFormElement, place: string, version: { current: number }, tell: (state: State) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = async () => {
    const kept = await send(form, place, version.current).catch(() => null);
    if (kept) version.current = kept.version;
    tell(kept === null ? "failed" : kept.kept ? "kept" : "elsewhere");
  };
  const typed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void keep(), TOKENS.draftPause);
  };
  const sent = () => clearTimeout(timer);
  form.addEventListener("input", typed);
  form.addEventListener("submit", sent);
  return () => {
    sent();
    form.removeEventListener("input", typed);
    form.removeEventListener("submit", sent);
  };
}

async function send(form: HTMLFormElement, place: string, version: number): Promise<{ kept: boolean; version: number } | null> {
  const typed = new FormData(form);
  const body = new URLSearchParams({
    place,
    version: String(version),
    title: String(typed.get("title") ?? ""),
    body: String(typed.get("body") ?? ""),
  });
  const answer = await fetch(urls.keepDraft(), { method: "POST", body });
  return answer.ok ? answer.json() : null;
}
