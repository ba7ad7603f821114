import { Form, redirect } from "react-router";
import {
  addSiteRule,
  deleteSiteRule,
  editSiteRule,
  moveSiteRule,
  NewSiteRule,
  retireSiteRule,
  type SiteRule,
  SiteRuleId,
  SiteRuleText,
} from "#community/moderation";
import { SITE_RULE_LIMITS, siteRuleRules, type Viewer } from "#community/rules";
import type { Settings } from "#community/settings";
import type { Tx } from "#platform/database";
import { notFound } from "#platform/refusal";
import { chooseAction, parseForm } from "../form-parsing.ts";
import { ActionForm } from "../people/action-form.tsx";
import { EmptyState, PageHeader, pageMeta, RefusalNotice, SubmitButton, Tag, TextArea } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/site-rules-page";
import { MoveButtons } from "./move-buttons.tsx";

export const loader = defineLoader(async ({ app, viewer }) => {
  if (!siteRuleRules.edit(viewer)) throw notFound();
  return { rules: (await app.settings.getNow()).siteRules };
});

/** Commands of this page, by the form's `intent`. */
const COMMANDS: Record<
  string,
  (tx: Tx, viewer: Viewer, settings: Settings, form: FormData) => Promise<unknown>
> = {
  add: (tx, viewer, settings, form) => addSiteRule(tx, viewer, settings, parseForm(NewSiteRule, form)),
  edit: (tx, viewer, settings, form) => editSiteRule(tx, viewer, settings, parseForm(SiteRuleText, form)),
  up: (tx, viewer, settings, form) =>
    moveSiteRule(tx, viewer, settings, { ...parseForm(SiteRuleId, form), to: "up" }),
  down: (tx, viewer, settings, form) =>
    moveSiteRule(tx, viewer, settings, { ...parseForm(SiteRuleId, form), to: "down" }),
  retire: (tx, viewer, settings, form) =>
    retireSiteRule(tx, viewer, settings, { ...parseForm(SiteRuleId, form), isRetired: true }),
  restore: (tx, viewer, settings, form) =>
    retireSiteRule(tx, viewer, settings, { ...parseForm(SiteRuleId, form), isRetired: false }),
  delete: (tx, viewer, settings, form) => deleteSiteRule(tx, viewer, settings, parseForm(SiteRuleId, form)),
};

export const action = defineAction(async ({ app, viewer, form }) => {
  const command = chooseAction(COMMANDS, form);
  await app.database.inTransaction((tx) => command(tx, viewer, app.settings, form));
  return redirect(urls.siteRules());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Rules of the community"),
  hidden: true,
}));

export default function SiteRules({ loaderData: { rules } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Rules of the community")}
        lead={t(
          "Shown on the rules page, below the text from the site settings; decisions of site moderators can " +
            "cite them. A decision keeps the text as it was.",
        )}
      />
      <RefusalNotice />
      {rules.length === 0 && <EmptyState title={t("No rules yet.")} />}
      <ol className="border-t border-line empty:hidden">
        {rules.map((rule, i) => (
          <RuleRow key={rule.id} rule={rule} first={i === 0} last={i === rules.length - 1} />
        ))}
      </ol>
      {rules.length < SITE_RULE_LIMITS.count && (
        <section aria-labelledby="add" className="mt-8">
          <h2 id="add" className="mb-3 font-serif text-large font-semibold">
            {t("New rule")}
          </h2>
          <Form method="post" key={rules.length} className="grid max-w-xl gap-4">
            <input type="hidden" name="intent" value="add" />
            <TextArea
              name="text"
              label={t("Rule")}
              rows={2}
              style={SHORT_FIELD}
              required
              maxLength={SITE_RULE_LIMITS.text}
              dir="auto"
            />
            <div>
              <SubmitButton busy={t("Saving…")}>{t("Add rule")}</SubmitButton>
            </div>
          </Form>
        </section>
      )}
    </>
  );
}

const SHORT_FIELD = { minHeight: "4rem" };

function RuleRow({ rule, first, last }: { rule: SiteRule; first: boolean; last: boolean }) {
  const t = useTranslate();
  const { id, text, isRetired } = rule;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p dir="auto" className={`break-words ${isRetired ? "text-quiet" : "font-semibold"}`}>
          {text} {isRetired && <Tag>{t("retired")}</Tag>}
        </p>
        <details key={text}>
          <summary className="text-small text-accent" aria-label={t("Edit: {label}", { label: text })}>
            {t("Edit…")}
          </summary>
          <Form method="post" className="mt-2 grid gap-2">
            <input type="hidden" name="intent" value="edit" />
            <input type="hidden" name="id" value={id} />
            <label className="grid gap-1 text-small">
              {t("Rule")}
              <textarea
                name="text"
                rows={2}
                required
                maxLength={SITE_RULE_LIMITS.text}
                dir="auto"
                defaultValue={text}
                className="input"
                style={SHORT_FIELD}
              />
            </label>
            <div>
              <SubmitButton busy={t("Saving…")}>{t("Save")}</SubmitButton>
            </div>
          </Form>
        </details>
      </div>
      <div className="flex flex-wrap gap-2">
        <MoveButtons label={text} fields={{ id }} first={first} last={last} />
        <ActionForm
          intent={isRetired ? "restore" : "retire"}
          fields={{ id }}
          busy={t("One moment…")}
          label={isRetired ? t("Restore: {name}", { name: text }) : t("Retire: {label}", { label: text })}
        >
          {isRetired ? t("Restore") : t("Retire")}
        </ActionForm>
        {isRetired && (
          <ActionForm
            intent="delete"
            fields={{ id }}
            kind="quiet"
            busy={t("Deleting…")}
            label={t("Delete: {label}", { label: text })}
          >
            {t("Delete")}
          </ActionForm>
        )}
      </div>
    </li>
  );
}
