import { ButtonLink, SubmitButton } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";

/** The two ways on from a step: with what was filled in, or without. */
export function Onwards({ step, next, intent, children }: { step: number; next: string; intent: string; children: string }) {
  const t = useWords();
  return (
    <div className="flex flex-wrap gap-2">
      <SubmitButton busy={t("One moment…")} name="intent" value={intent}>
        {children}
      </SubmitButton>
      {step < 4 && (
        <ButtonLink kind="quiet" to={urls.welcome({ step: step + 1, next })}>
          {t("Skip this")}
        </ButtonLink>
      )}
    </div>
  );
}
