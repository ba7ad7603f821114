import { DAY, HOUR, addMilliseconds } from "#platform/clock";
import { type Db, limit, many, one, run, sql, type Tx } from "#platform/database";
import { invalid } from "#platform/refusal";
import { z } from "zod";
import { isDiscussionReadable } from "#community/groups";
import type { FollowLevel } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import type { NotifyLevel } from "#community/groups";
import { type MailLevel as Level, setMailLevel } from "#community/accounts";
import {
  type DeliveryChoice,
  NOTIFICATION_KIND_DEFINITIONS,
  type MailLevel,
  NOTIFICATION_KINDS,
  type NotificationKind,
  notificationRules,
  type SignedIn,
  type Viewer,
} from "#community/rules";
import { PUSH_DELAY_SECONDS } from "./create-notifications.ts";

export type NotificationSettings = {
  mailLevel: MailLevel;
  /** The effective choice for each kind: the stored one, or the default. */
  kinds: ({ kind: NotificationKind } & DeliveryChoice)[];
  quietFrom: string | null;
  quietTo: string | null;
  quietDays: number[];
  pausedUntil: Date | null;
  digestEvery: DigestSettings["every"];
  digestDay: number;
  strangersApart: boolean;
  newcomersApart: boolean;
  groups: { id: string; slug: string; name: string; level: NotifyLevel }[];
  /** Watched and muted discussions, latest first. */
  discussions: { id: string; title: string; level: FollowLevel }[];
};

const WEEKDAY = z.coerce.number().int().min(1).max(7);
const CLOCK_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const TIME_INPUT = z.string().regex(CLOCK_TIME, "Enter a time such as 22:00.");

export const QuietHoursInput = z.object({
  from: TIME_INPUT.or(z.literal("")).default(""),
  to: TIME_INPUT.or(z.literal("")).default(""),
  days: z.array(WEEKDAY).max(7).default([]),
});
export const DigestSettings = z.object({ every: z.enum(["never", "day", "week", "month"]), day: WEEKDAY });
export type DigestSettings = z.output<typeof DigestSettings>;
export const SenderFolderSettings = z.object({ strangers: z.boolean(), newcomers: z.boolean() });
const PAUSE_SPANS = { hour: HOUR, day: DAY, week: 7 * DAY, none: 0 } as const;
export const PauseInput = z.object({ span: z.enum(["hour", "day", "week", "none"]) });
const KindChoice = z.object({ shown: z.boolean(), mailed: z.boolean(), pushed: z.boolean() });
export const KindChoices = z.partialRecord(z.enum(NOTIFICATION_KINDS), KindChoice);

/** Maximum number of discussions listed in the settings. */
const MAX_FOLLOWED = 50;

/**
 * All notification settings of the viewer.
 * @throws `not-signed-in`
 */
export async function getNotificationSettings(
  db: Db,
  viewer: Viewer,
  now: Date,
): Promise<NotificationSettings> {
  const me = requireSignedIn(viewer);
  const [row, chosen, groups, discussions] = await Promise.all([
    one(db, settingsColumns(me, now)),
    many(
      db,
      sql<
        { kind: string } & DeliveryChoice
      >`select kind, shown, mailed, pushed from notification_choices where person_id = ${me.id}`,
    ),
    many(
      db,
      sql<NotificationSettings["groups"][number]>`
        select g.id, g.slug, g.name, m.notify_level as level from memberships m
        join groups g on g.id = m.group_id and g.state <> 'deleted'
        where m.person_id = ${me.id} and m.state = 'member' order by lower(g.name), g.id limit 200`,
    ),
    many(
      db,
      sql<NotificationSettings["discussions"][number]>`
        select d.id, d.title, rs.level from read_positions rs
        join discussions d on d.id = rs.discussion_id and d.state <> 'deleted'
        join groups g on g.id = d.group_id left
        join memberships m on m.group_id = g.id and m.person_id = rs.person_id
        where rs.person_id = ${me.id} and rs.level in ('watching', 'muted')
          and ${isDiscussionReadable("d", "g", "m")}
        order by d.last_post_at desc, d.id desc ${limit(MAX_FOLLOWED)}`,
    ),
  ]);
  const own = new Map(chosen.map((it) => [it.kind, it]));
  const kinds = NOTIFICATION_KINDS.filter((kind) => notificationRules.concerns(me, kind)).map((kind) => {
    const { shown, mailed, pushed } = own.get(kind) ?? notificationRules.usual(kind, row.mailLevel);
    return { kind, shown, mailed, pushed };
  });
  return { ...row, kinds, groups, discussions };
}

