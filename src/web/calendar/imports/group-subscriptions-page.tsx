import { Form, redirect } from "react-router";
import {
  addSubscription,
  type CalendarSubscription,
  listSubscriptions,
  NewSubscription,
  removeSubscription,
  requestReading,
  SubscriptionRemoval,
} from "#community/calendar";
import { calendarRules, LIMITS, SERVER_LIMITS, type Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { requireMember } from "../../auth-middleware.ts";
import { chooseAction, parseForm } from "../../form-parsing.ts";
import {
  CheckField,
  FormErrors,
  Notice,
  PageHeader,
  pageMeta,
  SubmitButton,
  TextField,
  Time,
} from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/group-subscriptions-page";
import { loadCalendarGroup } from "./calendar-group.ts";
import { SkippedEvents } from "./skipped-events.tsx";
import { useProblemText } from "./subscription-problems.ts";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ ctx, db, viewer, params }) => {
  const { groupId } = params;
  const group = await loadCalendarGroup(db, viewer, { groupId, now: ctx.now, path: urls.groupSubscriptions });
  const subscriptions = await listSubscriptions(db, viewer, group.id, ctx.now);
  const most = SERVER_LIMITS.eventImports;
  return {
    group: { id: group.id, slug: group.slug, name: group.name },
    subscriptions,
    canAdd: calendarRules.subscribe(viewer, group) && subscriptions.length < most.subscriptions,
    most: { events: most.events, dates: most.dates },
    timeZone: ctx.timeZone,
  };
});

const COMMANDS = {
  add: (tx: Tx, viewer: Viewer, form: FormData) =>
    addSubscription(tx, viewer, parseForm(NewSubscription, form)),
  read: (tx: Tx, viewer: Viewer, form: FormData) =>
    requestReading(tx, viewer, parseForm(SubscriptionRemoval, form).subscriptionId),
  remove: (tx: Tx, viewer: Viewer, form: FormData) =>
    removeSubscription(tx, viewer, parseForm(SubscriptionRemoval, form)),
};

export const action = defineAction(async ({ ctx, app, viewer, form, params }) => {
  const command = chooseAction<(typeof COMMANDS)[keyof typeof COMMANDS]>(COMMANDS, form);
  form.set("timeZone", ctx.timeZone);
  await app.database.inTransaction(async (tx) => void (await command(tx, viewer, form)));
  return redirect(urls.groupSubscriptions(params["groupId"]!));
});

type Data = Route.ComponentProps["loaderData"];

export const meta = pageMeta<Data>(({ group }, t) => ({
  title: `${t("Subscribed calendars")} · ${group.name}`,
  hidden: true,
}));

export default function GroupSubscriptionsPage({ loaderData: page }: Route.ComponentProps) {
  const t = useTranslate();
  const { group, subscriptions, canAdd } = page;
  return (
    <>
      <PageHeader
        title={t("Subscribed calendars")}
        lead={
          <Link to={urls.groupEvents(group.slug)} dir="auto">
            {group.name}
          </Link>
        }
      />
      <p className="mb-5">{t("Events of these calendars appear in the group. They are read every day.")}</p>
      <FormErrors />
      {subscriptions.length === 0 && <p className="mb-5 text-quiet">{t("No calendars yet.")}</p>}
      {subscriptions.map((it) => (
        <Subscription key={it.id} it={it} most={page.most} />
      ))}
      {canAdd && <AddSubscription page={page} />}
    </>
  );
}

function Subscription({ it, most }: { it: CalendarSubscription; most: Data["most"] }) {
  const t = useTranslate();
  const problemText = useProblemText(most);
  return (
    <section aria-labelledby={`calendar-${it.id}`} className="mb-6 border-b border-line pb-5">
      <h2 id={`calendar-${it.id}`} className="text-large font-semibold break-words">
        <bdi>{it.name || new URL(it.url).host}</bdi>
      </h2>
      <p className="text-small break-all text-quiet" dir="ltr">
        {it.url}
      </p>
      <p className="mt-1 text-small figures">
        {t("{count, plural, one {# coming event} other {# coming events}}", { count: it.events })}
        {" · "}
        {it.readAt ? (
          <Rich text="Read <0></0>" parts={{ 0: <Time key="read" at={it.readAt} /> }} />
        ) : (
          t("Not read yet")
        )}
      </p>
      {it.error && (
        <div className="mt-3">
          <Notice tone="bad">{problemText(it.error)}</Notice>
        </div>
      )}
      {it.skipped.length > 0 && (
        <details className="mt-3">
          <summary>{t("Left out")}</summary>
          <div className="mt-2">
            <SkippedEvents skipped={it.skipped} />
          </div>
        </details>
      )}
      <Form method="post" preventScrollReset className="mt-3 grid gap-3">
        <input type="hidden" name="subscriptionId" value={it.id} />
        <CheckField
          name="removeEvents"
          value="yes"
          label={t("Also remove its coming events")}
          hint={t("Events that someone answered are cancelled.")}
        />
        <p className="flex flex-wrap gap-2">
          <SubmitButton kind="plain" name="intent" value="read" busy={t("Saving…")}>
            {t("Read now")}
          </SubmitButton>
          <SubmitButton kind="danger" name="intent" value="remove" busy={t("Removing…")}>
            {t("Remove calendar")}
          </SubmitButton>
        </p>
      </Form>
    </section>
  );
}

function AddSubscription({ page: { group, timeZone } }: { page: Data }) {
  const t = useTranslate();
  return (
    <section aria-labelledby="add">
      <h2 id="add" className="mb-3 text-large font-semibold">
        {t("Add calendar")}
      </h2>
      <Form method="post" className="grid grid-cols-1 gap-5">
        <input type="hidden" name="groupId" value={group.id} />
        <TextField
          name="url"
          label={t("Address")}
          hint={t("The public address of the calendar, which often ends in .ics.")}
          placeholder="webcal://"
          inputMode="url"
          required
          maxLength={LIMITS.url}
          dir="ltr"
          autoComplete="off"
        />
        <p className="hint">
          {t("Times for which no time zone is given are times in {zone}.", {
            zone: timeZone.replaceAll("_", " "),
          })}
        </p>
        <p>
          <SubmitButton name="intent" value="add" busy={t("Saving…")}>
            {t("Add calendar")}
          </SubmitButton>
        </p>
      </Form>
    </section>
  );
}
