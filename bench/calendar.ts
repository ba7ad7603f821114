import type pg from "pg";
import { emitDueReminders, listFeedEvents } from "#community/calendar";
import { sendNotificationMail, sendReminderMail } from "#community/mail";
import { notifyNextBatch, notifyOfEvent } from "#community/notifications";
import { GUEST } from "#community/rules";
import { many, one, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import { calendarResponse } from "../src/web/feeds/calendar-response.ts";
import { measureApp, type Measured, type MeasuredApp, row } from "./measured-app.ts";

const PEOPLE = 10_000;
const DATES = 500;
const TIMES = 40;
const EVENT = "019a0000-0000-7000-8000-00000000ca1e";
const OCCURRENCE = "019a0000-0000-7000-8000-00000000ca1f";
/** Milliseconds between notifications of other people that are measured beside the reminders. */
const PAUSE = 250;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

/**
 * Measures calendars on a separate server: a feed of as many dates as a feed can have, and the reminders of an
 * event to which ten thousand people go, with the time that another mail takes meanwhile.
 */
export async function measureCalendar(): Promise<Measured[]> {
  return measureApp("calendar", async (app) => {
    await insertEvents(app.database.pool);
    const measured = [await measureFeed(app), ...(await measureReminders(app))];
    return measured;
  });
}

const COLUMNS = "group_id, host_id, title, time_zone, all_day, ends_at, place, companions, created_at";
const GROUP_AND_HOST = `(select id from groups where slug = 'long-beds'),
  (select id from people where username = 'mira')`;

/** Inserts the dates of the feed, and an event an hour ahead with its attendees. */
async function insertEvents(pool: pg.Pool): Promise<void> {
  await pool.query(
    `with e as (
       insert into calendar_events (id, ${COLUMNS})
       select gen_random_uuid(), ${GROUP_AND_HOST}, 'Repair evening', 'Europe/Berlin', false,
         now() + n * interval '1 day' + interval '5 hours', 'Tool shed', 0, now()
       from generate_series(1, ${DATES}) n returning id, ends_at)
     insert into calendar_occurrences (id, event_id, starts_at, ends_at)
     select gen_random_uuid(), id, ends_at - interval '2 hours', ends_at from e`,
  );
  await pool.query(
    `with e as (
       insert into calendar_events (id, ${COLUMNS})
       select '${EVENT}', ${GROUP_AND_HOST}, 'Summer party', 'Europe/Berlin', false,
         now() + interval '4 hours', 'The long bed', 0, now() returning id, ends_at),
     o as (
       insert into calendar_occurrences (id, event_id, starts_at, ends_at, day_reminder_at)
       select '${OCCURRENCE}', id, now() + interval '1 hour', ends_at, now() from e returning id),
     crowd as (
       insert into people (id, username, display_name, email, state, trust, mail_level, created_at, seen_at)
       select gen_random_uuid(), 'guest-' || n, 'Guest ' || n, 'guest-' || n || '@example.org', 'active',
         'established', 'everything', now(), now() from generate_series(1, ${PEOPLE}) n returning id),
     m as (
       insert into memberships (group_id, person_id, state, joined_at, changed_at)
       select (select id from groups where slug = 'long-beds'), id, 'member', now(), now() from crowd)
     insert into attendances (occurrence_id, person_id, answer, answered_at)
     select o.id, crowd.id, 'going', now() from o, crowd`,
  );
  await pool.query("delete from notifications");
  await pool.query("update outbox set handled_at = now() where handled_at is null");
  await pool.query("analyze");
}

async function measureFeed(app: MeasuredApp): Promise<Measured> {
  const { db } = app;
  const { id: groupId } = await one(db, sql<{ id: string }>`select id from groups where slug = 'long-beds'`);
  const request = new Request("http://127.0.0.1/groups/long-beds/events.ics");
  const read = async () => {
    const events = await listFeedEvents(db, GUEST, new Date(), { groupId });
    if (events.length !== DATES) throw new Error(`The feed has ${events.length} dates.`);
    await calendarResponse({ app }, request, events, { name: "Long Beds", shared: true }).text();
  };
  const taken: number[] = [];
  for (let n = 0; n < 2 * TIMES; n++) taken.push(await timed(read));
  return row(`calendar feed of ${DATES} dates`, "p50 ≤ 30 ms", taken.slice(TIMES));
}

async function measureReminders(app: MeasuredApp): Promise<Measured[]> {
  const mailContext = { ...app, replyBox: null };
  const notifying = await timed(async () => {
    await app.database.inTransaction(emitDueReminders);
    const events = await many(
      app.db,
      sql<{ id: string; payload: DomainEvent }>`
        select id, payload from outbox where type = 'calendar.reminder' and handled_at is null`,
    );
    for (const it of events) {
      await notifyOfEvent(app.database, it);
      for (let after = await takeNextBatch(app); after !== null; after = await takeNextBatch(app))
        await notifyNextBatch(app.database, { outboxId: it.id, after });
    }
  });
  const others = await measureOthers(app, () => sendNotificationMail(mailContext), null);
  const reminding = { done: false, ms: 0 };
  const mailing = timed(() => sendReminderMail(mailContext)).then((ms) =>
    Object.assign(reminding, { done: true, ms }),
  );
  const beside = await measureOthers(app, () => sendNotificationMail(mailContext), reminding);
  await mailing;
  const { n } = await one(
    app.db,
    sql<{ n: number }>`select count(*)::int as n from mails where kind = 'notice'
    and recipient like 'guest-%'`,
  );
  if (n !== PEOPLE) throw new Error(`${n} people were reminded by mail.`);
  return [
    row(`reminders: ${PEOPLE} notifications`, "≤ 10 000 ms", [notifying]),
    row(`reminders: ${PEOPLE} mails queued`, "≤ 30 000 ms", [reminding.ms]),
    row("another notification's mail, without reminders", "the yardstick", others),
    row("the same beside the reminders", "p99 ≤ 100 ms more", beside),
  ];
}

/** The next batch of a notification, which is a job; null if there is none. */
async function takeNextBatch(app: MeasuredApp): Promise<string | null> {
  const rows = await many(
    app.db,
    sql<{ after: string }>`
      delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = 'notify' returning j.payload->>'after' as after`,
  );
  return rows[0]?.after ?? null;
}

/** Times of mails about replies, `TIMES` of them or as long as the reminders take. */
async function measureOthers(
  app: MeasuredApp,
  send: () => Promise<number>,
  reminding: { done: boolean } | null,
): Promise<number[]> {
  const taken: number[] = [];
  while (reminding ? !reminding.done : taken.length < TIMES) {
    await app.database.pool.query(
      `insert into notifications (id, person_id, kind, object_kind, object_id, reason, detail, actors, items,
         latest_id, count, words, created_at, updated_at, mail_at)
       select gen_random_uuid(), (select id from people where username = 'tomas'), 'reply', 'discussion', d.id,
         'you_wrote', '', array[p.author_id], array[p.id], p.id, 1, '', now(), now(), now()
       from discussions d join posts p on p.discussion_id = d.id and p.state = 'published'
       where d.group_id = (select id from groups where slug = 'long-beds') and d.state = 'open'
       order by random() limit 1`,
    );
    taken.push(await timed(send));
    await app.database.pool.query("delete from notifications where kind = 'reply'");
    // A person gets a limited number of mails a day.
    await app.database.pool.query("delete from mails where recipient not like 'guest-%'");
    await new Promise((soon) => setTimeout(soon, reminding ? PAUSE : 0));
  }
  return taken;
}
