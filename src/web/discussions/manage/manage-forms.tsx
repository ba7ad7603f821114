import type { ReactNode } from "react";
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
  says,
  children,
  send,
  busy,
  kind,
}: {
  intent: string;
  says: ReactNode;
  children?: ReactNode;
  send: string;
  busy: string;
  kind?: "danger";
}) {
  return (
    <Form method="post" className="grid gap-4">
      <input type="hidden" name="intent" value={intent} />
      <p className="text-quiet">{says}</p>
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
      hint={hint ?? t("It stands in the discussion and in the log of the group.")}
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
      says={t("A line in the discussion shows what stood here before, and what stands here now.")}
      send={t("Change the title and the tags")}
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
        hint={t("Up to five, with commas between them.")}
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

/** The interface's languages come first, since most content is written in them. */
function LanguageField({ language, languages }: { language: string; languages: readonly string[] }) {
  const t = useTranslate();
  const locale = useLocale();
  const named = (code: string) => ({ code, name: languageName(locale, code) });
  const others = languages.filter((code) => !(code in LOCALES)).map(named);
  const collator = new Intl.Collator(locale);
  const all = [...Object.keys(LOCALES).map(named), ...others.toSorted((a, b) => collator.compare(a.name, b.name))];
  return (
    <SelectField name="language" label={t("Language")} hint={t("Search and screen readers go by it.")} defaultValue={language}>
      {all.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

export function SlowModeForm({ data: { discussion } }: ManageProps) {
  const t = useTranslate();
  const { seconds } = useTimeFormats();
  return (
    <ManageForm
      intent="slow"
      says={t("Everybody waits so long between two of their own replies. Those who look after the group do not.")}
      send={t("Set the pace")}
      busy={t("Saving…")}
    >
      <SelectField name="seconds" label={t("Between two replies")} defaultValue={String(discussion.slowSeconds)}>
        {SLOW_MODE_SECONDS.map((value) => (
          <option key={value} value={value}>
            {value === "0" ? t("Any pace") : seconds(Number(value))}
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
        intent="untime"
        says={
          timer === "close"
            ? t("It closes for replies {date}.", { date: date(timerAt) })
            : t("It opens for replies again {date}.", { date: date(timerAt) })
        }
        send={t("Call it off")}
        busy={t("Calling it off…")}
      >
        <ReasonField needed={false} />
      </ManageForm>
    );
  return (
    <ManageForm
      intent="timer"
      says={
        locked
          ? t("It opens for replies again by itself. Until then, the page says when.")
          : t("It closes for replies by itself. Until then, the page says when.")
      }
      send={locked ? t("Open it then") : t("Close it then")}
      busy={t("Saving…")}
    >
      <input type="hidden" name="timer" value={locked ? "open" : "close"} />
      <SelectField name="span" label={locked ? t("Open it in") : t("Close it in")} defaultValue="86400">
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
        says={t("This is archived: it can be read, not written in.")}
        send={t("Take it out of the archive")}
        busy={t("Saving…")}
      >
        <ReasonField needed={false} />
      </ManageForm>
    );
  return (
    <ManageForm
      intent="archive"
      says={t("It can be read at its address, not written in, and stands in no list any more. You can take it out again.")}
      send={t("Archive it")}
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
      says={t(
        "“{title}” is gone for its readers at once. Those who look after the group can bring it back within 30 days; then it is gone for good.",
        { title: discussion.title },
      )}
      send={t("Delete the discussion")}
      busy={t("Deleting…")}
      kind="danger"
    >
      <ReasonField
        hint={t("Whoever began it will read it, and may ask once that it comes back. It stands in the log of the group, too.")}
      />
    </ManageForm>
  );
}
