import { Form } from "react-router";
import type { CaseDetails } from "#community/moderation";
import { Button, PersonLink, SelectField, SubmitButton, Tag } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import { reportedTitle } from "../reports/report-list.tsx";

/** State and assignee of a case, with buttons to claim, release, hand over, or mark it as a duplicate. */
export function CaseState({ it }: { it: CaseDetails }) {
  const t = useTranslate();
  return (
    <div className="panel mb-5 grid gap-3 p-4">
      <p className="flex flex-wrap items-center gap-2">
        <Tag>
          {it.state === "open" ? t("Open") : it.state === "in_progress" ? t("In progress") : t("Decided")}
        </Tag>
        {it.resolved ? null : it.assignee ? (
          <>
            {t("Assigned to")} <PersonLink person={it.assignee} size={24} />
          </>
        ) : (
          <span className="text-quiet">{t("Not assigned")}</span>
        )}
        {it.newAuthor && <Tag>{t("New account")}</Tag>}
      </p>
      {!it.resolved && (
        <div className="flex flex-wrap items-center gap-2">
          {it.mine ? (
            <CommandButton intent="release">{t("Release case")}</CommandButton>
          ) : (
            <CommandButton intent="claim">
              {it.assignee ? t("Take over case") : t("Claim case")}
            </CommandButton>
          )}
          <a href="#decide" className="button" data-kind="quiet" data-key="a">
            {t("Decide")}
          </a>
        </div>
      )}
      {it.moderators.length > 0 && (
        <details>
          <summary className="button w-fit">{t("Hand over")}</summary>
          <Form method="post" className="mt-2 flex flex-wrap items-end gap-2">
            <input type="hidden" name="intent" value="hand-over" />
            <SelectField name="personId" label={t("Moderator")} required>
              {it.moderators.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
            <SubmitButton kind="plain" busy={t("Saving…")}>
              {t("Hand over")}
            </SubmitButton>
          </Form>
        </details>
      )}
      {it.candidates.length > 0 && (
        <details>
          <summary className="button w-fit">{t("Mark as duplicate")}</summary>
          <Form method="post" className="mt-2 flex flex-wrap items-end gap-2">
            <input type="hidden" name="intent" value="duplicate" />
            <SelectField
              name="originalId"
              label={t("Duplicate of")}
              hint={t("Both cases are decided together.")}
              required
            >
              {it.candidates.map((row) => (
                <option key={row.caseId} value={row.caseId}>
                  {[
                    row.authors.map(({ name }) => name).join(", "),
                    row.place && reportedTitle(row.place),
                    row.reason,
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </option>
              ))}
            </SelectField>
            <SubmitButton kind="plain" busy={t("Saving…")}>
              {t("Mark as duplicate")}
            </SubmitButton>
          </Form>
        </details>
      )}
    </div>
  );
}

const CommandButton = ({ intent, children }: { intent: string; children: string }) => (
  <Form method="post">
    <input type="hidden" name="intent" value={intent} />
    <Button type="submit" data-key="c">
      {children}
    </Button>
  </Form>
);
