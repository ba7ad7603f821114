import { Form } from "react-router";
import type { OutgoingWebhook } from "#community/webhooks";
import { useTranslate } from "../i18n/index.ts";
import { EmptyState, FormErrors, SubmitButton, Tag } from "../ui/index.ts";
import { OneTimeSecret } from "../ui/forms/one-time-secret.tsx";
import { useFormResult } from "../ui/forms/use-form-result.ts";
import { Link } from "../ui/navigation/link.tsx";
import type { CreatedWebhook } from "./webhook-commands.ts";
import { WebhookFields } from "./webhook-form-fields.tsx";
import { type WebhookPlace, webhookUrl } from "./webhook-scope.ts";
import { WebhookSections } from "./webhook-sections.tsx";

/** Secret of a webhook that was created or rotated just now. */
export function CreatedWebhookSecret() {
  const t = useTranslate();
  const answer = useFormResult<Partial<CreatedWebhook> | undefined>();
  if (!answer?.created) return null;
  const { name, key } = answer.created;
  return (
    <div className="mb-5">
      <OneTimeSecret
        title={name ? t("Webhook “{name}” was created", { name }) : t("The secret was replaced")}
        hint={
          name
            ? t("Copy its secret now: it is shown only once. Receivers verify calls with it.")
            : t("Copy it now: it is shown only once. The previous secret stays valid for a day.")
        }
        secret={key}
        copyLabel={t("Copy secret")}
      />
    </div>
  );
}

type WebhookListProps = WebhookPlace & { webhooks: OutgoingWebhook[] };

/** Outgoing webhooks of a group or of the site, and a form for a new one. */
export function WebhookList({ webhooks, group }: WebhookListProps) {
  const t = useTranslate();
  return (
    <>
      {group && <WebhookSections slug={group.slug} current="outgoing" />}
      <CreatedWebhookSecret />
      <section aria-labelledby="webhooks">
        <h2 id="webhooks" className="mb-1 font-serif text-large font-semibold">
          {t("Outgoing webhooks")}
        </h2>
        <p className="mb-3 text-quiet">
          {t(
            "Webhooks send a request to an address of your choice when something happens. The request " +
              "contains only what you can see.",
          )}{" "}
          <a href="/api/docs">{t("API documentation")}</a>
        </p>
        {webhooks.length === 0 && (
          <EmptyState title={t("No webhooks yet.")}>
            {t("For example, post to a team chat when a discussion starts.")}
          </EmptyState>
        )}
        <ul className="border-t border-line empty:hidden" aria-label={t("Outgoing webhooks")}>
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} group={group} />
          ))}
        </ul>
      </section>
      <section aria-labelledby="new-webhook" className="mt-8 border-t border-line py-6">
        <h2 id="new-webhook" className="mb-3 font-serif text-large font-semibold">
          {t("New webhook")}
        </h2>
        <Form method="post" className="grid max-w-2xl grid-cols-1 gap-4" key={webhooks.length}>
          <input type="hidden" name="intent" value="create-webhook" />
          <FormErrors />
          <WebhookFields inGroup={group !== null} />
          <div>
            <SubmitButton busy={t("Creating…")}>{t("Create webhook")}</SubmitButton>
          </div>
        </Form>
      </section>
    </>
  );
}

function WebhookRow({ webhook, group }: { webhook: OutgoingWebhook } & WebhookPlace) {
  const t = useTranslate();
  const { id, name, url, pausedAt, failures, pending } = webhook;
  return (
    <li className="border-b border-line py-3" data-item>
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Link to={webhookUrl({ group }, id)} className="font-semibold break-words">
          <bdi>{name}</bdi>
        </Link>
        {pausedAt !== null ? <Tag>{t("Paused")}</Tag> : failures > 0 && <Tag>{t("Last call failed")}</Tag>}
        {pending > 0 && (
          <span className="text-small text-quiet">
            {t("{count, plural, one {# delivery pending} other {# deliveries pending}}", { count: pending })}
          </span>
        )}
      </p>
      <p className="text-small break-all text-quiet" dir="ltr">
        {url}
      </p>
    </li>
  );
}
