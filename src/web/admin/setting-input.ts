import { defaultSettings, type SettingKey } from "#community/settings";
import { clean } from "../forms.ts";

/** What a form says for a setting, as the kind of value that the setting has; whether it fits is for the settings to say. */
export function settingIn(key: SettingKey, given: FormDataEntryValue | null): unknown {
  const text = typeof given === "string" ? clean(given) : "";
  const before = defaultSettings[key];
  if (typeof before === "boolean") return text === "on";
  if (typeof before === "number") return text.trim() === "" ? Number.NaN : Number(text);
  return text;
}
