import { redirect } from "react-router";
import { introductionsFor } from "#community/discussions";
import type { Viewer } from "#community/rules";
import { removeLogo, SETTING_KEYS, type SettingKey, settingChanges, setLogo } from "#community/settings";
import { invalid, notFound } from "#platform/refusal";
import { useUnsavedGuard } from "../account/settings/unsaved-guard.ts";
import { asked } from "../forms.ts";
import type { House } from "../house.ts";
import { pictureSent } from "../people/picture-sent.ts";
import { ButtonLink, Empty, PageHead, pageMeta, SearchIn } from "../ui/index.ts";
import { Link } from "../ui/link.tsx";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useLocale, useWords } from "../words/index.ts";
import type { Route } from "./+types/settings";
import { settingIn } from "./setting-input.ts";
import { SettingForm } from "./setting-form.tsx";
import { useSettingWords } from "./setting-words.ts";

export const handle = { asides: "none" };

export const loader = reading(async ({ db, house, viewer, url }) => {
  const changes = await settingChanges(db, viewer);
  const { rulesVersion: _counted, ...values } = await house.settings.getNow();
  return {
    values,
    changes: Object.fromEntries(changes.map(({ key, at, by }) => [key, { at, by }])),
    defaults: await house.settings.defaults(),
    search: asked(url, "search"),
    saved: asked(url, "saved", 40),
  };
});

export type SiteSettingsData = Awaited<ReturnType<typeof loader>>;

export const action = acting(async ({ house, viewer, form, url }) => {
  const key = SETTING_KEYS.find((known) => known === form.get("key"));
  if (!key) throw notFound();
  await (key === "logo" ? changeLogo(house, viewer, form) : change(house, viewer, form, key));
  return redirect(urls.siteSettings({ search: asked(url, "search"), saved: key }, key));
});

async function changeLogo(house: House, viewer: Viewer, form: FormData) {
  if (form.get("intent") === "reset") return house.database.inTransaction((tx) => removeLogo(tx, house.settings, viewer));
  const { bytes } = await pictureSent(form);
  return setLogo(house, viewer, bytes);
}

async function change(house: House, viewer: Viewer, form: FormData, key: SettingKey) {
  const value = form.get("intent") === "reset" ? (await house.settings.defaults())[key] : settingIn(key, form.get(key));
  return house.database.inTransaction(async (tx) => {
    await house.settings.set(tx, viewer, { [key]: value });
    if (key === "introductions" && value !== "" && !(await introductionsFor(tx, viewer, String(value))))
      throw invalid("introductions", "You read no such discussion, or nobody can write there any more.");
  });
}

export const meta = pageMeta<SiteSettingsData>((_data, t) => ({ title: t("Settings of the place"), hidden: true }));

export default function SiteSettingsPage({ loaderData: data, actionData }: Route.ComponentProps) {
  const t = useWords();
  useUnsavedGuard();
  const locale = useLocale();
  const parts = useSettingWords();
  const wanted = data.search.toLocaleLowerCase(locale);
  const found = parts
    .map((part) => ({
      ...part,
      settings: part.settings.filter(({ key, label, about }) => `${key} ${label} ${about}`.toLocaleLowerCase(locale).includes(wanted)),
    }))
    .filter((part) => part.settings.length > 0);
  return (
    <>
      <PageHead title={t("Settings of the place")} lead={t("What holds for everybody here. Each saves on its own, and is written down.")} />
      <SearchIn label={t("Search the settings")} hint={t("A word of what you want to change")} search={data.search} className="mb-4" />
      {found.length === 0 && (
        <Empty title={t("No setting is about that.")} action={<ButtonLink to={urls.siteSettings()}>{t("Show all of them")}</ButtonLink>} />
      )}
      {found.map(({ id, title, settings }) => (
        <section key={id} aria-labelledby={`part-${id}`} className="border-t border-line py-6">
          <h2 id={`part-${id}`} className="mb-4 font-serif text-large font-semibold">
            {title}
          </h2>
          {id === "entry" && (
            <p className="mb-6">
              <Link to={urls.welcome({ preview: "1" })}>{t("Look at the round that newcomers are shown")}</Link>
            </p>
          )}
          <div className="grid gap-8">
            {settings.map((setting) => (
              <SettingForm key={setting.key} setting={setting} data={data} refused={actionData?.typed["key"] === setting.key} />
            ))}
          </div>
        </section>
      ))}
    </>
  );
}
