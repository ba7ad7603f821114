import { Form } from "react-router";
import { GROUP_WEBHOOK_EVENTS, WEBHOOK_EVENTS } from "#community/rules";
import type { Delivery, DeliveryDetails } from "#community/webhooks";
import { useTranslate } from "../i18n/index.ts";
import { ActionForm } from "../people/action-form.tsx";
import { EmptyState, NextPageLink, SelectField, Tag, Time } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { useDeliveryStateLabels, useWebhookEventLabels } from "./webhook-labels.ts";
import type { WebhookPageData } from "./webhook-page.tsx";
import { webhookUrl } from "./webhook-scope.ts";

/** Deliveries of a webhook, latest first, with filters and the contents of the one that is open. */
export function DeliveryLog({ data }: { data: WebhookPageData }) {
  const t = useTranslate();
  const { webhook, log, delivery, filter, group } = data;
  const isFiltered = filter.state !== "" || filter.event !== "";
  return (
    <section aria-labelledby="log" className="border-t border-line py-6">
      <h2 id="log" className="mb-1 font-serif text-large font-semibold">
        {t("Deliveries")}
      </h2>
      <p className="mb-3 text-small text-quiet">
        {t("Latest first, kept for 30 days. Failed calls are retried for three days.")}
      </p>
      <LogFilter data={data} />
      {delivery && <OpenDelivery delivery={delivery} />}
      {log.rows.length === 0 && (
        <EmptyState title={isFiltered ? t("No deliveries match.") : t("No deliveries yet.")}>
          {!isFiltered && t("Send a test to see whether the receiver answers.")}
        </EmptyState>
      )}
      <ul className="border-t border-line empty:hidden" aria-label={t("Deliveries")}>
        {log.rows.map((row) => (
          <DeliveryRow
            key={row.id}
            row={row}
            open={row.id === delivery?.id}
            to={webhookUrl({ group }, webhook.id, { ...filter, delivery: row.id })}
          />
        ))}
      </ul>
      <NextPageLink to={log.next && webhookUrl({ group }, webhook.id, { ...filter, after: log.next })} />
    </section>
  );
}

function LogFilter({ data: { filter, group } }: { data: WebhookPageData }) {
  const t = useTranslate();
  const states = useDeliveryStateLabels();
  const events = useWebhookEventLabels();
  return (
    <Form
      key={JSON.stringify(filter)}
      role="search"
      aria-label={t("Filter deliveries")}
      className="mb-4 grid grid-cols-1 items-end gap-3 phone:grid-cols-3"
    >
      <SelectField name="state" label={t("State")} defaultValue={filter.state}>
        <option value="">{t("All")}</option>
        {Object.entries(states).map(([state, label]) => (
          <option key={state} value={state}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField name="event" label={t("Event")} defaultValue={filter.event}>
        <option value="">{t("All")}</option>
        {[...(group ? GROUP_WEBHOOK_EVENTS : WEBHOOK_EVENTS), "test" as const].map((event) => (
          <option key={event} value={event}>
            {events[event]}
          </option>
        ))}
      </SelectField>
      <div>
        <button type="submit" className="button">
          {t("Filter")}
        </button>
      </div>
    </Form>
  );
}

const useEventLabel = () => {
  const labels: Record<string, string> = useWebhookEventLabels();
  return (event: string) => labels[event] ?? event;
};

function DeliveryRow({ row, open, to }: { row: Delivery; open: boolean; to: string }) {
  const t = useTranslate();
  const label = useEventLabel()(row.event);
  const isBad =
    row.state === "failed" || row.state === "cut" || (row.state === "pending" && row.attempts > 0);
  return (
    <li className="border-b border-line py-3" data-item data-delivery={row.id}>
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Link to={to} className="font-semibold" aria-current={open ? "true" : undefined} preventScrollReset>
          {label}
        </Link>
        <span className={isBad ? "text-red" : ""}>
          <Tag>{useDeliveryStateLabels()[row.state]}</Tag>
        </span>
        {row.status !== null && <span className="text-small">{row.status}</span>}
        <span className="text-small text-quiet">
          <Time at={row.happenedAt} />
          {row.attempts > 1 && (
            <> · {t("{count, plural, one {# attempt} other {# attempts}}", { count: row.attempts })}</>
          )}
        </span>
      </p>
      {row.error && (
        <p className="text-small break-words text-red" lang="en" dir="auto">
          {row.error}
        </p>
      )}
    </li>
  );
}

function OpenDelivery({ delivery }: { delivery: DeliveryDetails }) {
  const t = useTranslate();
  const label = useEventLabel()(delivery.event);
  const { id, state, triedAt, nextAt, duration, requestBody, responseBody } = delivery;
  return (
    <article className="panel mb-4 grid grid-cols-1 gap-3 p-4" aria-labelledby="delivery">
      <h3 id="delivery" className="text-base font-semibold">
        {label}
      </h3>
      <dl className="grid grid-cols-1 gap-x-4 gap-y-1 text-small phone:grid-cols-[auto_1fr]">
        <dt className="text-quiet">{t("Message id")}</dt>
        <dd className="break-all" dir="ltr">
          {id}
        </dd>
        {triedAt && (
          <>
            <dt className="text-quiet">{t("Last attempt")}</dt>
            <dd>
              <Time at={triedAt} /> {duration !== null && t("({ms} ms)", { ms: duration })}
            </dd>
          </>
        )}
        {state === "pending" && (
          <>
            <dt className="text-quiet">{t("Next attempt")}</dt>
            <dd>
              <Time at={nextAt} />
            </dd>
          </>
        )}
      </dl>
      {triedAt && requestBody === null && (
        <p className="text-small text-quiet">
          {t("Only the person who owned the webhook at that time can see the content.")}
        </p>
      )}
      <Body title={t("Request")} text={formatJson(requestBody)} />
      <Body title={t("Response")} text={responseBody} />
      <div>
        <ActionForm intent="resend" fields={{ deliveryId: id }} busy={t("Sending…")}>
          {t("Send again")}
        </ActionForm>
      </div>
    </article>
  );
}

/** A long body is stored only in part, and then is no JSON. */
function formatJson(text: string | null): string | null {
  try {
    return text && JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function Body({ title, text }: { title: string; text: string | null }) {
  if (text === null || text === "") return null;
  return (
    <div className="min-w-0">
      <h4 className="mb-1 text-small font-semibold">{title}</h4>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keyboard
        tabIndex={0}
        role="region"
        aria-label={title}
        className="max-h-96 overflow-auto rounded border border-line p-3 text-small break-words whitespace-pre-wrap"
        dir="ltr"
      >
        {text}
      </pre>
    </div>
  );
}
