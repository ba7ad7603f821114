import { Form } from "react-router";
import type { ReactNode } from "react";
import { Button, FormFaults, SelectField, SubmitButton, TextArea, TextField } from "../ui/index.ts";
import { useAnswer } from "../ui/use-answer.ts";
import type { Refused } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { FlowData } from "./flow.tsx";
import { useWhoWords } from "./flow-words.ts";

/** A section of the page with its heading. */
export const Part = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={id} className="border-t border-line py-6">
    <h2 id={id} className="mb-3 font-serif text-large font-semibold">
      {title}
    </h2>
    {children}
  </section>
);

/** The page has several forms: errors are shown above the one that was refused. */
function FaultsOf({ intent }: { intent: string }) {
  const answer = useAnswer<Refused | undefined>();
  return answer?.typed?.["intent"] === intent ? <FormFaults /> : null;
}

/** Its name, and who may start and change it. */
export function FlowSettings({ data: { flow } }: { data: FlowData }) {
  const t = useWords();
  return (
    <Part id="settings" title={t("About it")}>
      <Form method="post" className="grid max-w-xl gap-4">
        <FaultsOf intent="settings" />
        <input type="hidden" name="intent" value="settings" />
        <input type="hidden" name="version" value={flow.version} />
        <TextField name="name" label={t("Name")} defaultValue={flow.name} required maxLength={100} dir="auto" />
        <TextField name="about" label={t("What it is for (optional)")} defaultValue={flow.about} maxLength={500} dir="auto" />
        <SelectField name="who" label={t("Who may start it")} defaultValue={flow.who}>
          {Object.entries(useWhoWords()).map(([who, words]) => (
            <option key={who} value={who}>
              {words}
            </option>
          ))}
        </SelectField>
        <TextArea name="roles" label={t("Roles")} hint={t("One on each line.")} defaultValue={flow.roles.join("\n")} rows={3} dir="auto" />
        <SelectField
          name="rights"
          label={t("With whose rights its steps are done")}
          hint={t("Where something that happens starts it, nobody in particular does.")}
          defaultValue={flow.rights}
        >
          <option value="house">{t("Those of the house, which may do everything")}</option>
          <option value="starter">{t("Those of whoever starts it")}</option>
        </SelectField>
        <div>
          <SubmitButton busy={t("Saving…")}>{t("Save")}</SubmitButton>
        </div>
      </Form>
    </Part>
  );
}

/** The whole definition, to copy or paste. */
export function FlowJson({ data: { flow, json } }: { data: FlowData }) {
  const t = useWords();
  return (
    <Part id="json" title={t("As JSON")}>
      <Form method="post" className="grid max-w-3xl gap-4">
        <FaultsOf intent="json" />
        <input type="hidden" name="intent" value="json" />
        <input type="hidden" name="version" value={flow.version} />
        <TextArea
          name="definition"
          label={t("Definition")}
          hint={t("To copy it elsewhere, or to paste one. A place at fault is named: steps.2.do.0")}
          defaultValue={json}
          rows={14}
          dir="ltr"
          spellCheck={false}
          className="font-mono text-small"
        />
        <div>
          <SubmitButton busy={t("Saving…")}>{t("Save the definition")}</SubmitButton>
        </div>
      </Form>
    </Part>
  );
}

/** Starts it manually with given input. */
export function FlowTrial({ data: { flow, triggerNames } }: { data: FlowData }) {
  const t = useWords();
  if (!flow.enabled || triggerNames.length === 0) return null;
  return (
    <Part id="trial" title={t("Start it now")}>
      <Form method="post" className="grid max-w-xl gap-4">
        <input type="hidden" name="intent" value="activate" />
        <SelectField name="trigger" label={t("Trigger")}>
          {triggerNames.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <TextArea
          name="data"
          label={t("What it brings (optional)")}
          hint={t("An object in JSON: steps find it under {example}", { example: "{{trigger.data}}" })}
          rows={4}
          dir="ltr"
          spellCheck={false}
        />
        <div>
          <SubmitButton busy={t("One moment…")}>{t("Start it")}</SubmitButton>
        </div>
      </Form>
    </Part>
  );
}

export function RemoveFlow() {
  const t = useWords();
  return (
    <Part id="remove" title={t("Take it away")}>
      <Form method="post" className="grid max-w-xl gap-4">
        <input type="hidden" name="intent" value="remove" />
        <TextField
          name="confirm"
          label={t("Its name, to be sure")}
          hint={t("Its runs go with it, those that have not ended too.")}
          required
          maxLength={100}
          dir="auto"
          autoComplete="off"
        />
        <div>
          <Button type="submit" kind="danger">
            {t("Take the automation away")}
          </Button>
        </div>
      </Form>
    </Part>
  );
}