const settingsColumns = (me: SignedIn, now: Date) => sql<
  Omit<NotificationSettings, "kinds" | "groups" | "discussions">
>`
  select p.mail_level as "mailLevel", to_char(s.quiet_from, 'HH24:MI') as "quietFrom",
    to_char(s.quiet_to, 'HH24:MI') as "quietTo",
    coalesce(s.quiet_days, '{1,2,3,4,5,6,7}') as "quietDays", case
      when s.paused_until > ${now} then s.paused_until end as "pausedUntil",
    coalesce(s.digest_every, 'week') as "digestEvery", coalesce(s.digest_day, 1) as "digestDay",
    coalesce(s.strangers_apart, false) as "strangersApart",
    coalesce(s.newcomers_apart, false) as "newcomersApart"
  from people p left join notification_settings s on s.person_id = p.id where p.id = ${me.id}`;

/**
 * Saves choices by kind. A choice equal to the default is not stored, so that it changes with the default.
 * Options that cannot be chosen stay unchanged.
 */
export async function saveKindChoices(
  tx: Tx,
  viewer: Viewer,
  choices: z.output<typeof KindChoices>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const { mailLevel } = await one(
    tx,
    sql<{ mailLevel: MailLevel }>`select mail_level as "mailLevel" from people where id = ${me.id}`,
  );
  const chosen = NOTIFICATION_KINDS.filter((kind) => choices[kind]);
  const all = chosen.map((kind) => {
    const [open, usual, wanted] = [
      notificationRules.open(kind),
      notificationRules.usual(kind, mailLevel),
      choices[kind]!,
    ];
    const it = {
      kind,
      shown: !open.shown || wanted.shown,
      mailed: open.mailed && wanted.mailed,
      pushed: wanted.pushed,
    };
    return {
      ...it,
      usual: it.shown === usual.shown && it.mailed === usual.mailed && it.pushed === usual.pushed,
    };
  });
  const rows = (
    which: typeof all,
  ) => sql`unnest(${which.map((it) => it.kind)}::text[], ${which.map((it) => it.shown)}::boolean[],
    ${which.map((it) => it.mailed)}::boolean[], ${which.map((it) => it.pushed)}::boolean[]) it (kind, shown,
      mailed, pushed)`;
  await run(
    tx,
    sql`delete from notification_choices where person_id = ${me.id} and kind = any(${chosen}::text[])`,
  );
  await run(
    tx,
    sql`insert into notification_choices (person_id, kind, shown, mailed, pushed)
        select ${me.id}, kind, shown, mailed, pushed from ${rows(all.filter((it) => !it.usual))}
        on conflict (person_id, kind) do update set shown = excluded.shown, mailed = excluded.mailed,
          pushed = excluded.pushed`,
  );
  // Cancels waiting mail and push that the new choices exclude.
  await run(
    tx,
    sql`update notifications n set mail_at = case when it.mailed then n.mail_at end, push_at = case
      when it.pushed then n.push_at end
        from ${rows(all)} where n.person_id = ${me.id} and n.kind = it.kind and n.read_at is null
          and n.withdrawn_at is null
          and (n.mail_at is not null or n.push_at is not null)`,
  );
}

/** Sets the mail level and removes the mail choices for single kinds. */
export async function changeMailLevel(tx: Tx, viewer: Viewer, level: Level): Promise<void> {
  const me = requireSignedIn(viewer);
  const { kinds } = await getNotificationSettings(tx, me, tx.now);
  await setMailLevel(tx, me, level);
  const choices: z.output<typeof KindChoices> = {};
  for (const it of kinds)
    choices[it.kind] = { ...it, mailed: notificationRules.usual(it.kind, level).mailed };
  await saveKindChoices(tx, me, choices);
}

