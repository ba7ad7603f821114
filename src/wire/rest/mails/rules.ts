import type { MailRules } from "#backend/mails";
import type { Settings } from "#community/settings";

/** What the settings say of the mail of programs. */
export const mailRulesIn = (settings: Settings) => async (): Promise<MailRules> => ({ perHour: (await settings.get()).mailsPerHour });
