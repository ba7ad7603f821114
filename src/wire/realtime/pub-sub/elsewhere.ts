import type { Present, Status } from "./words.ts";

/** A process silent for this long is gone, with all its clients. */
const SILENT = 10_000;
/** Clients listed per process; more may connect unlisted. */
const MOST = 20_000;

type Process = { heardAt: number; people: Map<string, Present> };
export type Change = Present & { status: Status };

const nameOf = ({ channel, connectionId }: Present) => `${connectionId}/${channel}`;

/** Pub/sub presence in other processes, as they have reported it. A class, because it keeps state. */
export class Elsewhere {
  readonly #processes = new Map<string, Process>();

  /** Records a reported presence change. Returns what listeners should hear: null if it is already known. */
  note(from: string, { status, ...present }: Change, now: number): Change | null {
    const { people } = this.#heard(from, now);
    const name = nameOf(present);
    const known = people.get(name);
    if (status === "DISCONNECTED") return people.delete(name) ? { ...present, status } : null;
    if (known ? known.userId === present.userId : people.size >= MOST) return null;
    people.set(name, present);
    return { ...present, status: known ? "USERUPDATE" : "CONNECTED" };
  }

  /** Compares a process's reported client count. False when it differs: then the list has to be requested. */
  agrees(from: string, count: number, now: number): boolean {
    return this.#heard(from, now).people.size === Math.min(count, MOST);
  }

  /** Replaces all clients of a process. Returns the changes. */
  replace(from: string, people: Present[], now: number): Change[] {
    const before = this.#heard(from, now).people;
    const after = new Map(people.slice(0, MOST).map((it) => [nameOf(it), it]));
    const gone = [...before].filter(([name]) => !after.has(name)).map(([, it]): Change => ({ ...it, status: "DISCONNECTED" }));
    const changed = [...after.values()].map((it) => this.note(from, { ...it, status: "CONNECTED" }, now)).filter((it) => it !== null);
    this.#processes.set(from, { heardAt: now, people: after });
    return [...gone, ...changed];
  }

  /** Removes silent processes. Returns their clients as departures. */
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

  /** Forgets everything; the other processes will be queried. */
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
