import { msg } from "#platform/messages";
import { invalid, type Refusal } from "#platform/refusal";
import { PREVENTION_LIMITS } from "#community/rules";

/** A word or domain in a field, as it was typed, and the explanation of its rule. */
type FoundText = { field: string; typed: string; explanation: string };

export function blockedRefusal({ field, typed, explanation }: FoundText): Refusal {
  const word = shorten(typed);
  return invalid(
    field,
    explanation
      ? msg("“{word}” is blocked on this site. {explanation} Leave it out, then send it again.", {
          word,
          explanation,
        })
      : msg("“{word}” is blocked on this site. Leave it out, then send it again.", { word }),
  );
}

export function cannotWaitRefusal({ field, typed, explanation }: FoundText): Refusal {
  const word = shorten(typed);
  return invalid(
    field,
    explanation
      ? msg("“{word}” needs approval, which is not possible for this text. {explanation} Leave it out.", {
          word,
          explanation,
        })
      : msg("“{word}” needs approval, which is not possible for this text. Leave it out.", { word }),
  );
}

const shorten = (typed: string) => typed.slice(0, PREVENTION_LIMITS.watchedWords.phrase).toWellFormed();

export const blockedLinkRefusal = ({ field, typed, explanation }: FoundText): Refusal =>
  invalid(
    field,
    explanation
      ? msg("Links to {domain} are blocked on this site. {explanation} Leave the link out.", {
          domain: typed,
          explanation,
        })
      : msg("Links to {domain} are blocked on this site. Leave the link out.", { domain: typed }),
  );

export const linkCannotWaitRefusal = ({ field, typed, explanation }: FoundText): Refusal =>
  invalid(
    field,
    explanation
      ? msg(
          "Links to {domain} need approval, which is not possible for this text. {explanation} Leave the link out.",
          { domain: typed, explanation },
        )
      : msg("Links to {domain} need approval, which is not possible for this text. Leave the link out.", {
          domain: typed,
        }),
  );
