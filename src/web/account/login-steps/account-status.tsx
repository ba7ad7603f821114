import { AppealForm, SubmittedAppeal } from "../../moderation/appeals/appeal-form.tsx";
import { ButtonLink, Notice, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import type { StepProps } from "../sign-in/login-step-page.tsx";
import { SanctionNotice } from "../sanction-notice.tsx";
import { StepHeading } from "./step-heading.tsx";

type AccountStatus = NonNullable<StepProps["data"]["standing"]>;

/**
 * Shows a sanction to the account's owner. An email links here, since the sanction may have signed them out.
 */
export function AccountStatus({ data: { standing, mine } }: StepProps) {
  const t = useTranslate();
  return (
    <>
      <StepHeading title={t("Account status")}>
        {!standing && (
          <p>
            {mine
              ? t("Your account has no restrictions.")
              : t("This page has expired. Sign in to see your account status.")}
          </p>
        )}
      </StepHeading>
      {standing && (
        <>
          <SanctionNotice {...standing.sanction} />
          <div className="mt-5">
            <Appeal {...standing} />
          </div>
        </>
      )}
      <p className="mt-5 flex flex-wrap gap-2">
        {!mine && !standing && (
          <ButtonLink kind="primary" to={urls.login()}>
            {t("Sign in")}
          </ButtonLink>
        )}
        <ButtonLink to={urls.home()}>{t("Go to the home page")}</ButtonLink>
      </p>
    </>
  );
}

/** Shows the appeal form or, after the one possible appeal, its outcome. */
function Appeal({ appeal, open, until }: AccountStatus) {
  const t = useTranslate();
  if (appeal)
    return (
      <SubmittedAppeal
        {...appeal}
        stays={
          appeal.answeredAt && (
            <Rich
              text="<0>The decision was upheld</0> <1></1>."
              parts={{ 0: <strong />, 1: <Time at={appeal.answeredAt} /> }}
            />
          )
        }
      />
    );
  if (!open) return <Notice>{t("The 20 days to appeal have passed.")}</Notice>;
  return (
    <AppealForm
      lead={
        <Rich
          text={
            "You can appeal once, until <0></0>. If possible, another moderator decides. We email you " +
            "the result."
          }
          parts={{ 0: <Time at={until} /> }}
        />
      }
      why={t("Why should the decision change?")}
      ask={t("Appeal")}
    />
  );
}
