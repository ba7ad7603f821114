import { Form } from "react-router";
import {
  CheckField,
  Field,
  FormErrors,
  PersonLink,
  SelectField,
  SubmitButton,
  TextArea,
  TextField,
  Time,
} from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import type { SettingLabels } from "./setting-labels.ts";
import type { SiteSettingsData } from "./site-settings-page.tsx";

type Props = { setting: SettingLabels; data: SiteSettingsData; refused: boolean };

/**
 * Form of one setting: its effect, value and default, and who changed it when. Each setting is saved
 * separately.
 */
export function SettingForm({ setting, data, refused }: Props) {
  const t = useTranslate();
  const { key } = setting;
  const isDefault = data.values[key] === data.defaults[key];
  return (
    <Form
      key={JSON.stringify(data.values[key])}
      method="post"
      encType={setting.as === "picture" ? "multipart/form-data" : undefined}
      id={key}
      className="grid scroll-mt-16 gap-2"
      preventScrollReset
    >
      {refused && <FormErrors />}
      <input type="hidden" name="key" value={key} />
      <SettingInput setting={setting} value={data.values[key]} />
      <p className="hint">
        <DefaultValue setting={setting} value={data.defaults[key]} /> ·{" "}
        <LastChange change={data.changes[key]} />
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton kind="plain" name="intent" value={`save ${key}`} busy={t("Saving…")}>
          {t("Save")}
        </SubmitButton>
        {!isDefault && (
          <SubmitButton kind="quiet" name="intent" value="reset" busy={t("Saving…")}>
            {t("Reset")}
          </SubmitButton>
        )}
        <p role="status" className="text-accent empty:hidden">
          {data.saved === key && !refused && (
            <>
              <i className="icon icon-check size-4 me-1" />
              {t("Saved")}
            </>
          )}
        </p>
      </div>
    </Form>
  );
}

type Value = SiteSettingsData["values"][SettingLabels["key"]];

/** Formats the value for its input: empty if it is off or unset. */
const formatSetting = (value: Value) =>
  value === null ? "" : value === true ? "on" : value === false ? "off" : String(value);

function SettingInput({
  setting: { key, label, about, as },
  value,
}: {
  setting: SettingLabels;
  value: Value;
}) {
  if (as === "switch")
    return <CheckField name={key} value="on" label={label} hint={about} defaultChecked={value === true} />;
  const shared = { name: key, label, hint: about, defaultValue: formatSetting(value) };
  if (as === "text") return <TextArea {...shared} rows={6} dir="auto" />;
  if (as === "number") return <TextField {...shared} type="number" min={0} inputMode="numeric" />;
  if (as === "picture") return <PictureSetting label={label} hint={about} id={String(value)} />;
  if (as === "colour") return <TextField {...shared} type="color" />;
  if (as === "line") return <TextField {...shared} dir="auto" />;
  return (
    <SelectField {...shared}>
      {as.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </SelectField>
  );
}

function PictureSetting({ label, hint, id }: { label: string; hint: string; id: string }) {
  return (
    <>
      <Field name="picture" label={label} hint={hint}>
        {(tie) => (
          <input
            {...tie}
            type="file"
            accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
            className="input"
          />
        )}
      </Field>
      {id && (
        <img
          src={urls.logo(id)}
          alt=""
          className="max-h-24 max-w-48 justify-self-start rounded-control bg-sunken"
        />
      )}
    </>
  );
}

function DefaultValue({ setting: { as }, value }: { setting: SettingLabels; value: Value }) {
  const t = useTranslate();
  const setting = formatSetting(value);
  if (as === "switch") return t("Default: {value}", { value: value === true ? t("on") : t("off") });
  if (as === "picture") return t("Default: none");
  if (typeof as !== "string")
    return t("Default: {value}", { value: as.find((choice) => choice.value === setting)?.label ?? setting });
  return setting === ""
    ? t("Default: empty")
    : t("Default: {value}", { value: setting.replaceAll("\n", " ") });
}

function LastChange({ change }: { change: SiteSettingsData["changes"][string] | undefined }) {
  const t = useTranslate();
  if (!change) return t("not changed");
  return (
    <span>
      <Rich text="changed <0></0>" parts={{ 0: <Time at={change.at} /> }} />
      {change.by && (
        <>
          {" · "}
          <PersonLink person={change.by} size={20} />
        </>
      )}
    </span>
  );
}
