import { Form } from "react-router";
import { ButtonLink, SubmitButton } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useWords } from "../../words/index.ts";
import { Faults } from "../faults.tsx";
import type { StepProps } from "../login-page.tsx";
import { Heading } from "./heading.tsx";
import { isSpent, SpentLink } from "./spent-link.tsx";

export function ConfirmAddress({ data, answer }: StepProps) {
  const t = useWords();
  if (isSpent(data.token, answer))
    return (
      <SpentLink>
        {data.pending && (
          <ButtonLink kind="primary" to={urls.loginPage("sent")}>
            {t("Write to me again")}
          </ButtonLink>
        )}
        {/* Signing in with an address that is not confirmed yet leads to a new mail, in any browser. */}
        <ButtonLink kind={data.pending ? "plain" : "primary"} to={urls.login()}>
          {t("Sign in")}
        </ButtonLink>
        <ButtonLink to={urls.register()}>{t("Register")}</ButtonLink>
      </SpentLink>
    );
  return (
    <>
      <Heading title={t("Confirm your address")}>
        <p>{t("One press, and we know that this mailbox is yours.")}</p>
      </Heading>
      <Form method="post" className="grid gap-4">
        <Faults answer={answer} />
        <SubmitButton busy={t("Confirming…")}>{t("Confirm my address")}</SubmitButton>
      </Form>
    </>
  );
}
