import { Form } from "react-router";
import { ButtonLink, Notice, SubmitButton } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { AccountFormErrors } from "../account-form-errors.tsx";
import type { StepProps } from "../sign-in/login-step-page.tsx";
import { JoinReasonField } from "../registration/join-reason-field.tsx";
import { StepHeading } from "./step-heading.tsx";

/**
 * Status for people awaiting approval. People who registered with a sign-in provider can state their reason
 * for joining here.
 */
export function RegistrationStatus({ data, answer }: StepProps) {
  const t = useTranslate();
  return (
    <>
      {data.said === "confirmed" && (
        <div className="mb-4">
          <Notice tone="good">{t("Your email address is confirmed.")}</Notice>
        </div>
      )}
      {data.said === "why" && !answer && (
        <div className="mb-4">
          <Notice tone="good">{t("Thank you. The moderators will read it.")}</Notice>
        </div>
      )}
      <StepHeading title={t("Your registration waits for approval")}>
        <p>
          {t(
            "A moderator reviews every registration, usually within a day or two. We email you the decision.",
          )}
        </p>
        <p>{t("You need not do anything until then. Sign in to see whether you were approved.")}</p>
      </StepHeading>
      {data.needsJoinReason && (
        <Form method="post" action={urls.loginPage("status")} className="mb-5 grid gap-4">
          <AccountFormErrors answer={answer} />
          <JoinReasonField />
          <div>
            <SubmitButton busy={t("Sending…")}>{t("Send")}</SubmitButton>
          </div>
        </Form>
      )}
      <div className="flex flex-wrap gap-2">
        <ButtonLink kind="primary" to={urls.login()}>
          {t("Sign in")}
        </ButtonLink>
        <ButtonLink to={urls.home()}>{t("Go to the home page")}</ButtonLink>
      </div>
    </>
  );
}
