import { redirect } from "react-router";
import { getIntroductionsDiscussion } from "#community/discussions";
import type { Viewer } from "#community/rules";
import { removeLogo, SETTING_KEYS, type SettingKey, listSettingChanges, setLogo } from "#community/settings";
import { invalid, notFound } from "#platform/refusal";
import { useUnsavedGuard } from "../../account/settings/use-unsaved-guard.ts";
import { readQueryParam } from "../../form-parsing.ts";
import type { WebContext } from "../../web-context.ts";
import { receivePicture } from "../../people/pictures/receive-picture.ts";
import { ButtonLink, EmptyState, PageHeader, pageMeta, ListSearch } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { normalizeText } from "../../ui/text/normalize-text.ts";
import { useAdminSections } from "../../layouts/admin-pages.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/site-settings-page";
import { matchesSetting } from "./find-settings.ts";
import { parseSetting } from "./parse-setting.ts";
import { SettingForm } from "./setting-form.tsx";
import { useSettingLabels } from "./setting-labels.ts";

export const loader = defineLoader(async ({ db, app, viewer, url }) => {
  const changes = await listSettingChanges(db, viewer);
  const {
    rulesVersion: _counted,
    reportCategories: _categories,
    siteRules: _rules,
    ...values
  } = await app.settings.getNow();
  return {
    values,
    changes: Object.fromEntries(changes.map(({ key, at, by }) => [key, { at, by }])),
    defaults: await app.settings.defaults(),
    search: readQueryParam(url, "search"),
    saved: readQueryParam(url, "saved", 40),
  };
});

export type SiteSettingsData = Awaited<ReturnType<typeof loader>>;

export const action = defineAction(async ({ app, viewer, form, url }) => {
  const key = SETTING_KEYS.find((known) => known === form.get("key"));
  if (!key) throw notFound();
  await (key === "logo" ? changeLogo(app, viewer, form) : changeSetting(app, viewer, form, key));
  return redirect(urls.siteSettings({ search: readQueryParam(url, "search"), saved: key }, key));
});

async function changeLogo(
  app: Pick<WebContext, "database" | "settings" | "storage">,
  viewer: Viewer,
  form: FormData,
) {
  if (form.get("intent") === "reset")
    return app.database.inTransaction((tx) => removeLogo(tx, app.settings, viewer));
  const { bytes } = await receivePicture(form);
  return setLogo(app, viewer, bytes);
}

async function changeSetting(
  app: Pick<WebContext, "database" | "settings">,
  viewer: Viewer,
  form: FormData,
  key: SettingKey,
) {
  const value =
    form.get("intent") === "reset" ? (await app.settings.defaults())[key] : parseSetting(key, form.get(key));
  return app.database.inTransaction(async (tx) => {
    await app.settings.set(tx, viewer, { [key]: value });
    if (
      key === "introductions" &&
      value !== "" &&
      !(await getIntroductionsDiscussion(tx, viewer, String(value)))
    )
      throw invalid("introductions", "This discussion does not exist or is closed for replies.");
  });
}

export const meta = pageMeta<SiteSettingsData>((_data, t) => ({ title: t("Site settings"), hidden: true }));

export default function SiteSettingsPage({ loaderData: data, actionData }: Route.ComponentProps) {
  const t = useTranslate();
  useUnsavedGuard();
  const parts = useSettingLabels();
  const found = parts
    .map((part) => ({
      ...part,
      settings: part.settings.filter((setting) => matchesSetting(setting, data.search)),
    }))
    .filter((part) => part.settings.length > 0);
  return (
    <>
      <PageHeader
        title={t("Site settings")}
        lead={t("Settings of the whole site. Each is saved separately and logged.")}
      />
      <ListSearch
        label={t("Search settings")}
        hint={t("Search settings")}
        search={data.search}
        className="mb-4"
      />
      <MatchingPages search={data.search} />
      {found.length === 0 && (
        <EmptyState
          title={t("No settings found.")}
          action={<ButtonLink to={urls.siteSettings()}>{t("Show all")}</ButtonLink>}
        />
      )}
      {found.map(({ id, title, settings }) => (
        <section key={id} aria-labelledby={`part-${id}`} className="border-t border-line py-6">
          <h2 id={`part-${id}`} className="mb-4 font-serif text-large font-semibold">
            {title}
          </h2>
          {id === "entry" && (
            <p className="mb-6">
              <Link to={urls.welcome({ preview: "1" })}>{t("Preview the welcome pages")}</Link>
            </p>
          )}
          <div className="grid gap-8">
            {settings.map((setting) => (
              <SettingForm
                key={setting.key}
                setting={setting}
                data={data}
                refused={actionData?.typed["key"] === setting.key}
              />
            ))}
          </div>
        </section>
      ))}
    </>
  );
}

/** Links to other admin pages whose names contain the searched text. */
function MatchingPages({ search }: { search: string }) {
  const t = useTranslate();
  const searched = normalizeText(search);
  const pages = useAdminSections()
    .flatMap((section) => section.pages)
    .filter(({ label }) => searched !== "" && normalizeText(label).includes(searched));
  if (pages.length === 0) return null;
  return (
    <nav aria-label={t("Other pages")} className="mb-4">
      <p className="text-small text-quiet">{t("Other pages")}</p>
      <ul className="flex flex-wrap gap-x-4">
        {pages.map(({ to, label }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
