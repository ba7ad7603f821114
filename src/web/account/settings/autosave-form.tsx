import { type ReactNode, useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router";
import { SubmitButton } from "../../ui/index.ts";
import { useHydrated } from "../../ui/hooks/use-hydrated.ts";
import { useTranslate } from "../../i18n/index.ts";
import { AccountFormErrors } from "../account-form-errors.tsx";
import { findRejectedForm } from "../../ui/forms/form-result.ts";
import type { SettingsSectionProps } from "./settings-data.ts";

type Props = SettingsSectionProps & {
  /** Name of the command, and anchor of the form. */
  intent: string;
  title?: string;
  children: ReactNode;
  /** Label of the button that is shown without scripts. */
  save: string;
  anchor?: boolean;
};

/** A form of choices. With scripts each change is saved immediately; without scripts a button saves them. */
export function AutosaveForm({ intent, data, answer, title, children, save, anchor = false }: Props) {
  const t = useTranslate();
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const fetcher = useFetcher<unknown>();
  const [isStale, setStale] = useState(false);
  const idle = fetcher.state === "idle";
  const isBusy = isStale || !idle;
  useEffect(() => {
    // A change made during a save is sent after it, so that the server receives the changes in order.
    if (!isStale || !idle) return;
    setStale(false);
    form.current?.requestSubmit();
  }, [isStale, idle]);
  const latest = fetcher.data ?? answer;
  const isRefused = findRejectedForm(latest)?.typed["intent"] === intent;
  const isSaved = fetcher.data === undefined ? data.saved === intent && answer === undefined : !isRefused;
  return (
    <fetcher.Form
      method="post"
      ref={form}
      id={anchor ? intent : undefined}
      className="grid scroll-mt-20 grid-cols-1 gap-4"
      onChange={() => setStale(true)}
    >
      <input type="hidden" name="intent" value={intent} />
      {hydrated && <input type="hidden" name="on-change" value="on" />}
      {title && <h3 className="text-base font-semibold">{title}</h3>}
      {isRefused && <AccountFormErrors answer={latest} />}
      {children}
      <div className="flex min-h-6 flex-wrap items-center gap-3">
        {!hydrated && <SubmitButton busy={t("Saving…")}>{save}</SubmitButton>}
        <p role="status" className="text-accent empty:hidden">
          {isBusy && t("Saving…")}
          {isSaved && !isBusy && (
            <>
              <i className="icon icon-check size-4 me-1" />
              {t("Saved")}
            </>
          )}
        </p>
      </div>
    </fetcher.Form>
  );
}
