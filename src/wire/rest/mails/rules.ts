import type { MailRules } from "#backend/mails";
import type { Settings } from "#community/settings";

/** Email settings for apps. */
export const mailRulesIn = (settings: Settings) => async (): Promise<MailRules> => ({ perHour: (await settings.get()).mailsPerHour });
