import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import type { StepAddress } from "./step-buttons.tsx";

/** Shows the progress through the four steps; completed ones are links. */
export function WelcomeProgress({ step, at }: { step: number; at: StepAddress }) {
  const t = useTranslate();
  const names = [t("You"), t("Rules"), t("Groups"), t("Email")];
  return (
    <nav aria-label={t("Step {step} of {all}", { step, all: names.length })} className="mt-3 mb-6">
      <p className="text-small text-quiet" aria-hidden>
        {t("Step {step} of {all}", { step, all: names.length })}
      </p>
      <ol className="mt-1.5 grid grid-cols-4 gap-1.5">
        {names.map((name, i) => (
          <li
            key={name}
            className={`border-t-4 pt-1 text-small ${i < step ? "border-accent" : "border-line text-quiet"}`}
            aria-current={i + 1 === step ? "step" : undefined}
          >
            {i + 1 < step ? <Link to={urls.welcome({ step: i + 1, ...at })}>{name}</Link> : name}
          </li>
        ))}
      </ol>
    </nav>
  );
}
