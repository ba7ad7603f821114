import { LIMITS } from "#community/rules";
import { useWords } from "../words/index.ts";

/** The password requirements, shown before a password is chosen. */
export function usePasswordWords(staff = false): string {
  const t = useWords();
  const { min, staffMin, differentCharacters } = LIMITS.password;
  return t(
    "At least {min} characters, {different} of them different. Four or five words in a row are easy to keep in mind and hard to guess.",
    {
      min: staff ? staffMin : min,
      different: differentCharacters,
    },
  );
}
