import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useFetcher, useLocation, useNavigation } from "react-router";
import { Button, Panel, useRoot } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useLocale, useWords } from "../words/index.ts";
import type { Over } from "./entering.ts";
import { composerAt, type Words } from "./guest-words.ts";
import { refusedIn } from "./faults.tsx";
import { SecondStepForm } from "./second-step-form.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { Link } from "../ui/link.tsx";

/**
 * Signing in over the page one is on: a guest presses "Sign in", or sends what they wrote. The page underneath stays as
 * it is, with their words in it; afterwards it is read anew, as theirs. Without scripts both lead to pages of their own.
 */
export function SignInDialog() {
  const { me } = useRoot();
  const [words, setWords] = useState<Words | null>(null);
  useEffect(() => {
    if (me) return;
    return listen(setWords);
  }, [me]);
  return words && <Sheet words={words} close={() => setWords(null)} />;
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

function Sheet({ words, close }: { words: Words; close: () => void }) {
  const t = useWords();
  const locale = useLocale();
  const dialog = useRef<HTMLDialogElement>(null);
  const fetcher = useFetcher<unknown>();
  const { pathname, search } = useLocation();
  const over = overIn(fetcher.data);
  const second = useSecondStep(fetcher.data);
  const busy = fetcher.state !== "idle";
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (over?.state === "in") goOn({ over, words, locale, close: () => dialog.current?.close() });
  }, [over, words, locale]);
  const way = { next: pathname + search, kept: words.kept, keptPlace: words.place, over: true };
  return (
    <dialog ref={dialog} className="sheet" aria-labelledby="sign-in-title" onClose={close}>
      <header className="mb-4 flex items-start justify-between gap-4">
        <h2 id="sign-in-title" className="font-serif text-title font-semibold">
          {second ? t("One more step") : words.kept ? t("Sign in to send this") : t("Sign in")}
        </h2>
        <Button kind="quiet" aria-label={t("Close")} onClick={() => dialog.current?.close()} className="-me-2 -mt-1 px-2">
          <X size={20} strokeWidth={1.75} aria-hidden />
        </Button>
      </header>
      {words.kept && !over && <p className="mb-4 text-quiet">{t("What you wrote stays where it is.")}</p>}
      {over?.state === "waits" ? (
        <p>
          {t("This account is not open yet.")}{" "}
          <a href={over.to} target="_blank" rel="noopener">
            {t("See what it waits for")}
          </a>
        </p>
      ) : second ? (
        <SecondStepForm way={way} answer={over ? undefined : fetcher.data} busy={busy} as={fetcher.Form} id="over-" />
      ) : (
        <SignInForm way={way} answer={fetcher.data} busy={busy} as={fetcher.Form} id="over-">
          <p className="border-t border-line pt-4">
            {t("New here?")} <Link to={urls.register({ next: pathname + search })}>{t("Join us")}</Link>
          </p>
        </SignInForm>
      )}
    </dialog>
  );
}

const overIn = (answer: unknown): Over["over"] | undefined =>
  typeof answer === "object" && answer !== null && "over" in answer ? (answer as Over).over : undefined;

/** From a right password on until it is done, or has to begin anew. */
function useSecondStep(answer: unknown): boolean {
  const [second, setSecond] = useState(false);
  useEffect(() => {
    if (overIn(answer)?.state === "second-step") setSecond(true);
    else if (refusedIn(answer)?.refused.reason === "gone") setSecond(false);
  }, [answer]);
  return second;
}

type In = Extract<Over["over"], { state: "in" }>;

/** Signed in: newcomers are shown round; where nothing is being written, a page in another language is loaded anew. */
function goOn({ over, words, locale, close }: { over: In; words: Words; locale: string; close: () => void }) {
  close();
  if (over.to) return location.assign(over.to);
  if (!words.kept && over.locale !== locale) return location.reload();
  words.field?.focus();
}

/** Without scripts: words that a guest sent, and the form that lets them send them. For pages that were refused with `not-signed-in`. */
export function SignInToSend({ text, place }: { text: string; place: string }) {
  const t = useWords();
  const { pathname, search } = useLocation();
  const busy = useNavigation().state === "submitting";
  return (
    <Panel title={t("Sign in to send this")} id="sign-in-to-send">
      <p className="mb-3 text-quiet">{t("What you wrote is kept as your draft, and you come back here to send it.")}</p>
      <SignInForm way={{ next: pathname + search, kept: text, keptPlace: place }} answer={undefined} busy={busy} id="send-" />
    </Panel>
  );
}
