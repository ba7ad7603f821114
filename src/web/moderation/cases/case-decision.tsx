import { Form } from "react-router";
import type { CaseDetails } from "#community/moderation";
import { LIMITS } from "#community/rules";
import { CheckField, Notice, SelectField, SubmitButton, TextArea, TextField } from "../../ui/index.ts";
import { PreviewButton } from "../../composer/text-preview.tsx";
import { numberFormat } from "../../ui/text/intl-formats.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import type { AppealTexts } from "../appeals/appeal-texts.ts";
import { useCaseActionLabels } from "./case-labels.ts";
import { LetterPreview } from "./letter-preview.tsx";
import { UndoDecisionButton } from "./undo-decision.tsx";

/** A note for moderators, and the buttons to submit the decision and to preview its letter. */
function NoteAndSubmit({ children, hint }: { children: string; hint?: string | undefined }) {
  const t = useTranslate();
  return (
    <>
      <TextArea
        name="note"
        label={t("Internal note")}
        hint={hint}
        rows={2}
        maxLength={LIMITS.reports.reason}
        dir="auto"
      />
      <p className="flex flex-wrap gap-2">
        <SubmitButton busy={t("Saving…")}>{children}</SubmitButton>
        <PreviewButton />
      </p>
      <LetterPreview />
    </>
  );
}

/** Form to decide an appeal: whether the content is restored, and the reason, which its author reads. */
export function AppealDecisionForm({ words }: { words: AppealTexts }) {
  const t = useTranslate();
  return (
    <Form method="post" className="panel mt-5 grid gap-4 p-4">
      <input type="hidden" name="intent" value="decide" />
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-semibold">{words.ask}</legend>
        <CheckField type="radio" name="outcome" value="restored" label={words.yes} required />
        <CheckField type="radio" name="outcome" value="rejected" label={words.no} required />
      </fieldset>
      <TextField
        name="reason"
        label={t("Reason")}
        hint={words.reads}
        required
        maxLength={LIMITS.reason}
        dir="auto"
        autoComplete="off"
      />
      <NoteAndSubmit>{t("Send decision")}</NoteAndSubmit>
    </Form>
  );
}

/** Removes the content as spam at once. */
export function SpamButton() {
  const t = useTranslate();
  return (
    <Form method="post" className="mt-3">
      <input type="hidden" name="intent" value="decide" />
      <input type="hidden" name="outcome" value="removed" />
      <input type="hidden" name="reason" value={t("Spam")} />
      <SubmitButton kind="danger" busy={t("Saving…")}>
        {t("Remove as spam")}
      </SubmitButton>
    </Form>
  );
}

/** Times between two replies that a decision can set: unit, count, and the seconds that they are. */
const SLOW_MODE_INTERVALS = [
  ["second", 30, 30],
  ["minute", 1, 60],
  ["minute", 5, 300],
  ["minute", 15, 900],
  ["hour", 1, 3600],
  ["day", 1, 86_400],
] as const;

