export { createAccent } from "./accent-colour.ts";
export type { AccentPalette } from "./accent-colour.ts";
export { getLogo, removeLogo, setLogo } from "./logo.ts";
export { newcomerReviewSetting, openSettings, hasWritingLimits } from "./settings.ts";
export type { Settings } from "./settings.ts";
export { type ApiDefaults, HOSTED_DEFAULTS_HINT } from "./hosted-settings.ts";
export {
  defaultSettings,
  parseIntroductionsAddress,
  parseMailRoles,
  parsePurchaseGrants,
} from "./site-settings.ts";
export type { PurchaseGrant, SiteSettings } from "./site-settings.ts";
export { SETTING_KEYS, listSettingChanges } from "./setting-changes.ts";
export type { SettingChange, SettingKey } from "./setting-changes.ts";
