import { LIMITS } from "#community/rules";
import { useTranslate } from "../i18n/index.ts";

/** The password requirements, shown before a password is chosen. */
export function usePasswordRequirements(staff = false): string {
  const t = useTranslate();
  const { min, staffMin, differentCharacters } = LIMITS.password;
  return t(
    "At least {min} characters, {different} of them different. Four or five words in a row are easy to remember.",
    {
      min: staff ? staffMin : min,
      different: differentCharacters,
    },
  );
}
