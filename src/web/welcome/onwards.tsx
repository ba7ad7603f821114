import { ButtonLink, SubmitButton } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";

type Props = {
  step: number;
  next: string;
  intent: string;
  /** There is nothing to fill in, and so nothing to skip. */ bare?: boolean;
  children: string;
};

/** The two ways on from a step: with what was filled in, or without. */
export function Onwards({ step, next, intent, bare = false, children }: Props) {
  const t = useWords();
  return (
    <div className="flex flex-wrap gap-2">
      <SubmitButton busy={t("One moment…")} name="intent" value={intent}>
        {children}
      </SubmitButton>
      {step < 4 && !bare && (
        <ButtonLink kind="quiet" to={urls.welcome({ step: step + 1, next })}>
          {t("Skip this")}
        </ButtonLink>
      )}
    </div>
  );
}
