import { Form } from "react-router";
import { DigestFields } from "../account/digest-fields.tsx";
import { MailLevelOptions } from "../account/mail-level-options.tsx";
import { FormErrors, Notice } from "../ui/index.ts";
import { useTranslate } from "../i18n/index.ts";
import { StepButtons } from "./step-buttons.tsx";
import type { StepProps } from "./welcome-page.tsx";

export function MailStep({ data: { mailLevel, digest, missed, at } }: StepProps) {
  const t = useTranslate();
  return (
    <Form method="post" className="grid gap-5">
      {missed && (
        <Notice tone="pending">
          {t("{n, plural, one {# group has} other {# groups have}} changed and could not be joined.", {
            n: Number(missed) || 1,
          })}
        </Notice>
      )}
      <FormErrors />
      <h2 className="font-serif text-large font-semibold">{t("How much email do you want?")}</h2>
      <MailLevelOptions chosen={mailLevel} />
      {digest && (
        <div>
          <h3 className="text-large font-semibold">{t("Digest")}</h3>
          <p className="mb-2 text-quiet">
            {t("An email with the top posts that you have not read. None is sent when there is nothing new.")}
          </p>
          <DigestFields every={digest.digestEvery} day={digest.digestDay} />
        </div>
      )}
      <StepButtons step={4} at={at} intent="mail">
        {t("Finish")}
      </StepButtons>
    </Form>
  );
}
