import { lazy, Suspense, useEffect, useState } from "react";
import { useRoot } from "../ui/index.ts";
import { composerAt, type Words } from "./guest-words.ts";

/** Members never need it. For a guest it is fetched as soon as the app is there, so that it opens at a press. */
const fetchSheet = () => import("./sign-in-sheet.tsx");
const SignInSheet = lazy(fetchSheet);

/**
 * Signing in over the page one is on: a guest presses "Sign in", or sends what they wrote. The page underneath stays as
 * it is, with their words in it; afterwards it is read anew, as theirs. Without scripts both lead to pages of their own.
 */
export function SignInDialog() {
  const { me } = useRoot();
  const [words, setWords] = useState<Words | null>(null);
  useEffect(() => {
    if (me) return;
    // What fails here is tried again at the press.
    void fetchSheet().catch(() => {});
    return listen(setWords);
  }, [me]);
  return (
    words && (
      <Suspense>
        <SignInSheet words={words} close={() => setWords(null)} />
      </Suspense>
    )
  );
}

/** Before the app is there, `guest.js` keeps a press on "Sign in" for it (`data-sign-in` of the document). */
function listen(open: (words: Words) => void): () => void {
  const root = document.documentElement;
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element && event.target.closest("a[data-sign-in]");
    if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    open(composerAt(null));
  };
  const onSubmit = (event: SubmitEvent) => {
    const form = event.target instanceof HTMLFormElement && event.target.closest<HTMLFormElement>("form[data-composer]");
    if (!form) return;
    event.preventDefault();
    event.stopPropagation();
    open(composerAt(form));
  };
  // At the window and on the way down: before the router's own listeners.
  window.addEventListener("click", onClick, true);
  window.addEventListener("submit", onSubmit, true);
  if (root.dataset["signIn"] === "wanted") open(composerAt(null));
  root.dataset["signIn"] = "ready";
  return () => {
    window.removeEventListener("click", onClick, true);
    window.removeEventListener("submit", onSubmit, true);
    delete root.dataset["signIn"];
  };
}
