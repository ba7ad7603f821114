import { Suspense, type SyntheticEvent, useState } from "react";
import type { Recipient } from "#community/conversations";
import { lazyComponent } from "../../client/lazy-component.ts";
import { TextField } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Suggestion } from "../../composer/mention-suggestions.tsx";

const LazySuggestionList = lazyComponent(() => import("../../composer/mention-suggestions.tsx"));

type TypedName = { field: HTMLInputElement; typed: string; from: number; to: number };

/**
 * Field for user names, separated by commas. With scripts it suggests people while the viewer types, and
 * says why some accept no messages.
 */
export function RecipientField({
  hint,
  ...rest
}: {
  name: string;
  label: string;
  defaultValue?: string;
  hint?: string;
}) {
  const t = useTranslate();
  const [naming, setNaming] = useState<TypedName | null>(null);
  const why = useUnavailableReasons();
  const look = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) =>
    setNaming(findTypedName(currentTarget));
  // A name that is typed completely gets no suggestions, since the list would cover the fields below.
  const offered = (people: Recipient[], typed: string): Suggestion[] =>
    people
      .filter(({ name, why: reason }) => reason !== null || name !== typed.toLowerCase())
      .map(({ why: reason, ...person }) => ({ ...person, cannot: reason && why[reason] }));
  return (
    <div className="relative">
      <TextField
        {...rest}
        required
        maxLength={700}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        autoComplete="off"
        hint={hint ?? t("Usernames, separated by commas.")}
        onInput={look}
        onClick={look}
        onBlur={() => setNaming(null)}
      />
      {naming && (
        <Suspense>
          <LazySuggestionList
            {...naming}
            label={t("Recipients")}
            ask={urls.whoCanBeWrittenTo(naming.typed)}
            as={(found) => offered(found as Recipient[], naming.typed)}
            written={(person) => `${person.name}, `}
            close={() => setNaming(null)}
          />
        </Suspense>
      )}
    </div>
  );
}

function useUnavailableReasons(): Record<NonNullable<Recipient["why"]>, string> {
  const t = useTranslate();
  return {
    limited: t("Your account is restricted: you can message friends and moderators of your groups only."),
    newcomer: t("New members can message friends and moderators of their groups only."),
    nobody: t("Accepts no new conversations."),
    friends: t("Accepts messages of friends only."),
    groups: t("Accepts messages of friends and group members only."),
    connected: t("Accepts messages of friends, their friends and group members only."),
    everyone: t("Not available for messages."),
  };
}

/** The name being typed: from the previous comma to the caret. */
function findTypedName(field: HTMLInputElement): TypedName | null {
  const to = field.selectionStart ?? 0;
  const from = field.value.lastIndexOf(",", to - 1) + 1;
  const typed = field.value.slice(from, to).trim();
  return typed === "" || to !== field.selectionEnd
    ? null
    : { field, typed, from: from + (field.value[from] === " " ? 1 : 0), to };
}
