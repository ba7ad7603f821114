import { type ReactNode, useEffect, useRef } from "react";
import { Form, useLocation } from "react-router";
import { SubmitButton } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import { AccountFormErrors } from "../account-form-errors.tsx";
import { findRejectedForm } from "../../ui/forms/form-result.ts";
import type { SettingsSectionProps } from "./settings-data.ts";

type Props = SettingsSectionProps & {
  /**
   * Name of the command. Field names begin with it (`intent-field`), so that one page can have several
   * forms.
   */
  intent: string;
  /** Title of the form, if its section has several. */
  title?: string;
  children: ReactNode;
  save: string;
  busy?: string;
  saved?: string;
  kind?: "primary" | "plain" | "danger";
  /** Whether the intent is also an anchor, for a section with several forms. */
  anchor?: boolean;
  /** Whether saving affects the whole page (such as its language), so that it is loaded again. */
  whole?: boolean;
};

/**
 * One form of the settings. It is saved separately, and shows a confirmation or, beside its fields, errors.
 */
export function SettingsForm({
  intent,
  data,
  answer,
  title,
  children,
  save,
  busy,
  saved,
  kind = "primary",
  anchor = false,
  whole = false,
}: Props) {
  const t = useTranslate();
  const form = useRef<HTMLFormElement>(null);
  const { key } = useLocation();
  const isSaved = data.saved === intent && answer === undefined;
  const savedAt = isSaved ? key : null;
  useEffect(() => {
    // The saved values are the new defaults, and passwords are cleared.
    if (savedAt !== null) form.current?.reset();
  }, [savedAt]);
  const mine = findRejectedForm(answer)?.typed["intent"] === intent;
  return (
    <Form
      method="post"
      reloadDocument={whole}
      ref={form}
      id={anchor ? intent : undefined}
      className="grid scroll-mt-20 grid-cols-1 gap-4"
      preventScrollReset
    >
      <input type="hidden" name="intent" value={intent} />
      {title && <h3 className="text-base font-semibold">{title}</h3>}
      {mine && <AccountFormErrors answer={answer} />}
      {children}
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton kind={kind} busy={busy ?? t("Saving…")}>
          {save}
        </SubmitButton>
        <p role="status" className="text-accent empty:hidden">
          {isSaved && (
            <>
              <i className="icon icon-check size-4 me-1" />
              {saved ?? t("Saved")}
            </>
          )}
        </p>
      </div>
    </Form>
  );
}

/** Error of a field of this form after a rejected submission. */
export const fieldError = (answer: unknown, field: string): string | undefined =>
  findRejectedForm(answer)?.refused.fields[field];
