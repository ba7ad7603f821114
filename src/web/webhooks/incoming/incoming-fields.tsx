import { LIMITS } from "#community/rules";
import type { Bot } from "#community/bots";
import type { IncomingWebhook } from "#community/webhooks";
import { useTranslate } from "../../i18n/index.ts";
import { SelectField, TextField } from "../../ui/index.ts";
import { OneTimeSecret } from "../../ui/forms/one-time-secret.tsx";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { urls } from "../../urls.ts";
import type { CreatedHook } from "./incoming-commands.ts";

type IncomingFieldsProps = { bots: Bot[]; webhook?: IncomingWebhook };

/** Fields of an incoming webhook: a new one, or the values of an existing one. */
export function IncomingFields({ bots, webhook }: IncomingFieldsProps) {
  const t = useTranslate();
  return (
    <>
      <TextField
        name="name"
        label={t("Name")}
        hint={t("What it is for, such as “Build server”.")}
        defaultValue={webhook?.name}
        required
        maxLength={LIMITS.webhooks.name}
        autoComplete="off"
        dir="auto"
      />
      <SelectField
        name="botId"
        label={t("Bot")}
        hint={t("Posts the messages.")}
        defaultValue={webhook?.bot.id}
      >
        {bots.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        name="discussion"
        label={t("Address of the discussion")}
        hint={t("Messages are posted in this discussion. If empty, each message starts a discussion.")}
        defaultValue={webhook?.discussion ? urls.discussion(webhook.discussion.id) : ""}
        maxLength={LIMITS.url}
        autoComplete="off"
        dir="ltr"
      />
    </>
  );
}

/** Address of a webhook that was created or replaced just now. */
export function CreatedHookAddress() {
  const t = useTranslate();
  const answer = useFormResult<Partial<CreatedHook> | undefined>();
  if (!answer?.hook) return null;
  const { name, key } = answer.hook;
  return (
    <div className="mb-5">
      <OneTimeSecret
        title={name ? t("Webhook “{name}” was created", { name }) : t("The address was replaced")}
        hint={
          name
            ? t("Copy its address now: it is shown only once. Whoever knows it can post.")
            : t("Copy it now: it is shown only once. The previous address stays valid for a day.")
        }
        secret={key}
        copyLabel={t("Copy address")}
      />
    </div>
  );
}
