import { Suspense, type SyntheticEvent, useState } from "react";
import { lazyComponent } from "../client/lazy-component.ts";
import { TextField } from "../ui/index.ts";
import { useTranslate } from "../i18n/index.ts";
import type { FoundSuggestion, Suggestion } from "./mention-suggestions.tsx";

const LazySuggestionList = lazyComponent(() => import("./mention-suggestions.tsx"));

type TypedName = { field: HTMLInputElement; typed: string; from: number; to: number };

type Props = {
  name: string;
  label: string;
  defaultValue?: string;
  hint?: string;
  required?: boolean;
  /** Name of the list of suggestions. */
  listLabel: string;
  /** Address that returns suggestions for the typed letters. */
  ask: (typed: string, field: HTMLInputElement) => string;
  /** Reads the suggestions from the response. */
  as: (found: FoundSuggestion[], typed: string) => Suggestion[];
};

/** Field for usernames, separated by commas. With scripts it suggests people while the viewer types. */
export function UsernamesField({ listLabel, ask, as, hint, ...rest }: Props) {
  const t = useTranslate();
  const [naming, setNaming] = useState<TypedName | null>(null);
  const look = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) =>
    setNaming(findTypedName(currentTarget));
  return (
    <div className="relative">
      <TextField
        {...rest}
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
            label={listLabel}
            ask={ask(naming.typed, naming.field)}
            as={(found) => as(found, naming.typed)}
            written={(person) => `${person.name}, `}
            close={() => setNaming(null)}
          />
        </Suspense>
      )}
    </div>
  );
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
