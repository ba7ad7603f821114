import { Suspense, useEffect, useRef, useState } from "react";
import { useFetcher, useLocation } from "react-router";
import { lazyComponent } from "../../client/lazy-component.ts";
import { Button } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import type { DialogSignInResult } from "./complete-sign-in.ts";
import { findRejectedForm, isFormResult } from "../../ui/forms/form-result.ts";
import type { GuestText } from "./guest-text.ts";
import { TwoFactorForm } from "./two-factor-form.tsx";
import { SignInForm } from "./sign-in-form.tsx";

// Passkey sign-in is a separate chunk, because every page loads this dialog, but few people use passkeys.
const LazyPasskeySignIn = lazyComponent(() => import("../passkeys/passkey-sign-in.tsx"));

/** Sign-in dialog over the page: password, then two-factor if required. */
export default function SignInModal({ text, close }: { text: GuestText; close: () => void }) {
  const t = useTranslate();
  const locale = useLocale();
  const dialog = useRef<HTMLDialogElement>(null);
  const fetcher = useFetcher<unknown>();
  const { pathname, search } = useLocation();
  const over = findOverlayResult(fetcher.data);
  const second = useTwoFactorStep(fetcher.data);
  const busy = fetcher.state !== "idle";
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (over?.state === "in") finishSignIn({ over, text, locale, close: () => dialog.current?.close() });
  }, [over, text, locale]);
  const way = { next: pathname + search, kept: text.kept, keptPlace: text.place, over: true };
  return (
    <dialog ref={dialog} className="sheet" aria-labelledby="sign-in-title" onClose={close}>
      <header className="mb-4 flex items-start justify-between gap-4">
        <h2 id="sign-in-title" className="font-serif text-title font-semibold">
          {second ? t("Two-factor authentication") : text.kept ? t("Sign in to send") : t("Sign in")}
        </h2>
        <Button
          kind="quiet"
          aria-label={t("Close")}
          onClick={() => dialog.current?.close()}
          className="-me-2 -mt-1 px-2"
        >
          <i className="icon icon-x size-5" />
        </Button>
      </header>
      {text.kept && !over && <p className="mb-4 text-quiet">{t("Your text stays here.")}</p>}
      {over?.state === "waits" ? (
        <p>
          {t("This account is not active yet.")}{" "}
          <a href={over.to} target="_blank" rel="noopener">
            {t("View status")}
          </a>
        </p>
      ) : second ? (
        <>
          <TwoFactorForm
            context={way}
            answer={over ? undefined : fetcher.data}
            busy={busy}
            as={fetcher.Form}
            id="over-"
          />
          <Suspense>
            {second.passkey && <LazyPasskeySignIn context={way} fetcher={fetcher} second />}
          </Suspense>
        </>
      ) : (
        <SignInForm context={way} answer={fetcher.data} busy={busy} as={fetcher.Form} id="over-">
          <Suspense>
            <LazyPasskeySignIn context={way} fetcher={fetcher} />
          </Suspense>
          <p className="border-t border-line pt-4">
            {t("New here?")} <Link to={urls.register({ next: pathname + search })}>{t("Sign up")}</Link>
          </p>
        </SignInForm>
      )}
    </dialog>
  );
}

const findOverlayResult = (answer: unknown): DialogSignInResult["over"] | undefined =>
  isFormResult<DialogSignInResult>(answer, "over") ? answer.over : undefined;

/** Returns the two-factor step after a correct password, until it succeeds or sign-in has to start again. */
function useTwoFactorStep(answer: unknown): { passkey: boolean } | null {
  const [second, setSecond] = useState<{ passkey: boolean } | null>(null);
  useEffect(() => {
    const over = findOverlayResult(answer);
    if (over?.state === "second-step") setSecond({ passkey: over.passkey });
    else if (findRejectedForm(answer)?.refused.reason === "gone") setSecond(null);
  }, [answer]);
  return second;
}

type SignedInResult = Extract<DialogSignInResult["over"], { state: "in" }>;

/**
 * After sign-in, newcomers go to the welcome page. A page in another language is reloaded, unless a text is
 * being written.
 */
function finishSignIn({
  over,
  text,
  locale,
  close,
}: {
  over: SignedInResult;
  text: GuestText;
  locale: string;
  close: () => void;
}) {
  close();
  if (over.to) return location.assign(over.to);
  if (!text.kept && over.locale !== locale) return location.reload();
  text.field?.focus();
}
