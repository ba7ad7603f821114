import { addMilliseconds, HOUR } from "#platform/clock";
import { uuidv7 } from "#platform/ids";
import type { Row } from "../bulk-insert.ts";
import { startOfWeekly } from "./event-rows.ts";
import type { SeedingContext } from "./seeding-context.ts";

/** Date polls with their times and answers, by table. */
export function createDatePollRows(s: SeedingContext) {
  const polls: Row[] = [];
  const times: Row[] = [];
  const answers: Row[] = [];
  const newId = () => uuidv7(s.at(1).getTime());
  for (const it of s.demo.datePolls) {
    const id = newId();
    const spans = it.times
      .map((time) => startOfWeekly(s.at(0), { ...time, timeZone: it.timeZone }, time.week))
      .map((startsAt) => ({ startsAt, endsAt: addMilliseconds(startsAt, it.hours * HOUR), timeId: newId() }));
    polls.push({
      id,
      group_id: s.group(it.group),
      host_id: s.person(it.host),
      title: it.title,
      time_zone: it.timeZone,
      all_day: false,
      ends_at: new Date(Math.max(...spans.map(({ endsAt }) => endsAt.getTime()))),
      created_at: s.at(1),
    });
    for (const [index, { timeId, startsAt, endsAt }] of spans.entries()) {
      times.push({ id: timeId, poll_id: id, starts_at: startsAt, ends_at: endsAt });
      for (const [who, given] of Object.entries(it.answers))
        answers.push({
          time_id: timeId,
          person_id: s.person(who),
          answer: given[index],
          answered_at: s.at(1),
        });
    }
  }
  return { polls, times, answers };
}
