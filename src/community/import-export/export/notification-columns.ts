import { sql } from "#platform/database";
import { ISO_FORMAT } from "./post-columns.ts";

// Notification settings of the person `p`. They are exported so that stopped mail remains stopped after an
// import.

const mailStopsColumn = sql`
  (select json_agg(json_build_object('scope', s.scope, 'at', to_char(s.at at time zone 'UTC', ${ISO_FORMAT}))
    order by s.scope)
   from mail_suppressions s where s.person_id = p.id)`;

const notificationChoices = sql`
  (select json_agg(json_build_object('kind', c.kind, 'shown', c.shown, 'mailed', c.mailed, 'pushed', c.pushed)
    order by c.kind)
   from notification_choices c where c.person_id = p.id)`;

const notificationSettings = sql`
  (select json_build_object('quietFrom', to_char(s.quiet_from, 'HH24:MI'), 'quietTo',
    to_char(s.quiet_to, 'HH24:MI'), 'quietDays', s.quiet_days,
     'pausedUntil', to_char(s.paused_until at time zone 'UTC', ${ISO_FORMAT}), 'digestEvery', s.digest_every,
     'digestDay', s.digest_day,
     'strangersApart', s.strangers_apart, 'newcomersApart', s.newcomers_apart)
   from notification_settings s where s.person_id = p.id)`;

/** Columns with the notification fields of a user; null for people who do not match `holds`. */
export const notificationColumns = (holds: ReturnType<typeof sql>) => sql`
  case when ${holds} then nullif(p.mail_level, 'important') end as "mailLevel", case
    when ${holds} then ${mailStopsColumn} end as "mailStops",
  case when ${holds} then ${notificationChoices} end as choices, case
    when ${holds} then ${notificationSettings} end as notified`;
