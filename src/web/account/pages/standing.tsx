import { ButtonLink } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useWords } from "../../words/index.ts";
import type { StepProps } from "../login-page.tsx";
import { Sanction } from "../sanction.tsx";
import { Heading } from "./heading.tsx";

/** What staff decided about an account, for whoever has it: also for who is signed out by it, by the link of a mail. */
export function Standing({ data }: StepProps) {
  const t = useWords();
  return (
    <>
      <Heading title={t("How your account stands")}>
        {!data.sanction && (
          <p>
            {data.mine
              ? t("Nothing holds against it: you read and write as everybody does.")
              : t("Nothing is told here any more. Sign in to see how it is.")}
          </p>
        )}
      </Heading>
      {data.sanction && <Sanction {...data.sanction} />}
      <p className="mt-5 flex flex-wrap gap-2">
        {!data.mine && !data.sanction && (
          <ButtonLink kind="primary" to={urls.login()}>
            {t("Sign in")}
          </ButtonLink>
        )}
        <ButtonLink to={urls.home()}>{t("To the start page")}</ButtonLink>
      </p>
    </>
  );
}
