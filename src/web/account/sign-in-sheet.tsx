import { X } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { useFetcher, useLocation } from "react-router";
import { lazyPart } from "../client/lazy-part.ts";
import { Button } from "../ui/index.ts";
import { Link } from "../ui/link.tsx";
import { urls } from "../urls.ts";
import { useLocale, useWords } from "../words/index.ts";
import type { Over } from "./entering.ts";
import { refusedIn } from "./faults.tsx";
import type { Words } from "./guest-words.ts";
import { SecondStepForm } from "./second-step-form.tsx";
import { SignInForm } from "./sign-in-form.tsx";

// A separate chunk: every page loads this dialog, few need passkeys.
const PasskeyWay = lazyPart(() => import("./passkeys/passkey-way.tsx"));

/** Sign-in dialog over the page: password, then two-factor if required. */
export default function SignInSheet({ words, close }: { words: Words; close: () => void }) {
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
        <>
          <SecondStepForm way={way} answer={over ? undefined : fetcher.data} busy={busy} as={fetcher.Form} id="over-" />
          <Suspense>{second.passkey && <PasskeyWay way={way} fetcher={fetcher} second />}</Suspense>
        </>
      ) : (
        <SignInForm way={way} answer={fetcher.data} busy={busy} as={fetcher.Form} id="over-">
          <Suspense>
            <PasskeyWay way={way} fetcher={fetcher} />
          </Suspense>
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

/** The two-factor step after a correct password, until it succeeds or has to start over. */
function useSecondStep(answer: unknown): { passkey: boolean } | null {
  const [second, setSecond] = useState<{ passkey: boolean } | null>(null);
  useEffect(() => {
    const over = overIn(answer);
    if (over?.state === "second-step") setSecond({ passkey: over.passkey });
    else if (refusedIn(answer)?.refused.reason === "gone") setSecond(null);
  }, [answer]);
  return second;
}

type In = Extract<Over["over"], { state: "in" }>;

/**
 * After sign-in: newcomers go to the welcome; a page in another language is reloaded unless text is being
 * written.
 */
function goOn({ over, words, locale, close }: { over: In; words: Words; locale: string; close: () => void }) {
  close();
  if (over.to) return location.assign(over.to);
  if (!words.kept && over.locale !== locale) return location.reload();
  words.field?.focus();
}
