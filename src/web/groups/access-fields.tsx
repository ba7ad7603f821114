import { useState } from "react";
import { useRootData } from "../ui/hooks/use-root-data.ts";
import { useHydrated } from "../ui/hooks/use-hydrated.ts";
import { useFormResult } from "../ui/forms/use-form-result.ts";
import type { RejectedForm } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import { type GroupAccess, readAccess } from "./group-access.ts";
import { useGroupTexts } from "./group-texts.ts";

type AccessChoice<T> = { value: T; name: string; means: string };

const OPEN_ACCESS: GroupAccess = { visibility: "public", joinPolicy: "open", historyPolicy: "shared" };

/**
 * Fields for a group's visibility, join policy and history policy. With scripts, one sentence sums up the
 * choices.
 */
export function AccessFields({ now = OPEN_ACCESS }: { now?: GroupAccess }) {
  const t = useTranslate();
  const { sentence } = useGroupTexts();
  const along = useRootData().community.forMembers
    ? t("All members of the community can find and read it.")
    : t("Everyone can find and read it, guests too.");
  const hydrated = useHydrated();
  const refused = useFormResult<RejectedForm | undefined>();
  const typed = readAccess(refused?.typed ?? {});
  const [visibility, setVisibility] = useState(typed.visibility ?? now.visibility);
  const [joinPolicy, setJoinPolicy] = useState(typed.joinPolicy ?? now.joinPolicy);
  const [historyPolicy, setHistory] = useState(typed.historyPolicy ?? now.historyPolicy);
  const secret = hydrated && visibility === "secret";
  const policy = secret ? "invite" : joinPolicy;
  const openToAll = hydrated && visibility === "public";
  const history = openToAll ? "shared" : historyPolicy;
  const faults = refused?.refused.fields ?? {};
  const fault = faults["joinPolicy"] ?? faults["visibility"] ?? faults["historyPolicy"];
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 phone:grid-cols-2">
        <RadioGroup
          legend={t("Visibility")}
          name="visibility"
          chosen={visibility}
          choose={setVisibility}
          choices={[
            { value: "public", name: t("Public"), means: along },
            {
              value: "private",
              name: t("Private"),
              means: t("Everyone can find it and read its purpose. Only members can read it."),
            },
            { value: "secret", name: t("Secret"), means: t("Only members know of it. Invite only.") },
          ]}
        />
        <RadioGroup
          legend={t("Who can join")}
          name="joinPolicy"
          chosen={policy}
          choose={setJoinPolicy}
          closed={secret ? ["open", "request"] : []}
          choices={[
            {
              value: "open",
              name: t("Open"),
              means: t("Everyone can join directly. Not for secret groups."),
            },
            {
              value: "request",
              name: t("By request"),
              means: t("People send a request and you approve it. Not for secret groups."),
            },
            { value: "invite", name: t("Invite only"), means: t("Members invite people.") },
          ]}
        />
      </div>
      <RadioGroup
        legend={t("History for new members")}
        name="historyPolicy"
        chosen={history}
        choose={setHistory}
        closed={openToAll ? ["from_joining"] : []}
        choices={[
          {
            value: "shared",
            name: t("Everything"),
            means:
              now.historyPolicy === "shared"
                ? t("New members can read everything.")
                : t(
                    "New members can read posts from now on. Earlier posts stay visible to current members " +
                      "only.",
                  ),
          },
          {
            value: "from_joining",
            name: t("From when they join"),
            means: t(
              "Earlier posts stay visible only to people who were members then. Not for public groups.",
            ),
          },
        ]}
      />
      {fault && (
        <p id="field-joinPolicy" className="fault">
          {fault}
        </p>
      )}
      {hydrated && (
        <p role="status" className="rounded-control bg-accent-soft px-3 py-2 font-serif text-read">
          {sentence({ visibility, joinPolicy: policy, historyPolicy: history }, true)}
        </p>
      )}
    </div>
  );
}

type RadioGroup<T> = {
  legend: string;
  name: string;
  chosen: T;
  choose: (value: T) => void;
  choices: AccessChoice<T>[];
  closed?: T[];
};

const RadioGroup = <T extends string>({
  legend,
  name,
  chosen,
  choose,
  choices,
  closed = [],
}: RadioGroup<T>) => (
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
