import { SECOND } from "#platform/clock";
import { type Database, maybeOne, sql } from "#platform/database";
import type { Flows, Hands } from "./flows.ts";
import { takeSchedules } from "./hearing.ts";
import { doNext } from "./running.ts";

/** The net below what this process knows of: what others have started, and did not live to do. */
const LOOK = SECOND;
/** Steps at work at once in one process: each holds a connection of its own while it is. */
export const LANES = 4;

/** Does the steps of runs, and what is due by the clock. A class, because it remembers what is under way and for when it has set its alarm. */
export class FlowWork {
  readonly #flows: Flows;
  readonly #own: Database["inTransaction"];
  readonly #hands: Hands;
  #alarm: NodeJS.Timeout | undefined;
  #set = Infinity;
  #stopped = false;
  #again = false;
  readonly #lanes = new Set<Promise<void>>();

  /** `own`: over connections apart from those of everything else, since a step may take long. */
  constructor(flows: Flows, own: Pick<Database, "inTransaction">, hands: Hands) {
    this.#flows = flows;
    this.#own = own.inTransaction;
    this.#hands = hands;
    flows.planners.add(this.#plan);
    this.#setFor(0);
  }

  /** Ends when the steps at work have. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#flows.planners.delete(this.#plan);
    clearTimeout(this.#alarm);
    await Promise.all(this.#lanes);
  }

  #plan = (due: Date) => {
    if (due.getTime() < this.#set) this.#setFor(due.getTime());
  };

  #setFor(moment: number) {
    if (this.#stopped) return;
    clearTimeout(this.#alarm);
    this.#set = moment;
    this.#alarm = setTimeout(this.#ring, Math.max(0, moment - this.#now()));
  }

  #now = () => this.#flows.world.now().getTime();

  /** What is due is looked for at once, and again after a while in any case. */
  #ring = () => {
    this.#set = Infinity;
    this.#setFor(this.#now() + LOOK);
    this.#open();
  };

  #open() {
    this.#again = true;
    if (this.#stopped || this.#lanes.size >= LANES) return;
    const lane = this.#lane().finally(() => this.#lanes.delete(lane));
    this.#lanes.add(lane);
  }

  /** Takes one step after the other, and lets a neighbour help as long as there are more. */
  async #lane() {
    let looked = this.#flows.world.now();
    try {
      while (!this.#stopped && this.#again) {
        this.#again = false;
        looked = this.#flows.world.now();
        await takeSchedules(this.#flows);
        while (!this.#stopped && (await doNext(this.#flows, this.#own, this.#hands))) this.#open();
      }
      const due = await nextDue(this.#flows, looked);
      if (due) this.#plan(due);
    } catch (error) {
      this.#flows.log.warn({ err: error }, "flows could not go on");
    }
  }
}

/**
 * When there is something to do next: a run, or a schedule. What was due by then and was not taken is held by somebody who is at work on it: to
 * come back to that at once would be to ask again and again for as long as they are.
 */
const nextDue = async ({ db }: Flows, looked: Date): Promise<Date | null> =>
  (await maybeOne(
    db,
    sql<{ at: Date | null }>`
      select least((select min(due_at) from flow_runs where due_at > ${looked}),
        (select min(next_at) from flow_triggers where next_at > ${looked})) as at`,
  ))!.at;
