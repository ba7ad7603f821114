export { accentOf } from "./accent.ts";
export type { Accent } from "./accent.ts";
export { logoFor, removeLogo, setLogo } from "./logo.ts";
export { firstLook, openSettings, writingIsLimited } from "./settings.ts";
export type { Settings } from "./settings.ts";
export { defaultSettings, introductionsIn, mailRolesIn, purchaseGrantsIn } from "./site-settings.ts";
export type { PurchaseGrant, SiteSettings } from "./site-settings.ts";
export { SETTING_KEYS, settingChanges } from "./desk.ts";
export type { SettingChange, SettingKey } from "./desk.ts";
