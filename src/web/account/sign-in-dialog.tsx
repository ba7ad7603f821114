import { useEffect, useState } from "react";
import { fetchPart } from "../client/chunk-guard.ts";
import { useRoot } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { composerAt, type Words } from "./guest-words.ts";
import type SignInSheet from "./sign-in-sheet.tsx";

/** It is fetched as soon as the app is there, so that it opens at a press. */
const fetchSheet = () => fetchPart(() => import("./sign-in-sheet.tsx"));

type Open = { Sheet: typeof SignInSheet; words: Words };

/**
 * Signing in over the page one is on: a guest presses "Sign in", or sends what they wrote. The page underneath stays as
 * it is, with their words in it; afterwards it is read anew, as theirs. Without scripts, and where the dialog cannot be
 * fetched, both lead to pages of their own.
 */
export default function SignInDialog() {
  const { me } = useRoot();
  const [open, setOpen] = useState<Open | null>(null);
  useEffect(() => {
    if (me) return;
    // What fails here is tried again at the press.
    void fetchSheet().catch(() => {});
    return listen((words, otherwise) => {
      void fetchSheet().then(({ default: Sheet }) => setOpen({ Sheet, words }), otherwise);
    });
  }, [me]);
  return open && <open.Sheet words={open.words} close={() => setOpen(null)} />;
}

/** Opens the dialog, or does what was asked for in the other way. */
type Opening = (words: Words, otherwise: () => void) => void;

/** Before the app is there, `guest.js` keeps a press on "Sign in" for it (`data-sign-in` of the document). */
function listen(open: Opening): () => void {
  const root = document.documentElement;
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[data-sign-in]");
    if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    open(composerAt(null), () => location.assign(link.href));
  };
  const onSubmit = (event: SubmitEvent) => {
    const form = event.target instanceof HTMLFormElement && event.target.closest<HTMLFormElement>("form[data-composer]");
    if (!form) return;
    event.preventDefault();
    event.stopPropagation();
    open(composerAt(form), () => form.submit());
  };
  // At the window and on the way down: before the router's own listeners.
  window.addEventListener("click", onClick, true);
  window.addEventListener("submit", onSubmit, true);
  if (root.dataset["signIn"] === "wanted")
    open(composerAt(null), () => location.assign(urls.login({ next: location.pathname + location.search })));
  root.dataset["signIn"] = "ready";
  return () => {
    window.removeEventListener("click", onClick, true);
    window.removeEventListener("submit", onSubmit, true);
    delete root.dataset["signIn"];
  };
}
