import type { EmailRules } from "#baas/email";
import type { Settings } from "#community/settings";

/** Email settings for apps. */
export const readEmailRules = (settings: Settings) => async (): Promise<EmailRules> => ({
  perHour: (await settings.get()).mailsPerHour,
});
