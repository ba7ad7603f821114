import { KeptText } from "../discussions/kept-text.tsx";
import { ButtonLink, PageHead } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import type { ShutOff } from "./use-shut.ts";

type Props = ShutOff & { /** Where to go from here, and its name. */ to?: { href: string; name: string } };

/** Stands where something was that its reader may not read any more; their own words are still theirs. */
export default function ShutPage({ text, to }: Props) {
  const t = useWords();
  return (
    <div role="alert">
      <PageHead
        title={t("This is not open to you any more")}
        lead={t("It was taken away, or you are not among those who may read it now.")}
      />
      {text.trim() && <KeptText id="kept-text" label={t("What you were writing here")} text={text} />}
      <p className="mt-5 flex flex-wrap gap-2">
        {to && (
          <ButtonLink kind="primary" to={to.href}>
            {t("Go to {name}", { name: to.name })}
          </ButtonLink>
        )}
        <ButtonLink to={urls.home()}>{t("To the start page")}</ButtonLink>
      </p>
    </div>
  );
}
