import { SECOND } from "#platform/clock";
import { type Database, maybeOne, sql } from "#platform/database";
import type { Automations, AutomationFunctions } from "./automations.ts";
import { runDueSchedules } from "./trigger-sources.ts";
import { runNextStep } from "./runs/run-executor.ts";

/** Milliseconds between polls. A poll also finds runs that another process left unfinished when it ended. */
const POLL_INTERVAL = SECOND;
/** Maximum steps that one process runs at the same time; each holds a database connection. */
export const AUTOMATION_WORKER_COUNT = 4;

/** Runs steps and due schedules. A class, because it holds the workers and the timer. */
export class AutomationWorker {
  readonly #flows: Automations;
  readonly #own: Database["inTransaction"];
  readonly #functions: AutomationFunctions;
  #alarm: NodeJS.Timeout | undefined;
  #set = Infinity;
  #stopped = false;
  #again = false;
  readonly #workers = new Set<Promise<void>>();

  /** `own` has connections for steps only, because a step may take long. */
  constructor(flows: Automations, own: Pick<Database, "inTransaction">, functions: AutomationFunctions) {
    this.#flows = flows;
    this.#own = own.inTransaction;
    this.#functions = functions;
    flows.planners.add(this.#plan);
    this.#setFor(0);
  }

  /** Stops the worker. Resolves when its running steps have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#flows.planners.delete(this.#plan);
    clearTimeout(this.#alarm);
    await Promise.all(this.#workers);
  }

  #plan = (due: Date) => {
    if (due.getTime() < this.#set) this.#setFor(due.getTime());
  };

  #setFor(moment: number) {
    if (this.#stopped) return;
    clearTimeout(this.#alarm);
    this.#set = moment;
    this.#alarm = setTimeout(this.#poll, Math.max(0, moment - this.#now()));
  }

  #now = () => this.#flows.runtime.now().getTime();

  /** Polls now, and schedules the next poll after the interval even if this one fails. */
  #poll = () => {
    this.#set = Infinity;
    this.#setFor(this.#now() + POLL_INTERVAL);
    this.#open();
  };

  #open() {
    this.#again = true;
    if (this.#stopped || this.#workers.size >= AUTOMATION_WORKER_COUNT) return;
    const worker = this.#runWorker().finally(() => this.#workers.delete(worker));
    this.#workers.add(worker);
  }

  /** Runs steps one after another, and starts another worker while there are more. */
  async #runWorker() {
    let looked = this.#flows.runtime.now();
    try {
      while (!this.#stopped && this.#again) {
        this.#again = false;
        looked = this.#flows.runtime.now();
        await runDueSchedules(this.#flows);
        while (!this.#stopped && (await runNextStep(this.#flows, this.#own, this.#functions))) this.#open();
      }
      const due = await findNextDue(this.#flows, looked);
      if (due) this.#plan(due);
    } catch (error) {
      this.#flows.log.warn({ err: error }, "automation runs could not continue");
    }
  }
}

/**
 * Returns the time at which the next run or schedule is due. Runs that were due before `looked` are left out,
 * because another worker has locked them: polling for them at once would be a busy loop.
 */
const findNextDue = async ({ db }: Automations, looked: Date): Promise<Date | null> =>
  (await maybeOne(
    db,
    sql<{ at: Date | null }>`
      select least((select min(due_at) from automation_runs where due_at > ${looked}),
        (select min(next_at) from automation_triggers where next_at > ${looked})) as at`,
  ))!.at;
