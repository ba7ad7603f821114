import { urls } from "../../urls.ts";
import { ButtonLink } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { refusedIn } from "../faults.tsx";
import type { StepProps } from "../login-page.tsx";
import PasskeyWay from "../passkeys/passkey-way.tsx";
import { SecondStepForm } from "../second-step-form.tsx";
import { Heading } from "./heading.tsx";

export function SecondStep({ data, answer, busy }: StepProps) {
  const t = useWords();
  if (!data.halfWay || refusedIn(answer)?.refused.reason === "gone")
    return (
      <>
        <Heading title={t("Please sign in once more")}>
          <p>{t("The second step has to follow within ten minutes and five tries.")}</p>
        </Heading>
        <ButtonLink kind="primary" to={urls.login({ next: data.next })}>
          {t("Sign in")}
        </ButtonLink>
      </>
    );
  return (
    <>
      <Heading title={t("One more step")}>
        <p>{t("Your password was right. Now show that your phone is with you.")}</p>
      </Heading>
      <SecondStepForm way={{ next: data.next }} answer={answer} busy={busy} />
      {data.by === "passkey" && <PasskeyWay way={{ next: data.next }} second />}
    </>
  );
}
