import { defaultSettings, type SiteSettings } from "./site-settings.ts";

/**
 * Defaults that differ if `apiDefaults` is `hosted`, as in the hosted service that the SDK was made for: no
 * limits, checks or restrictions until an admin configures them. A stored value always has precedence.
 */
const HOSTED_DEFAULTS: Partial<SiteSettings> = {
  confirmAddress: false,
  passwordRules: false,
  signInBackoff: false,
  accountsPerAddress: 0,
  registrationTries: 0,
  apiCalls: 0,
  apiCallsOfPerson: 0,
  filesReadBy: "everybody",
  filesWrittenBy: "everybody",
  whoPublishes: "everybody",
  whoShares: "everybody",
};

export type ApiDefaults = SiteSettings["apiDefaults"];

export const defaultSettingsFor = (apiDefaults: ApiDefaults): SiteSettings => ({
  ...defaultSettings,
  ...(apiDefaults === "hosted" && HOSTED_DEFAULTS),
  apiDefaults,
});

/** Last sentence of a refusal that would not happen with the hosted defaults. */
export const HOSTED_DEFAULTS_HINT = "KITH_API_DEFAULTS=hosted allows this call.";
