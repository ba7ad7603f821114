import type { Present, Status } from "./words.ts";

/** A process that is not heard of for so long is gone, and with it whoever was connected there. */
const SILENT = 10_000;
/** People of one process; more are connected, and not listed. */
const MOST = 20_000;

type Process = { heardAt: number; people: Map<string, Present> };
export type Change = Present & { status: Status };

const nameOf = ({ channel, connectionId }: Present) => `${connectionId}/${channel}`;

/** Who is on channels of programs in other processes, as those have told. A class, because it remembers. */
export class Elsewhere {
  readonly #processes = new Map<string, Process>();

  /** What follows from what a process says about one of its people: nothing if it is known. */
  note(from: string, { status, ...present }: Change, now: number): Change | null {
    const { people } = this.#heard(from, now);
    const name = nameOf(present);
    const known = people.get(name);
    if (status === "DISCONNECTED") return people.delete(name) ? { ...present, status } : null;
    if (known ? known.userId === present.userId : people.size >= MOST) return null;
    people.set(name, present);
    return { ...present, status: known ? "USERUPDATE" : "CONNECTED" };
  }

  /** A process tells how many people it has. False where others are known of it: then it has to be asked. */
  agrees(from: string, count: number, now: number): boolean {
    return this.#heard(from, now).people.size === Math.min(count, MOST);
  }

  /** A process tells of all of its people: what has changed by that. */
  replace(from: string, people: Present[], now: number): Change[] {
    const before = this.#heard(from, now).people;
    const after = new Map(people.slice(0, MOST).map((it) => [nameOf(it), it]));
    const gone = [...before].filter(([name]) => !after.has(name)).map(([, it]): Change => ({ ...it, status: "DISCONNECTED" }));
    const changed = [...after.values()].map((it) => this.note(from, { ...it, status: "CONNECTED" }, now)).filter((it) => it !== null);
    this.#processes.set(from, { heardAt: now, people: after });
    return [...gone, ...changed];
  }

  /** Lets go of processes that are silent: those who were connected there. */
  letGo(now: number): Change[] {
    const gone: Change[] = [];
    for (const [from, { heardAt, people }] of this.#processes)
      if (now - heardAt > SILENT) {
        this.#processes.delete(from);
        for (const it of people.values()) gone.push({ ...it, status: "DISCONNECTED" });
      }
    return gone;
  }

  on(channel: string): Present[] {
    return [...this.#processes.values()].flatMap(({ people }) => [...people.values()].filter((it) => it.channel === channel));
  }

  /** What the others said is not known any more: they will be asked. */
  clear(): void {
    this.#processes.clear();
  }

  #heard(from: string, now: number): Process {
    const known = this.#processes.get(from) ?? { heardAt: now, people: new Map<string, Present>() };
    known.heardAt = now;
    this.#processes.set(from, known);
    return known;
  }
}