/** Form to decide about reports: what happens to the content and its author. */
export function CaseDecisionForm({ it }: { it: CaseDetails }) {
  const t = useTranslate();
  const locale = useLocale();
  const { canTakeDown, canReturn, canWarn, canModerateDiscussion, canBan } = it;
  const { canArchive, canRestrict, canNote, rules } = it;
  const canLast = canRestrict || canBan || canModerateDiscussion;
  const outcomes = [
    ...(canTakeDown ? [["removed", t("Remove (report upheld)")]] : []),
    ...(canReturn ? [["returned", t("Ask for changes, hide until they are reviewed")]] : []),
    ...(canWarn ? [["warned", t("Warn the author, change nothing else")]] : []),
    ...(canModerateDiscussion
      ? [
          ["locked", t("Lock the discussion")],
          ["slowed", t("Turn on slow mode in the discussion")],
        ]
      : []),
    ...(canBan
      ? [["banned", canTakeDown ? t("Remove and ban from the group") : t("Ban from the group")]]
      : []),
    ...(canArchive ? [["archived", t("Archive the group (report upheld)")]] : []),
    ...(canRestrict
      ? [
          ["limited", canTakeDown ? t("Remove and restrict the account") : t("Restrict the account")],
          ["suspended", canTakeDown ? t("Remove and suspend the account") : t("Suspend the account")],
        ]
      : []),
    ...(canNote ? [["noted", t("Add a note on the person, without consequences")]] : []),
    ["upheld", canTakeDown || canArchive ? t("Uphold report, keep content") : t("Report upheld")],
    ["rejected", t("Dismiss report")],
  ];
  return (
    <Form method="post" className="panel mt-5 grid gap-4 p-4">
      <input type="hidden" name="intent" value="decide" />
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-semibold">{t("Decision")}</legend>
        {outcomes.map(([value, label]) => (
          <CheckField key={value} type="radio" name="outcome" value={value} label={label!} required />
        ))}
      </fieldset>
      {canModerateDiscussion && (
        <div className="slow-mode-field">
          <SelectField name="seconds" label={t("Time between two replies")} defaultValue="300">
            {SLOW_MODE_INTERVALS.map(([unit, count, seconds]) => (
              <option key={seconds} value={seconds}>
                {numberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count)}
              </option>
            ))}
          </SelectField>
        </div>
      )}
      {canLast && (
        <div className="duration-field">
          <SelectField name="days" label={t("Duration")} defaultValue="7">
            <option value="">{t("No end date")}</option>
            {[1, 7, 30].map((days) => (
              <option key={days} value={days}>
                {t("{count, plural, one {# day} other {# days}}", { count: days })}
              </option>
            ))}
          </SelectField>
        </div>
      )}
      {(canTakeDown || canRestrict || canWarn) && <RuleField rules={rules} />}
      {(canTakeDown || canArchive || canRestrict || canWarn) && (
        <TextField
          name="reason"
          label={canArchive ? t("Reason for archiving") : t("Reason (sent to the author)")}
          hint={
            canArchive
              ? t("Shown in the group's log. Moderators of the group cannot reopen it.")
              : canModerateDiscussion
                ? t("The author can read the reason. For a lock or slow mode, it is shown in the discussion.")
                : t("The author can read the reason.")
          }
          maxLength={LIMITS.reason}
          dir="auto"
          autoComplete="off"
        />
      )}
      <NoteAndSubmit hint={canNote ? t("For a note on the person, enter the note here.") : undefined}>
        {t("Close case")}
      </NoteAndSubmit>
    </Form>
  );
}

/** The rule that a decision cites, of the group or of the community. */
function RuleField({ rules: { group, site } }: Pick<CaseDetails, "rules">) {
  const t = useTranslate();
  if (group.length === 0 && site.length === 0) return null;
  return (
    <SelectField name="rule" label={t("Rule")} hint={t("The author reads the rule with the reason.")}>
      <option value="">{t("None")}</option>
      <RuleOptions label={t("Rules of the group")} rules={group} />
      <RuleOptions label={t("Rules of the community")} rules={site} />
    </SelectField>
  );
}

function RuleOptions({ label, rules }: { label: string; rules: string[] }) {
  if (rules.length === 0) return null;
  return (
    <optgroup label={label}>
      {rules.map((rule, index) => (
        <option key={rule} value={rule}>{`${index + 1}. ${rule}`}</option>
      ))}
    </optgroup>
  );
}

/** The decision, who made it, and the rule that it cites. */
export function DecidedCase({ it, words }: { it: CaseDetails; words: AppealTexts | null }) {
  const t = useTranslate();
  const actions: Partial<Record<string, string>> = useCaseActionLabels();
  const upheld = it.outcome === "upheld";
  const outcome = words
    ? upheld
      ? words.ended.yes
      : words.ended.no
    : upheld
      ? t("Report upheld")
      : t("Report dismissed");
  const action = words ? undefined : actions[it.action ?? ""];
  return (
    <div className="mt-5">
      <Notice tone="good">
        <p>{[outcome, action, it.resolvedBy?.name ?? t("Former member")].filter(Boolean).join(" · ")}</p>
        {it.rule && <p dir="auto">{it.rule}</p>}
        {it.decisionReason && <p dir="auto">{it.decisionReason}</p>}
        {it.answer && <p dir="auto">{it.answer}</p>}
        {it.note && <p dir="auto">{it.note}</p>}
      </Notice>
      {it.canUndo && (
        <div className="mt-3">
          <UndoDecisionButton />
        </div>
      )}
    </div>
  );
}
