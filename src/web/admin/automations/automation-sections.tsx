import { Form } from "react-router";
import type { ReactNode } from "react";
import { Button, FormErrors, SelectField, SubmitButton, TextArea, TextField } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import type { RejectedForm } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { AutomationData } from "./automation-page.tsx";
import { useCallerLabels } from "./automation-labels.ts";

/** A section of the page with its heading. */
export const PageSection = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={id} className="border-t border-line py-6">
    <h2 id={id} className="mb-3 font-serif text-large font-semibold">
      {title}
    </h2>
    {children}
  </section>
);

/** Shows errors above the form that was rejected, since the page has several forms. */
function FormErrorsFor({ intent }: { intent: string }) {
  const answer = useFormResult<RejectedForm | undefined>();
  return answer?.typed?.["intent"] === intent ? <FormErrors /> : null;
}

/** Name of the automation, and who may start and change it. */
export function AutomationSettings({ data: { flow } }: { data: AutomationData }) {
  const t = useTranslate();
  return (
    <PageSection id="settings" title={t("About")}>
      <Form method="post" className="grid max-w-xl gap-4">
        <FormErrorsFor intent="settings" />
        <input type="hidden" name="intent" value="settings" />
        <input type="hidden" name="version" value={flow.version} />
        <TextField
          name="name"
          label={t("Name")}
          defaultValue={flow.name}
          required
          maxLength={100}
          dir="auto"
        />
        <TextField
          name="about"
          label={t("Description (optional)")}
          defaultValue={flow.about}
          maxLength={500}
          dir="auto"
        />
        <SelectField name="who" label={t("Who can start it")} defaultValue={flow.who}>
          {Object.entries(useCallerLabels()).map(([who, words]) => (
            <option key={who} value={who}>
              {words}
            </option>
          ))}
        </SelectField>
        <TextArea
          name="roles"
          label={t("Roles")}
          hint={t("One per line.")}
          defaultValue={flow.roles.join("\n")}
          rows={3}
          dir="auto"
        />
        <SelectField
          name="rights"
          label={t("Run as")}
          hint={t(
            "If you choose “The person who starts it”, runs that are started by an event have the " +
              "rights of a guest.",
          )}
          defaultValue={flow.rights}
        >
          <option value="system">{t("System (full access)")}</option>
          <option value="starter">{t("The person who starts it")}</option>
        </SelectField>
        <div>
          <SubmitButton busy={t("Saving…")}>{t("Save")}</SubmitButton>
        </div>
      </Form>
    </PageSection>
  );
}

/** The whole definition, to copy or paste. */
export function AutomationJson({ data: { flow, json } }: { data: AutomationData }) {
  const t = useTranslate();
  return (
    <PageSection id="json" title={t("As JSON")}>
      <Form method="post" className="grid max-w-3xl gap-4">
        <FormErrorsFor intent="json" />
        <input type="hidden" name="intent" value="json" />
        <input type="hidden" name="version" value={flow.version} />
        <TextArea
          name="definition"
          label={t("Definition")}
          hint={t("Copy this definition, or paste another. Errors name the path, such as steps.2.do.0.")}
          defaultValue={json}
          rows={14}
          dir="ltr"
          spellCheck={false}
          className="font-mono text-small"
        />
        <div>
          <SubmitButton busy={t("Saving…")}>{t("Save definition")}</SubmitButton>
        </div>
      </Form>
    </PageSection>
  );
}

/** Form that starts the automation manually with a given input. */
export function StartAutomationForm({ data: { flow, triggerNames } }: { data: AutomationData }) {
  const t = useTranslate();
  if (!flow.enabled || triggerNames.length === 0) return null;
  return (
    <PageSection id="trial" title={t("Start now")}>
      <Form method="post" className="grid max-w-xl gap-4">
        <input type="hidden" name="intent" value="activate" />
        <SelectField name="trigger" label={t("Trigger")}>
          {triggerNames.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <TextArea
          name="data"
          label={t("Input (optional)")}
          hint={t("Enter a JSON object. Steps use it as {example}", { example: "{{trigger.data}}" })}
          rows={4}
          dir="ltr"
          spellCheck={false}
        />
        <div>
          <SubmitButton busy={t("One moment…")}>{t("Start")}</SubmitButton>
        </div>
      </Form>
    </PageSection>
  );
}

export function RemoveAutomation() {
  const t = useTranslate();
  return (
    <PageSection id="remove" title={t("Delete")}>
      <Form method="post" className="grid max-w-xl gap-4">
        <input type="hidden" name="intent" value="remove" />
        <TextField
          name="confirm"
          label={t("Type the name to confirm")}
          hint={t("The automation's runs are deleted too, including those in progress.")}
          required
          maxLength={100}
          dir="auto"
          autoComplete="off"
        />
        <div>
          <Button type="submit" kind="danger">
            {t("Delete automation")}
          </Button>
        </div>
      </Form>
    </PageSection>
  );
}
