import { useEffect, useRef } from "react";
import type { LetterText } from "#community/mail";
import { languageAttributes, languageName, useLocale, useTranslate } from "../../i18n/index.ts";
import { PersonLink } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import type { LetterPreviewResult, PreviewedLetter } from "./preview-letters.ts";

/** Shows what the author would receive about the typed decision, once a preview was requested. */
export function LetterPreview() {
  const t = useTranslate();
  const result = useFormResult<LetterPreviewResult | null>();
  const box = useRef<HTMLElement>(null);
  const letters = result && "letters" in result ? result.letters : null;
  useEffect(() => {
    if (letters) box.current?.focus();
  }, [letters]);
  if (!letters) return null;
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={t("Preview")}
      className="mt-3 rounded-control border border-dashed border-line p-3"
    >
      <p className="text-small text-quiet">{t("Preview. Nothing is sent yet.")}</p>
      {letters.length === 0 && <p className="mt-2">{t("The author gets no message about this decision.")}</p>}
      {letters.map((letter) => (
        <Letter key={letter.recipient.id} letter={letter} />
      ))}
    </section>
  );
}

function Letter({ letter: { recipient, language, notifications, emails } }: { letter: PreviewedLetter }) {
  const t = useTranslate();
  const locale = useLocale();
  return (
    <div className="mt-3 border-t border-line pt-3">
      <p className="flex flex-wrap items-center gap-2 text-small text-quiet">
        <PersonLink person={recipient} size={24} />
        {t("Language: {language}", { language: languageName(locale, language) })}
      </p>
      {notifications.length > 0 && <h3 className="mt-3 text-small font-semibold">{t("Notification")}</h3>}
      {notifications.map((lines, index) => (
        <div key={index} className="mt-2 border-s-2 border-line ps-3">
          <Lines language={language} lines={lines} />
        </div>
      ))}
      {emails.length > 0 && (
        <>
          <h3 className="mt-3 text-small font-semibold">{t("Email")}</h3>
          <p className="text-small text-quiet">{t("Depends on the notification settings of the author.")}</p>
        </>
      )}
      {emails.map((email) => (
        <Email key={email.subject} email={email} />
      ))}
    </div>
  );
}

function Email({ email: { language, subject, lines, button, footer } }: { email: LetterText }) {
  return (
    <div className="panel mt-2 p-3">
      <p className="font-semibold break-words" {...languageAttributes(language, subject)}>
        {subject}
      </p>
      <Lines language={language} lines={lines} />
      {button && (
        <p className="mt-2 text-small" {...languageAttributes(language, button)}>
          <span className="tag">{button}</span>
        </p>
      )}
      {footer.map((line) => (
        <p
          key={line}
          className="mt-2 text-small break-words text-quiet"
          {...languageAttributes(language, line)}
        >
          {line}
        </p>
      ))}
    </div>
  );
}

const Lines = ({ language, lines }: { language: string; lines: string[] }) =>
  lines.map((line, index) => (
    <p key={index} className="mt-2 break-words whitespace-pre-line" {...languageAttributes(language, line)}>
      {line}
    </p>
  ));
