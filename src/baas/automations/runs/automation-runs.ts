import { limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { DAY, addMilliseconds } from "#platform/clock";
import { parseTrustedJson } from "#platform/json";
import type { Message } from "#platform/messages";
import { isId } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import type { RunStarter } from "../activation.ts";
import { AUTOMATION_LIMITS } from "../automation-limits.ts";
import type { Automations } from "../automations.ts";

export type RunState = "running" | "waiting" | "done" | "failed" | "stopped";
export type RunRow = {
  id: string;
  trigger: string;
  state: RunState;
  fault: Message | null;
  steps: number;
  createdAt: Date;
  endedAt: Date | null;
};
export type RunDetails = RunRow & {
  flowId: string;
  flowName: string;
  version: number;
  personId: string | null;
  waitingFor: string | null;
  dueAt: Date | null;
  context: Record<string, unknown>;
};
export type StepRow = {
  n: number;
  place: string;
  kind: string;
  name: string;
  attempt: number;
  startedAt: Date;
  endedAt: Date | null;
  outcome: "done" | "again" | "failed" | "waiting" | null;
  words: Message | null;
};

const PAGE_SIZE = 50;
/** Steps per page of a run's timeline. */
const STEPS_PER_PAGE = 200;
const RUN_COLUMNS = sql`r.id, r.trigger, r.state, r.fault, r.steps, r.created_at as "createdAt",
  r.ended_at as "endedAt"`;

/** Lists the runs of an automation, newest first, page by page. */
export async function listRuns(
  { db }: Pick<Automations, "db">,
  flowId: string,
  after = "",
): Promise<{ rows: RunRow[]; next: string | null }> {
  if (!isId(flowId)) return { rows: [], next: null };
  const rows = await many(
    db,
    sql<RunRow>`
      select ${RUN_COLUMNS} from automation_runs r where r.flow_id = ${flowId} and ${
        isId(after)
          ? sql`r.id
        < ${after}`
          : sql`true`
      }
      order by r.id desc ${limit(PAGE_SIZE + 1)}`,
  );
  return { rows: rows.slice(0, PAGE_SIZE), next: rows.length > PAGE_SIZE ? rows[PAGE_SIZE - 1]!.id : null };
}

const runNotFound = () =>
  new Refusal("not-found", "This run does not exist.", { kind: "execution-not-found" });

/**
 * Returns a run with its data.
 * @throws `not-found`
 */
export async function getRun({ db }: Pick<Automations, "db">, id: string): Promise<RunDetails> {
  const row = isId(id)
    ? await maybeOne(
        db,
        sql<Omit<RunDetails, "context"> & { context: string }>`
          select ${RUN_COLUMNS}, r.flow_id as "flowId", f.name as "flowName", r.version,
            r.person_id as "personId", r.waiting_for as "waitingFor",
            r.due_at as "dueAt", r.context
          from automation_runs r join automations f on f.id = r.flow_id where r.id = ${id}`,
      )
    : undefined;
  if (!row) throw runNotFound();
  return { ...row, context: parseTrustedJson<Record<string, unknown>>(row.context) };
}

/**
 * Returns a run to its starter or a trusted caller.
 * @throws `not-found`, also for other callers
 */
export async function getRunAsStarter(
  flows: Pick<Automations, "db">,
  by: RunStarter,
  id: string,
): Promise<RunDetails> {
  const found = await getRun(flows, id);
  if (by.trusted || (found.personId !== null && found.personId === by.personId)) return found;
  throw runNotFound();
}

/** Lists the steps of a run in order, page by page. */
export async function listRunSteps(
  { db }: Pick<Automations, "db">,
  runId: string,
  from = 0,
): Promise<{ rows: StepRow[]; next: number | null }> {
  const rows = await many(
    db,
    sql<StepRow>`
      select n, place, kind, name, attempt, started_at as "startedAt", ended_at as "endedAt", outcome, words
      from automation_steps where run_id = ${runId} and n >= ${from} order by n ${limit(STEPS_PER_PAGE + 1)}`,
  );
  return {
    rows: rows.slice(0, STEPS_PER_PAGE),
    next: rows.length > STEPS_PER_PAGE ? rows[STEPS_PER_PAGE]!.n : null,
  };
}

/**
 * Stops a run.
 * @throws `not-found`, `conflict` if it has ended or is executing a step
 */
export async function stopRun(
  { inTransaction }: Pick<Automations, "inTransaction">,
  id: string,
): Promise<void> {
  if (!isId(id)) throw runNotFound();
  await inTransaction(async (tx) => {
    const found = await maybeOne(
      tx,
      sql<{ endedAt: Date | null }>`select ended_at as "endedAt" from automation_runs where id = ${id}`,
    );
    if (!found) throw runNotFound();
    if (found.endedAt) throw new Refusal("conflict", "This run has already ended.");
    const free = await maybeOne(
      tx,
      sql`select id from automation_runs where id = ${id} and ended_at is null for no key update skip locked`,
    );
    if (!free) throw new Refusal("conflict", "A step of this run is in progress. Try again in a moment.");
    await run(
      tx,
      sql`update automation_runs
        set state = 'stopped', due_at = null, waiting_for = null, brought = null, ended_at = ${tx.now}
        where id = ${id}`,
    );
  });
}

/** Deletes runs that ended long ago, runs beyond the number kept, and unused versions of definitions. */
export async function purgeAutomations(tx: Tx): Promise<void> {
  await run(
    tx,
    sql`delete from automation_runs where ended_at < ${addMilliseconds(tx.now, -AUTOMATION_LIMITS.keptFor)}`,
  );
  await run(
    tx,
    sql`delete from automation_runs r using automations f
        where r.flow_id = f.id and r.ended_at is not null and r.id < (
          select id from automation_runs o where o.flow_id = f.id order by o.id desc
          offset ${AUTOMATION_LIMITS.keptOfFlow - 1} limit 1)`,
  );
  await run(
    tx,
    sql`delete from automation_versions v using automations f where v.flow_id = f.id and v.version < f.version
        and f.changed_at < ${addMilliseconds(tx.now, -DAY)}
        and not exists (select from automation_runs r where r.flow_id = v.flow_id and r.version = v.version)`,
  );
}
