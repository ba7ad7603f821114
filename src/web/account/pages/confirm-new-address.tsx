import { Form } from "react-router";
import { ButtonLink, SubmitButton } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useWords } from "../../words/index.ts";
import { Faults } from "../faults.tsx";
import type { StepProps } from "../login-page.tsx";
import { Heading } from "./heading.tsx";
import { isSpent, SpentLink } from "./spent-link.tsx";

export function ConfirmNewAddress({ data, answer }: StepProps) {
  const t = useWords();
  if (isSpent(data.token, answer))
    return (
      <SpentLink>
        {data.mine ? (
          <ButtonLink kind="primary" to={urls.settings(data.mine, "email")}>
            {t("Ask for a new link in your settings")}
          </ButtonLink>
        ) : (
          <ButtonLink kind="primary" to={urls.login()}>
            {t("Sign in, then change it in your settings")}
          </ButtonLink>
        )}
      </SpentLink>
    );
  return (
    <>
      <Heading title={t("Confirm your new address")}>
        <p>{t("From then on we write to this address only, and you sign in with it.")}</p>
      </Heading>
      <Form method="post" className="grid gap-4">
        <Faults answer={answer} />
        <SubmitButton busy={t("Confirming…")}>{t("Use this address")}</SubmitButton>
      </Form>
    </>
  );
}
