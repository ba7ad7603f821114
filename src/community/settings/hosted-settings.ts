import { defaultSettings, type SiteSettings } from "./site-settings.ts";

/**
 * What differs where the API has the defaults of the hosted service (`apiDefaults`): nothing there is limited, asked for or forbidden
 * before somebody configures it. A value that an admin has stored always wins.
 */
const HOSTED: Partial<SiteSettings> = {
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

/** What holds where nobody has set anything. */
export const defaultsWith = (apiDefaults: ApiDefaults): SiteSettings => ({
  ...defaultSettings,
  ...(apiDefaults === "hosted" && HOSTED),
  apiDefaults,
});

/** Ends the sentence of a refusal that the defaults of the hosted service would not give. */
export const HOSTED_ALLOWS = "KITH_API_DEFAULTS=hosted allows this call.";
