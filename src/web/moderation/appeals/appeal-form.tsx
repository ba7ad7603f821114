import type { ReactNode } from "react";
import { Form } from "react-router";
import { LIMITS } from "#community/rules";
import { FormErrors, Notice, SubmitButton, TextArea, Time } from "../../ui/index.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";

/** Appeal form; only one appeal is possible. `lead` states the deadline and who decides. */
export function AppealForm({ lead, why, ask }: { lead: ReactNode; why: string; ask: string }) {
  const t = useTranslate();
  return (
    <Form method="post" className="grid gap-4">
      <FormErrors />
      <p className="max-w-measure">{lead}</p>
      <TextArea name="text" label={why} required maxLength={LIMITS.appeal.text} rows={6} dir="auto" />
      <div>
        <SubmitButton busy={t("Requesting…")}>{ask}</SubmitButton>
      </div>
    </Form>
  );
}

/**
 * A submitted appeal and its outcome. `stays` states that the appeal was rejected, and when; null while the
 * appeal is undecided.
 */
export function SubmittedAppeal({
  text,
  askedAt,
  stays,
  answer,
}: {
  text: string;
  askedAt: Date;
  stays: ReactNode;
  answer: string;
}) {
  const t = useTranslate();
  return (
    <>
      <Notice tone="pending">
        {stays ? (
          <>
            {stays}
            <QuotedText label={t("Reason")} words={answer} />
          </>
        ) : (
          <Rich
            text="<0>You appealed <1></1>.</0> There is no decision yet."
            parts={{ 0: <strong />, 1: <Time at={askedAt} /> }}
          />
        )}
      </Notice>
      <section aria-label={t("Your text")} className="mt-4 max-w-reading">
        <QuotedText label={t("Your text")} words={text} />
      </section>
    </>
  );
}

/** A person's own text with its label. */
export const QuotedText = ({ label, words }: { label: string; words: string }) => (
  <>
    <p className="mt-2 text-small text-quiet">{label}</p>
    <p dir="auto" className="break-words whitespace-pre-line">
      {words}
    </p>
  </>
);
