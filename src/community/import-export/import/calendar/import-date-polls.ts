import { many, sql } from "#platform/database";
import { LIMITS } from "#community/rules";
import { padWithDots } from "../../archive/record-fields.ts";
import type { Row } from "../../bulk-insert.ts";
import { assignIds, type Batch, type Entry, refuseRecord, writeRows } from "../import-batch.ts";
import { importRelationships } from "../import-relationships.ts";
import { chooseIds } from "./import-events.ts";

type FreshPoll = Entry<"date-poll"> & { id: string };

/** Imports date polls with their times. */
export async function importDatePolls(batch: Batch, entries: Entry<"date-poll">[]): Promise<void> {
  const fresh = await assignIds(batch, "date_polls", entries, (it) => it);
  if (batch.check) for (const { id, record } of fresh) batch.checked.pollTimes.set(id, record.times.length);
  await writeRows(
    batch,
    "date_polls",
    fresh.map((it) => createPollRow(batch, it)),
  );
  const times = fresh.flatMap(({ id, record }) => record.times.map((time) => ({ poll: id, ...time })));
  const ids = await chooseIds(
    batch,
    "date_poll_times",
    times.map((time) => time.id),
  );
  await writeRows(
    batch,
    "date_poll_times",
    times.map(({ poll, startsAt, endsAt, event }, index) => ({
      id: ids[index]!,
      poll_id: poll,
      starts_at: startsAt,
      ends_at: endsAt,
      event_id: (event && batch.names.of("event", event)) ?? null,
    })),
  );
}

function createPollRow(batch: Batch, { id, record: it }: FreshPoll): Row {
  const host = batch.names.of("user", it.host)!;
  return {
    id,
    group_id: batch.names.of("group", it.group)!,
    host_id: host,
    title: padWithDots(it.title, LIMITS.event.title.min),
    time_zone: it.timeZone,
    all_day: it.allDay,
    ends_at: new Date(Math.max(...it.times.map(({ endsAt }) => endsAt.getTime()))),
    closes_at: it.closesAt ?? null,
    closed_at: it.closedAt ?? null,
    closed_by: it.closedAt ? ((it.closedBy && batch.names.of("user", it.closedBy)) ?? host) : null,
    created_at: it.createdAt,
  };
}

/** Imports answers to date polls. Answers given here meanwhile are kept. */
export async function importDatePollAnswers(
  batch: Batch,
  entries: Entry<"date-poll-answer">[],
): Promise<void> {
  const pollOf = ({ poll }: Entry<"date-poll-answer">["record"]) => batch.names.of("date-poll", poll)!;
  const times = await loadTimes(
    batch,
    entries.map(({ record }) => pollOf(record)),
  );
  const timeOf = (it: Entry<"date-poll-answer">["record"]) => times.get(pollOf(it))?.[it.time - 1];
  const fitting = entries.filter((entry) => {
    const fits = timeOf(entry.record) !== undefined;
    if (!fits) refuseRecord(batch, entry, "the poll has no such time.");
    return fits;
  });
  await importRelationships(
    batch,
    "date-poll-answer",
    ["date_poll_answers", ["time_id", "person_id"]],
    fitting,
    (it) => ({
      ends: [timeOf(it)!, batch.names.of("user", it.user)!],
      more: { answer: it.answer, answered_at: it.createdAt ?? batch.tx.now },
    }),
  );
}

/** Ids of the times of polls, in order. In a check, the poll stands for times that were not created. */
async function loadTimes(batch: Batch, polls: string[]): Promise<Map<string, string[]>> {
  const ids = [...new Set(polls)];
  const rows = await many(
    batch.tx,
    sql<{ id: string; times: string[] }>`
      select poll_id as id, array_agg(id order by starts_at) as times from date_poll_times
      where poll_id = any(${ids}::uuid[]) group by poll_id`,
  );
  const checked = ids.flatMap((id) => {
    const count = batch.checked.pollTimes.get(id);
    return count ? [[id, Array.from({ length: count }, () => id)] as const] : [];
  });
  return new Map([...checked, ...rows.map(({ id, times }) => [id, times] as const)]);
}
