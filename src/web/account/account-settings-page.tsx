import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { notFound } from "#platform/refusal";
import { requireMember } from "../auth-middleware.ts";
import { chooseAction } from "../form-parsing.ts";
import { PageHeader, pageMeta, Tabs } from "../ui/index.ts";
import { defineAction, defineLoader, requireSignedIn } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import { urls } from "../urls.ts";
import type { Route } from "./+types/account-settings-page";
import { findSettingsPage } from "./settings/settings-anchors.ts";
import { LimitedNotice } from "./settings/limited-notice.tsx";
import { settingsCommands } from "./settings/settings-commands.ts";
import { loadSettingsPage } from "./settings/settings-data.ts";
import { useSettingsPageLabels } from "./settings/settings-labels.ts";
import { SettingsSections } from "./settings/settings-sections.tsx";
import { useUnsavedGuard } from "./settings/use-unsaved-guard.ts";

export const middleware = [requireMember];
export const handle = { asides: "none" };

const assertOwnAccount = (viewerId: string | null, wanted: string | undefined) => {
  if (viewerId === null || viewerId !== wanted?.toLowerCase()) throw notFound();
};

export const loader = defineLoader(async ({ ctx, viewer, params, url }) => {
  assertOwnAccount(viewer.id, params["id"]);
  return loadSettingsPage({ ctx, me: requireSignedIn(viewer), url }, params["page"]);
});

export const action = defineAction(async (it) => {
  assertOwnAccount(it.viewer.id, it.params["id"]);
  return chooseAction(
    settingsCommands,
    it.form,
  )({ ctx: it.ctx, me: requireSignedIn(it.viewer), form: it.form });
});

export const meta = pageMeta((_data, t) => ({ title: t("Settings"), hidden: true }));

export default function SettingsPage({ loaderData: data, actionData }: Route.ComponentProps) {
  const t = useTranslate();
  const labels = useSettingsPageLabels();
  const { page } = data.content;
  const { id } = data.account;
  useUnsavedGuard();
  useOldAnchor(id, page);
  const tabs = labels.map(([name, label]) => ({
    to: urls.settings(id, name),
    label,
    current: name === page,
  }));
  return (
    <>
      <PageHeader title={t("Settings")} />
      {data.sanction && <LimitedNotice sanction={data.sanction} />}
      <Tabs label={t("Settings")} tabs={tabs} wraps="always" />
      <SettingsSections key={page} data={data} answer={actionData} />
    </>
  );
}

/**
 * Redirects old anchors. The settings were once a single page, and emails sent then link to anchors on that
 * page.
 */
function useOldAnchor(id: string, page: string) {
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  const anchor = hash.slice(1);
  const other = findSettingsPage(anchor);
  useEffect(() => {
    if (other && other !== page)
      void navigate(`${urls.settings(id, other)}${search}#${anchor}`, { replace: true });
  }, [anchor, id, navigate, other, page, search]);
}
