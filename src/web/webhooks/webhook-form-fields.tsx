import { GROUP_WEBHOOK_EVENTS, LIMITS, WEBHOOK_EVENTS } from "#community/rules";
import type { OutgoingWebhook } from "#community/webhooks";
import { useTranslate } from "../i18n/index.ts";
import type { RejectedForm } from "../request-context.ts";
import { CheckField, TextField } from "../ui/index.ts";
import { useFormResult } from "../ui/forms/use-form-result.ts";
import { useWebhookEventLabels } from "./webhook-labels.ts";

/** Fields of a webhook: a new one, or the values of an existing one. `inGroup`: without events of the site. */
export function WebhookFields({ webhook, inGroup }: { webhook?: OutgoingWebhook; inGroup: boolean }) {
  const t = useTranslate();
  return (
    <>
      <TextField
        name="name"
        label={t("Name")}
        hint={t("What it is for, such as “Team chat”.")}
        defaultValue={webhook?.name}
        required
        maxLength={LIMITS.webhooks.name}
        autoComplete="off"
        dir="auto"
      />
      <TextField
        name="url"
        type="url"
        label={t("Address")}
        hint={t("Receives a POST request with JSON for each event.")}
        placeholder="https://"
        defaultValue={webhook?.url}
        required
        maxLength={LIMITS.url}
        autoComplete="off"
        dir="ltr"
      />
      <EventFields webhook={webhook} inGroup={inGroup} />
      {!inGroup && (
        <TextField
          name="groups"
          label={t("Only these groups")}
          hint={t("The last part of each group's address, separated by commas. If empty, all groups.")}
          defaultValue={webhook?.groups.map(({ slug }) => slug).join(", ")}
          autoComplete="off"
          dir="ltr"
        />
      )}
      <TextField
        name="tags"
        label={t("Only these tags")}
        hint={t(
          "Separated by commas. With tags, only discussions, posts and resources are sent. If " +
            "empty, everything is.",
        )}
        defaultValue={webhook?.tags.join(", ")}
        autoComplete="off"
        dir="auto"
      />
    </>
  );
}

function EventFields({ webhook, inGroup }: { webhook: OutgoingWebhook | undefined; inGroup: boolean }) {
  const t = useTranslate();
  const labels = useWebhookEventLabels();
  const answer = useFormResult<Partial<RejectedForm> | undefined>();
  const fault = answer?.refused?.fields["events"];
  return (
    <fieldset id="field-events" className="min-w-0" aria-describedby={fault ? "events-fault" : undefined}>
      <legend className="mb-2 font-semibold">{t("Events")}</legend>
      {fault && (
        <p className="fault mb-2" id="events-fault">
          {fault}
        </p>
      )}
      <div className="grid grid-cols-1 gap-x-4 gap-y-1 phone:grid-cols-2 tablet:grid-cols-3">
        {(inGroup ? GROUP_WEBHOOK_EVENTS : WEBHOOK_EVENTS).map((event) => (
          <CheckField
            key={event}
            name={`event-${event}`}
            label={labels[event]}
            value="on"
            defaultChecked={webhook?.events.includes(event) ?? false}
          />
        ))}
      </div>
    </fieldset>
  );
}
