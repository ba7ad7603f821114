import { useEffect, useRef } from "react";
import type { RejectedForm } from "../request-context.ts";
import { useRootData } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { useLocale, useTranslate } from "../i18n/index.ts";
import { findRejectedForm, isFormResult } from "../ui/forms/form-result.ts";

type SuspensionDetails = { because: string | null; until: Date | null; standing: string };
const findSuspension = (answer: unknown): SuspensionDetails | undefined =>
  isFormResult<{ shut: SuspensionDetails }>(answer, "shut") ? answer.shut : undefined;

/** Errors of a form, shown above it. Receives the focus when it appears. */
export function AccountFormErrors({ answer }: { answer: unknown }) {
  const box = useRef<HTMLDivElement>(null);
  const refused = findRejectedForm(answer);
  const shut = findSuspension(answer);
  useEffect(() => {
    if (refused || shut) box.current?.focus();
  }, [refused, shut]);
  if (!refused && !shut) return null;
  return (
    <div ref={box} tabIndex={-1} role="alert" className="notice" data-tone="bad">
      <div>{shut ? <Suspended {...shut} /> : <RefusalMessage {...refused!.refused} />}</div>
    </div>
  );
}

function RefusalMessage({ message, reason, retryAfter }: RejectedForm["refused"]) {
  const t = useTranslate();
  if (reason !== "too-many" || retryAfter === undefined) return <p>{message}</p>;
  const minutes = Math.ceil(retryAfter / 60);
  return (
    <>
      <p className="font-semibold">
        {retryAfter < 90
          ? t("Wait {seconds, plural, one {# second} other {# seconds}} before the next attempt.", {
              seconds: retryAfter,
            })
          : t("Wait {minutes, plural, one {# minute} other {# minutes}} before the next attempt.", {
              minutes,
            })}
      </p>
      <p>{t("Sign-in slows down after several attempts, to protect your account.")}</p>
    </>
  );
}

function Suspended({ because, until, standing }: SuspensionDetails) {
  const t = useTranslate();
  const locale = useLocale();
  const { timeZone } = useRootData();
  const date =
    until && new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone }).format(new Date(until));
  return (
    <>
      <p className="font-semibold">
        {date ? t("This account is suspended until {date}.", { date }) : t("This account is suspended.")}
      </p>
      {because && <p dir="auto">{t("Reason: {reason}", { reason: because })}</p>}
      <p>
        <Link to={urls.loginPage("standing", { token: standing })}>{t("Account status")}</Link>
      </p>
    </>
  );
}
