import { limit, many, sql, type Tx } from "#platform/database";
import { type Mail, queueMails } from "#platform/mail";
import { describeEvent, type MailedEvent } from "./event-emails.ts";
import type { MailContext } from "./mail-context.ts";
import { type BulkRecipient, getMailRecipients } from "./mail-recipient.ts";
import {
  BULK_KINDS,
  createNotificationMail,
  type DueRow,
  mailPerson,
  mailSafely,
  markMailed,
  selectDueRows,
  unsubscribeScope,
  waitingCondition,
} from "./send-notification-mail.ts";

/** Number of people whose reminders are mailed in one transaction: few, so that other work of the process goes on. */
const BATCH_SIZE = 100;
const MAX_ROUNDS = 200;

/**
 * Mails event reminders, which thousands of people may receive at once. Each batch takes a few statements, and
 * its jobs have lower priority than other mail. Returns the number of mails.
 */
export async function sendReminderMail(app: MailContext): Promise<number> {
  const { name } = await app.settings.get();
  let mails = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const people = await app.database.inTransaction((tx) => listReminded(tx));
    const { sent, rest } = await app.database.inTransaction((tx) => mailBatch(tx, app, name, people));
    mails += sent;
    for (const personId of rest) {
      const who = { personId, kinds: BULK_KINDS };
      const more = await mailSafely(app, who, (tx) => mailPerson(tx, app, name, who));
      mails += more;
    }
    if (people.length < BATCH_SIZE) break;
  }
  return mails;
}

/** Reads without locks: a second process finds no waiting rows of people who were mailed meanwhile. */
const listReminded = async (tx: Tx): Promise<string[]> =>
  (
    await many(
      tx,
      sql<{ personId: string }>`
        select distinct n.person_id as "personId" from notifications n
        where n.mail_at <= ${tx.now} and ${waitingCondition(BULK_KINDS)} ${limit(BATCH_SIZE)}`,
    )
  ).map(({ personId }) => personId);

type Reminder = DueRow & { personId: string };

/**
 * Mails people who have one reminder each, in a fixed number of statements. `rest` are the others: with several
 * reminders, word filters, or much mail today.
 */
async function mailBatch(
  tx: Tx,
  app: MailContext,
  community: string,
  people: string[],
): Promise<{ sent: number; rest: string[] }> {
  if (people.length === 0) return { sent: 0, rest: [] };
  const rows = await many(
    tx,
    sql<Reminder>`
      ${selectDueRows(tx, BULK_KINDS, sql`, n.person_id as "personId"`)}
        and n.person_id = any(${people}::uuid[]) and n.object_kind = 'event'
      order by n.person_id, n.mail_at, n.id for update of n skip locked`,
  );
  const recipients = await getMailRecipients(tx, people);
  const byPerson = Map.groupBy(rows, ({ personId }) => personId);
  const isPlain = ({ personId, due }: Reminder) =>
    due && byPerson.get(personId)!.length === 1 && (recipients.get(personId)?.isPlain ?? true);
  const plain = rows.filter(isPlain);
  const events = await listEvents(tx, [...new Set(plain.map(({ objectId }) => objectId))]);
  const mails = plain.flatMap((row) => createReminder(app, community, row, recipients, events) ?? []);
  const mailed = new Set(mails.map(({ row }) => row));
  await queueMails(
    tx,
    mails.map(({ mail }) => mail),
  );
  await markMailed(tx, [...mailed], true);
  await markMailed(
    tx,
    plain.filter((row) => !mailed.has(row)),
    false,
  );
  const rest = rows.filter((row) => !isPlain(row)).map(({ personId }) => personId);
  return { sent: mails.length, rest: [...new Set(rest)] };
}

/** Null for people who may no longer see the event, or want no such mail. */
function createReminder(
  app: MailContext,
  community: string,
  row: Reminder,
  recipients: Map<string, BulkRecipient>,
  events: Map<string, MailedEvent>,
): { row: Reminder; mail: Mail & { messageId: string } } | null {
  const [to, event] = [recipients.get(row.personId), events.get(row.objectId)];
  if (!to || !event || !row.seen || to.stops.includes(unsubscribeScope(row))) return null;
  const notice = describeEvent({ app, to, lead: row, names: [] }, event);
  return {
    row,
    mail: createNotificationMail(app, to, { lead: row, latest: row, notice, community, token: null }),
  };
}

/**
 * Events by their ids. Who may see them is a condition of each notification. The place is left out while the
 * description is hidden, also for hosts, who see it on the page.
 */
async function listEvents(tx: Tx, ids: string[]): Promise<Map<string, MailedEvent>> {
  const rows = await many(
    tx,
    sql<MailedEvent>`
      select e.id, e.title, case when p.state in ('hidden', 'removed') then '' else e.place end as place,
        o.starts_at as "startsAt", e.all_day as "allDay", e.time_zone as "timeZone",
        e.cancelled_at as "cancelledAt", e.postponed_at as "postponedAt",
        json_build_object('name', g.name) as "group"
      from calendar_events e join calendar_occurrences o on o.event_id = e.id
      join groups g on g.id = e.group_id left join posts p on p.id = e.post_id
      where e.id = any(${ids}::uuid[])`,
  );
  return new Map(rows.map((event) => [event.id, event]));
}
