import type { ReactNode } from "react";
import type { ReportCategory } from "#community/moderation";
import { Form } from "react-router";
import { LIMITS } from "#community/rules";
import { FormErrors, PageHeader, SubmitButton, TextArea } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { useTranslate } from "../../i18n/index.ts";
import { ReportDetailFields } from "./report-detail-fields.tsx";
import { GuestConfirmation } from "./guest-confirmation.tsx";
import { GuestFields } from "./guest-fields.tsx";
import type { GuestFormData } from "./guest-report-form.ts";
import { ReportConfirmation } from "./report-confirmation.tsx";

type Props = {
  title: string;
  /** Name of the reported content. */
  name?: string;
  /** Text that states who will see which part of the report. */
  description: string;
  thanks: string;
  /** Link to the reported content. */
  back: ReactNode;
  categories: ReportCategory[];
  /** Data for the fields of a guest; null for a member. */
  guest: GuestFormData;
  /** Further fields of a kind of content. */
  fields?: ReactNode;
  /** A preview of the content, if it is not shown on another page. */
  children?: ReactNode;
};

/** Report form and, after submitting, its confirmation. */
export function ReportFormPage({
  title,
  name,
  description,
  thanks,
  back,
  categories,
  guest,
  fields,
  children,
}: Props) {
  const t = useTranslate();
  const reported = useFormResult<{ reported?: true }>()?.reported;
  return (
    <>
      <PageHeader title={title} lead={name} />
      {reported && guest ? (
        <GuestConfirmation back={back} />
      ) : reported ? (
        <ReportConfirmation back={back}>{thanks}</ReportConfirmation>
      ) : (
        <>
          <Form method="post" className="grid gap-5">
            <FormErrors />
            <p className="max-w-measure">{description}</p>
            <ReportDetailFields categories={categories} />
            <TextArea
              name="reason"
              label={t("What is wrong?")}
              required
              maxLength={LIMITS.reports.reason}
              dir="auto"
            />
            {fields}
            {guest && <GuestFields challenge={guest.challenge} />}
            <p className="flex flex-wrap gap-2">
              <SubmitButton busy={t("Sending…")}>{t("Report", undefined, "verb")}</SubmitButton>
              {back}
            </p>
          </Form>
          {children}
        </>
      )}
    </>
  );
}