const upsertSettings = async (tx: Tx, me: SignedIn, change: ReturnType<typeof sql>) => {
  await run(tx, sql`insert into notification_settings (person_id) values (${me.id}) on conflict do nothing`);
  await run(tx, sql`update notification_settings set ${change} where person_id = ${me.id}`);
};

/**
 * Reschedules waiting mail and push by the new pauses and quiet hours; whatever is no longer delayed is
 * sent.
 */
const rescheduleWaiting = (tx: Tx, me: SignedIn) =>
  run(
    tx,
    sql`update notifications n set
          mail_at = case when n.mailed_at is null
            and n.mail_at is not null then ${afterPauseAndQuietHours(
              tx.now,
              sql`${waitingSince}
              + make_interval(secs => k.hold)`,
            )} else n.mail_at end,
          push_at = case when n.pushed_at is null
            and n.push_at is not null then ${afterPauseAndQuietHours(
              tx.now,
              sql`
            n.updated_at + make_interval(secs => ${PUSH_DELAY_SECONDS}::int)`,
            )} else n.push_at end
        from people p join notification_settings s on s.person_id = p.id,
          unnest(${NOTIFICATION_KINDS}::text[], ${KIND_DELAYS}::int[]) k (kind, hold)
        where n.person_id = p.id and p.id = ${me.id} and k.kind = n.kind and n.read_at is null
          and n.withdrawn_at is null
          and (n.mail_at is not null or n.push_at is not null)`,
  );
const KIND_DELAYS = NOTIFICATION_KINDS.map((kind) => NOTIFICATION_KIND_DEFINITIONS[kind].hold);
/**
 * Time from which the delay of a mail counts. For the first mail about a subject it is the creation; after a
 * mail was sent, it is the latest update.
 */
const waitingSince = sql`case when n.mailed_before is null then n.created_at else n.updated_at end`;
const afterPauseAndQuietHours = (now: Date, due: ReturnType<typeof sql>) =>
  sql`end_of_quiet_hours(greatest(${due}, s.paused_until, ${now}::timestamptz), p.time_zone, s.quiet_from,
    s.quiet_to, s.quiet_days)`;

/**
 * Saves quiet hours, in which no mail and push is sent. If both times are empty, there are none.
 * @throws `invalid` on `from`, `to` and `days`
 */
export async function saveQuietHours(
  tx: Tx,
  viewer: Viewer,
  { from, to, days }: z.output<typeof QuietHoursInput>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  if (from === "" && to !== "") throw invalid("from", "Enter both times, or neither.");
  if (from !== "" && to === "") throw invalid("to", "Enter both times, or neither.");
  if (from !== "" && from === to) throw invalid("to", "Choose two different times.");
  if (from !== "" && days.length === 0) throw invalid("days", "Choose at least one day.");
  const chosen = [...new Set(days)].toSorted();
  await upsertSettings(
    tx,
    me,
    from === ""
      ? sql`quiet_from = null, quiet_to = null`
      : sql`quiet_from = ${from}::time, quiet_to = ${to}::time, quiet_days = ${chosen}::smallint[]`,
  );
  await rescheduleWaiting(tx, me);
}

/** Pauses mail and push. `none` ends the pause and sends the waiting notifications. */
export async function pauseNotifications(
  tx: Tx,
  viewer: Viewer,
  { span }: z.output<typeof PauseInput>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  await upsertSettings(
    tx,
    me,
    sql`paused_until = ${span === "none" ? null : addMilliseconds(tx.now, PAUSE_SPANS[span])}`,
  );
  await rescheduleWaiting(tx, me);
}

/** Saves which senders' notifications go to the sender folder from now on. */
export async function saveSenderFolder(
  tx: Tx,
  viewer: Viewer,
  it: z.output<typeof SenderFolderSettings>,
): Promise<void> {
  await upsertSettings(
    tx,
    requireSignedIn(viewer),
    sql`strangers_apart = ${it.strangers}, newcomers_apart = ${it.newcomers}`,
  );
}

/** Saves frequency and weekday (1 is Monday) of the digest. */
export async function saveDigestSettings(tx: Tx, viewer: Viewer, it: DigestSettings): Promise<void> {
  await upsertSettings(tx, requireSignedIn(viewer), sql`digest_every = ${it.every}, digest_day = ${it.day}`);
}
