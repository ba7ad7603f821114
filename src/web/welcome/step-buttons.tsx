import { ButtonLink, SubmitButton } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";

/** Query parameters of every step: the page to open afterwards, and whether this is a preview. */
export type StepAddress = { next: string; preview?: string };
type Props = {
  step: number;
  at: StepAddress;
  intent: string;
  /** Whether the step has nothing to fill in, and so nothing to skip. */
  bare?: boolean;
  children: string;
};

/** Buttons of a step: save and continue, or skip. */
export function StepButtons({ step, at, intent, bare = false, children }: Props) {
  const t = useTranslate();
  return (
    <div className="flex flex-wrap gap-2">
      <SubmitButton busy={t("One moment…")} name="intent" value={intent}>
        {children}
      </SubmitButton>
      {step < 4 && !bare && (
        <ButtonLink kind="quiet" to={urls.welcome({ step: step + 1, ...at })}>
          {t("Skip")}
        </ButtonLink>
      )}
    </div>
  );
}
