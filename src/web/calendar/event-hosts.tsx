import { Form } from "react-router";
import { PersonLink, SubmitButton } from "../ui/index.ts";
import { useTranslate } from "../i18n/index.ts";
import { ScopeField } from "./editing/scope-field.tsx";
import type { EventPageData } from "./event-data.ts";

/** Hosts of an event. One of several can leave; without hosts, the group's moderators manage the event. */
export function EventHosts({ page: { event, can } }: { page: EventPageData }) {
  const t = useTranslate();
  const { hosts } = event;
  if (hosts.length === 0)
    return event.hostId === null ? null : (
      <p className="mt-6 text-small text-quiet">{t("The group's moderators manage this event.")}</p>
    );
  return (
    <section aria-labelledby="hosts" className="mt-6">
      <h2 id="hosts" className="mb-2 font-semibold">
        {hosts.length === 1 ? t("Host") : t("Hosts")}
      </h2>
      <ul className="flex flex-wrap gap-x-5 gap-y-2">
        {hosts.map((host) => (
          <li key={host.id} className="min-w-0">
            <PersonLink person={host} size={24} />
          </li>
        ))}
      </ul>
      {can.stopHosting && hosts.length > 1 && (
        <details className="mt-2 print:hidden">
          <summary className="w-fit text-small text-quiet underline">{t("Stop hosting…")}</summary>
          <Form method="post" className="mt-2 grid justify-items-start gap-3">
            <input type="hidden" name="intent" value="stop-hosting" />
            <input type="hidden" name="eventId" value={event.id} />
            {event.seriesId !== null && (
              <ScopeField name="scope" hint={t("The other hosts keep hosting the event.")} />
            )}
            <SubmitButton kind="plain" busy={t("One moment…")}>
              {t("Stop hosting")}
            </SubmitButton>
          </Form>
        </details>
      )}
    </section>
  );
}
