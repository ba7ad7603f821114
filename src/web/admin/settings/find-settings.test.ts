import { expect, test } from "vitest";
import type { SettingKey } from "#community/settings";
import { matchesSetting } from "./find-settings.ts";

const matches = (key: SettingKey, typed: string, label = "Label") =>
  matchesSetting({ key, label, about: "Description.", as: "line" }, typed);

test.each<[typed: string, key: SettingKey]>([
  ["approve", "firstPosts"],
  ["branding", "accent"],
  ["2FA", "staffNeedSecondStep"],
  ["smtp", "mailsPerHour"],
  ["upload", "fileMegabytes"],
  ["freigeben", "registration"],
  ["Größe", "programFileMegabytes"],
  ["couleur", "accent"],
  ["sécurité", "staffNeedSecondStep"],
  ["securite", "staffNeedSecondStep"],
  ["correo", "mailRoles"],
  ["مصادقة", "staffNeedSecondStep"],
  ["رفع", "fileMegabytes"],
])("“%s” finds the setting %s", (typed, key) => {
  expect(matches(key, typed)).toBe(true);
});

test("each typed word must match the setting, in any order", () => {
  expect(matches("name", "description label")).toBe(true);
  expect(matches("name", "label nonsense")).toBe(false);
  expect(matches("name", "")).toBe(true);
});
