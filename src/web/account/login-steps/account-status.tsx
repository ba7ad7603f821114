import { AppealForm, SubmittedAppeal } from "../../moderation/appeal-form.tsx";
import { ButtonLink, Notice, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import type { StepProps } from "../sign-in/login-step-page.tsx";
import { SanctionNotice } from "../sanction-notice.tsx";
import { StepHeading } from "./step-heading.tsx";

type AccountStatus = NonNullable<StepProps["data"]["standing"]>;

/** Shows an account's sanction to its owner, also when it signed them out: an email links here. */
export function AccountStatus({ data: { standing, mine } }: StepProps) {
  const t = useTranslate();
  return (
    <>
      <StepHeading title={t("How your account stands")}>
        {!standing && (
          <p>
            {mine
              ? t("Nothing holds against it: you read and write as everybody does.")
              : t("Nothing is told here any more. Sign in to see how it is.")}
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
        <ButtonLink to={urls.home()}>{t("To the start page")}</ButtonLink>
      </p>
    </>
  );
}

/** Appeal form (one appeal only), then its outcome. */
function Appeal({ appeal, open, until }: AccountStatus) {
  const t = useTranslate();
  if (appeal)
    return (
      <SubmittedAppeal
        {...appeal}
        stays={
          appeal.answeredAt && (
            <Rich
              text="<0>It stays as it was decided.</0> That was answered <1></1>."
              parts={[<strong />, <Time at={appeal.answeredAt} />]}
            />
          )
        }
      />
    );
  if (!open) return <Notice>{t("It could be asked for twenty days.")}</Notice>;
  return (
    <AppealForm
      lead={
        <Rich
          text="You can ask once, until <0></0>. Somebody else than who decided looks at it, if there is somebody else. We write to you what comes of it."
          parts={[<Time at={until} />]}
        />
      }
      why={t("Why should it be decided otherwise?")}
      ask={t("Ask that it is looked at again")}
    />
  );
}
