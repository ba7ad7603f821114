import { ReadOnlyText } from "../discussions/replies/read-only-text.tsx";
import { ButtonLink, PageHeader } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import type { AccessLostState } from "./use-access-lost.ts";

type AccessLostProps = AccessLostState & {
  /** Link to another page, and its text. */
  to?: { href: string; name: string };
};

/** Shown instead of content that the reader may no longer see. The reader's unsent text can be copied. */
export default function AccessLostPage({ text, to }: AccessLostProps) {
  const t = useTranslate();
  return (
    <div role="alert">
      <PageHeader
        title={t("No longer available")}
        lead={t("The content was removed, or you can no longer read it.")}
      />
      {text.trim() && <ReadOnlyText id="kept-text" label={t("Your unsent text")} text={text} />}
      <p className="mt-5 flex flex-wrap gap-2">
        {to && (
          <ButtonLink kind="primary" to={to.href}>
            {t("Go to {name}", { name: to.name })}
          </ButtonLink>
        )}
        <ButtonLink to={urls.home()}>{t("Go to the home page")}</ButtonLink>
      </p>
    </div>
  );
}
