import { useState } from "react";
import { useActionData } from "react-router";
import type { JoinPolicy, Visibility } from "#community/rules";
import { useHydrated } from "../ui/use-hydrated.ts";
import type { Refused } from "../visit.ts";
import { useWords } from "../words/index.ts";
import { useGroupWords } from "./words.ts";

type Choice<T> = { value: T; name: string; means: string };

/** Who finds the group and who gets in. With scripts one sentence says what both choices mean together. */
export function DoorChoice() {
  const t = useWords();
  const { sentence } = useGroupWords();
  const hydrated = useHydrated();
  const refused = useActionData<Refused | undefined>();
  const [visibility, setVisibility] = useState((refused?.typed["visibility"] ?? "public") as Visibility);
  const [joinPolicy, setJoinPolicy] = useState((refused?.typed["joinPolicy"] ?? "open") as JoinPolicy);
  const secret = hydrated && visibility === "secret";
  const policy = secret ? "invite" : joinPolicy;
  const fault = refused?.refused.fields["joinPolicy"] ?? refused?.refused.fields["visibility"];
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 phone:grid-cols-2">
        <Radios
          legend={t("Who finds and reads it")}
          name="visibility"
          chosen={visibility}
          choose={setVisibility}
          choices={[
            { value: "public", name: t("Public"), means: t("Anyone finds it and reads along, guests too.") },
            { value: "private", name: t("Private"), means: t("Anyone finds it and sees its purpose. Only members read.") },
            { value: "secret", name: t("Secret"), means: t("Nobody but its members knows of it. By invitation.") },
          ]}
        />
        <Radios
          legend={t("Who gets in")}
          name="joinPolicy"
          chosen={policy}
          choose={setJoinPolicy}
          closed={secret ? ["open", "request"] : []}
          choices={[
            { value: "open", name: t("Open to all"), means: t("Whoever likes joins at once. Not for a secret group.") },
            { value: "request", name: t("On request"), means: t("People ask, and you decide. Not for a secret group.") },
            { value: "invite", name: t("By invitation"), means: t("Members invite people.") },
          ]}
        />
      </div>
      {fault && (
        <p id="field-joinPolicy" className="fault">
          {t(fault)}
        </p>
      )}
      {hydrated && (
        <p role="status" className="rounded-control bg-accent-soft px-3 py-2 font-serif text-read">
          {sentence({ visibility, joinPolicy: policy }, true)}
        </p>
      )}
    </div>
  );
}

type Radios<T> = { legend: string; name: string; chosen: T; choose: (value: T) => void; choices: Choice<T>[]; closed?: T[] };

const Radios = <T extends string>({ legend, name, chosen, choose, choices, closed = [] }: Radios<T>) => (
  <fieldset className="panel p-4">
    <legend className="label float-start mb-2 w-full">{legend}</legend>
    <div className="clear-both grid gap-3">
      {choices.map(({ value, name: words, means }) => (
        <div key={value}>
          <label className="check">
            <input
              type="radio"
              name={name}
              value={value}
              checked={chosen === value}
              disabled={closed.includes(value)}
              onChange={() => choose(value)}
              aria-describedby={`${name}-${value}`}
            />
            {words}
          </label>
          <p id={`${name}-${value}`} className="hint ps-7">
            {means}
          </p>
        </div>
      ))}
    </div>
  </fieldset>
);
