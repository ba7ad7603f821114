import type { PresentClient, PresenceStatus } from "./process-messages.ts";

/** Milliseconds without a message after which a process and its clients count as gone. */
const SILENCE_LIMIT = 10_000;
/** Maximum clients listed per process; clients beyond it are connected but not listed. */
const MAX_PER_PROCESS = 20_000;

type RemoteProcess = { lastMessageAt: number; people: Map<string, PresentClient> };
export type PresenceChange = PresentClient & { status: PresenceStatus };

const presenceKey = ({ channel, connectionId }: PresentClient) => `${connectionId}/${channel}`;

/** Pub/sub presence in other processes, as they have reported it. A class, because it keeps state. */
export class RemotePresence {
  readonly #processes = new Map<string, RemoteProcess>();

  /**
   * Records a presence change reported by a process. Returns the change for listeners, or null if listeners
   * know it already.
   */
  note(from: string, { status, ...present }: PresenceChange, now: number): PresenceChange | null {
    const { people } = this.#recordMessage(from, now);
    const name = presenceKey(present);
    const known = people.get(name);
    if (status === "DISCONNECTED") return people.delete(name) ? { ...present, status } : null;
    if (known ? known.userId === present.userId : people.size >= MAX_PER_PROCESS) return null;
    people.set(name, present);
    return { ...present, status: known ? "USERUPDATE" : "CONNECTED" };
  }

  /**
   * Compares the client count reported by a process with ours. If it returns false, the list has to be
   * requested.
   */
  agrees(from: string, count: number, now: number): boolean {
    return this.#recordMessage(from, now).people.size === Math.min(count, MAX_PER_PROCESS);
  }

  /** Replaces all clients of a process. Returns the changes. */
  replace(from: string, people: PresentClient[], now: number): PresenceChange[] {
    const before = this.#recordMessage(from, now).people;
    const after = new Map(people.slice(0, MAX_PER_PROCESS).map((it) => [presenceKey(it), it]));
    const changes = [...before]
      .filter(([name]) => !after.has(name))
      .map(([, it]): PresenceChange => ({ ...it, status: "DISCONNECTED" }));
    const changed = [...after.values()]
      .map((it) => this.note(from, { ...it, status: "CONNECTED" }, now))
      .filter((it) => it !== null);
    this.#processes.set(from, { lastMessageAt: now, people: after });
    return [...changes, ...changed];
  }

  /** Removes processes that have been silent too long. Returns the departures of their clients. */
  removeSilent(now: number): PresenceChange[] {
    const changes: PresenceChange[] = [];
    for (const [from, { lastMessageAt, people }] of this.#processes)
      if (now - lastMessageAt > SILENCE_LIMIT) {
        this.#processes.delete(from);
        for (const it of people.values()) changes.push({ ...it, status: "DISCONNECTED" });
      }
    return changes;
  }

  on(channel: string): PresentClient[] {
    return [...this.#processes.values()].flatMap(({ people }) =>
      [...people.values()].filter((it) => it.channel === channel),
    );
  }

  /** Forgets all processes; their lists will be requested again. */
  clear(): void {
    this.#processes.clear();
  }

  #recordMessage(from: string, now: number): RemoteProcess {
    const known = this.#processes.get(from) ?? {
      lastMessageAt: now,
      people: new Map<string, PresentClient>(),
    };
    known.lastMessageAt = now;
    this.#processes.set(from, known);
    return known;
  }
}
