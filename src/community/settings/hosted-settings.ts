import { defaultSettings, type SiteSettings } from "./site-settings.ts";

/**
 * Settings that differ where the API has the defaults of the hosted service (`apiDefaults`): no limits,
 * checks or restrictions before someone configures them. A stored value always wins.
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

/** Ends the message of a refusal that the hosted defaults would not give. */
export const HOSTED_HINT = "KITH_API_DEFAULTS=hosted allows this call.";
