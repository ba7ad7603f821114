import { Form } from "react-router";
import { ButtonLink, FormErrors, Prose } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { Rich, useTranslate } from "../i18n/index.ts";
import { StepButtons } from "./step-buttons.tsx";
import type { StepProps } from "./welcome-page.tsx";
import { Link } from "../ui/navigation/link.tsx";

export function RulesStep({ data: { rules, at } }: StepProps) {
  const t = useTranslate();
  if (!rules) return null;
  return (
    <Form method="post" className="grid gap-5">
      <FormErrors />
      <h2 className="font-serif text-large font-semibold">{t("Community rules")}</h2>
      <div className="rounded-panel bg-sunken px-5 py-4">
        <Prose html={rules.html} />
      </div>
      <p className="hint">
        <Rich
          text="You can read the rules <0>here</0> at any time."
          parts={{ 0: <Link to={urls.rules()} target="_blank" /> }}
        />
      </p>
      {rules.accepted ? (
        <div className="flex flex-wrap items-center gap-4">
          <ButtonLink kind="primary" to={urls.welcome({ step: 3, ...at })}>
            {t("Continue")}
          </ButtonLink>
          <p className="text-accent">
            <i className="icon icon-check size-4 me-1" />
            {t("You accepted these when you registered.")}
          </p>
        </div>
      ) : (
        <>
          <input type="hidden" name="version" value={rules.version} />
          <StepButtons step={2} at={at} intent="rules">
            {t("Accept")}
          </StepButtons>
        </>
      )}
    </Form>
  );
}
