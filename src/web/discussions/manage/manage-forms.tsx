import { type ReactNode, useState } from "react";
import { Form } from "react-router";
import { LIMITS } from "#community/rules";
import { SelectField, SubmitButton, TextField } from "../../ui/index.ts";
import { languageName, LOCALES, useLocale, useTranslate } from "../../i18n/index.ts";
import { useTimeFormats } from "../posts/activity-entries.tsx";
import type { ManageData } from "./manage-discussion-data.ts";
import { TIMER_SECONDS, SLOW_MODE_SECONDS } from "../dates-and-numbers.ts";

type ManageProps = { data: ManageData };

/** The form of one action: what it does, its fields and its button. */
export function ManageForm({
  intent,
  description,
  children,
  send,
  busy,
  kind,
}: {
  intent: string;
  description: ReactNode;
  children?: ReactNode;
  send: string;
  busy: string;
  kind?: "danger";
}) {
  return (
    <Form method="post" className="grid gap-4">
      <input type="hidden" name="intent" value={intent} />
      <p className="text-quiet">{description}</p>
      {children}
      <p>
        <SubmitButton busy={busy} kind={kind}>
          {send}
        </SubmitButton>
      </p>
    </Form>
  );
}

/** The reason, shown in the discussion's activity entry and in the group's log. */
export function ReasonField({ needed = true, hint }: { needed?: boolean; hint?: string }) {
  const t = useTranslate();
  return (
    <TextField
      name="reason"
      label={needed ? t("Reason") : t("Reason (optional)")}
      hint={hint ?? t("Shown in the discussion and in the group's log.")}
      required={needed}
      maxLength={300}
      dir="auto"
      autoComplete="off"
    />
  );
}

export function TitleForm({ data: { discussion, languages } }: ManageProps) {
  const t = useTranslate();
  return (
    <ManageForm
      intent="rename"
      description={t("The change is shown in the discussion.")}
      send={t("Save title and tags")}
      busy={t("Saving…")}
    >
      <TextField
        name="title"
        label={t("Title")}
        defaultValue={discussion.title}
        required
        minLength={LIMITS.title.min}
        maxLength={LIMITS.title.max}
        dir="auto"
        autoComplete="off"
      />
      <TextField
        name="tags"
        label={t("Tags (optional)")}
        hint={t("Up to five, separated by commas.")}
        defaultValue={discussion.tags.join(", ")}
        maxLength={120}
        dir="auto"
        autoComplete="off"
        autoCapitalize="none"
      />
      <LanguageField language={discussion.language} languages={languages} />
      <ReasonField needed={false} />
    </ManageForm>
  );
}

/**
 * Language of the discussion. The languages of the interface come first, since most content is written in
 * them.
 */
function LanguageField({ language, languages }: { language: string; languages: readonly string[] }) {
  const t = useTranslate();
  const locale = useLocale();
  const named = (code: string) => ({ code, name: languageName(locale, code) });
  const [former] = useState(language);
  const others = languages.filter((code) => !(code in LOCALES)).map(named);
  const collator = new Intl.Collator(locale);
  const all = [
    ...Object.keys(LOCALES).map(named),
    ...others.toSorted((a, b) => collator.compare(a.name, b.name)),
  ];
  return (
    <>
      <input type="hidden" name="formerLanguage" value={former} />
      <SelectField
        name="language"
        label={t("Language")}
        hint={t("Used by search and screen readers.")}
        defaultValue={language}
      >
        {all.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
    </>
  );
}

export function SlowModeForm({ data: { discussion } }: ManageProps) {
  const t = useTranslate();
  const { seconds } = useTimeFormats();
  return (
    <ManageForm
      intent="slow"
      description={t("Each member waits this long between two replies. Moderators are exempt.")}
      send={t("Set slow mode")}
      busy={t("Saving…")}
    >
      <SelectField
        name="seconds"
        label={t("Time between two replies")}
        defaultValue={String(discussion.slowSeconds)}
      >
        {SLOW_MODE_SECONDS.map((value) => (
          <option key={value} value={value}>
            {value === "0" ? t("Off") : seconds(Number(value))}
          </option>
        ))}
      </SelectField>
      <ReasonField />
    </ManageForm>
  );
}

export function TimerForm({ data: { discussion } }: ManageProps) {
  const t = useTranslate();
  const { date, seconds } = useTimeFormats();
  const { timer, timerAt, locked } = discussion;
  if (timer && timerAt)
    return (
      <ManageForm
        intent="cancel-timer"
        description={
          timer === "close"
            ? t("Closes for replies {date}.", { date: date(timerAt) })
            : t("Reopens for replies {date}.", { date: date(timerAt) })
        }
        send={t("Cancel timer")}
        busy={t("Cancelling…")}
      >
        <ReasonField needed={false} />
      </ManageForm>
    );
  return (
    <ManageForm
      intent="timer"
      description={
        locked
          ? t("Reopens for replies automatically. The page shows when.")
          : t("Closes for replies automatically. The page shows when.")
      }
      send={t("Set timer")}
      busy={t("Saving…")}
    >
      <input type="hidden" name="timer" value={locked ? "open" : "close"} />
      <SelectField name="span" label={locked ? t("Reopen after") : t("Close after")} defaultValue="86400">
        {TIMER_SECONDS.map((value) => (
          <option key={value} value={value}>
            {seconds(Number(value))}
          </option>
        ))}
      </SelectField>
      <ReasonField />
    </ManageForm>
  );
}

export function ArchiveForm({ data: { discussion } }: ManageProps) {
  const t = useTranslate();
  if (discussion.state === "archived")
    return (
      <ManageForm
        intent="unarchive"
        description={t("This is archived and read-only.")}
        send={t("Unarchive")}
        busy={t("Saving…")}
      >
        <ReasonField needed={false} />
      </ManageForm>
    );
  return (
    <ManageForm
      intent="archive"
      description={t(
        "The discussion stays readable at its address, but nobody can reply, and it disappears " +
          "from all lists. You can unarchive it.",
      )}
      send={t("Archive")}
      busy={t("Saving…")}
    >
      <ReasonField />
    </ManageForm>
  );
}

export function DeleteForm({ data: { discussion } }: ManageProps) {
  const t = useTranslate();
  return (
    <ManageForm
      intent="delete"
      description={t(
        "“{title}” disappears for its readers at once. Moderators can restore it within 30 days; then it is erased.",
        {
          title: discussion.title,
        },
      )}
      send={t("Delete discussion")}
      busy={t("Deleting…")}
      kind="danger"
    >
      <ReasonField
        hint={t(
          "The author can read the reason and appeal once. The reason is also shown in the group's log.",
        )}
      />
    </ManageForm>
  );
}
