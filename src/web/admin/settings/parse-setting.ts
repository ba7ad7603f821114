import { defaultSettings, type SettingKey } from "#community/settings";
import { cleanText } from "../../form-parsing.ts";

/** Converts a submitted value to the type of the setting; the settings validate it. */
export function parseSetting(key: SettingKey, value: FormDataEntryValue | null): unknown {
  const text = typeof value === "string" ? cleanText(value) : "";
  const before = defaultSettings[key];
  if (typeof before === "boolean") return text === "on";
  if (typeof before === "number") return text.trim() === "" ? Number.NaN : Number(text);
  return text;
}
