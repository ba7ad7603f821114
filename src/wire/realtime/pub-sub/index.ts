import { SECOND } from "#platform/clock";
import type { Happening } from "#platform/outbox";
import { Lanes } from "../lanes.ts";
import type { RealtimeHouse, Room } from "../room.ts";
import { passOn, showStatus } from "./company.ts";
import { deliver, deliverDue } from "./delivering.ts";
import type { Change } from "./elsewhere.ts";
import type { Present, Word } from "./words.ts";

export { arrive, command, depart, greet, showChange } from "./company.ts";
export { isFree, listening } from "./listening.ts";
export type { Word } from "./words.ts";

/** Interval of client-count reports; and the minimum interval between list requests and answers. */
const BEAT = 2 * SECOND;
const BREATH = 200;

export type PubSub = {
  /** A message from another process. */
  hear: (word: Word) => void;
  /** A scheduled message was due, here or elsewhere. */
  publish: (happening: Happening) => void;
  stop: () => void;
};

/**
 * Starts pub/sub: delivers what is published in this process to local listeners, then to the other processes.
 */
export function startPubSub(house: RealtimeHouse, room: Room, lanes: Lanes): PubSub {
  // All in one queue: arrivals and departures are delivered in order.
  const show = (changes: Change[]) =>
    changes.length > 0 &&
    lanes.run("presence", async () => {
      for (const change of changes) await showStatus(house, room, change);
    });
  // Commands are best effort: when too many wait, they are dropped.
  const lost = spaced(() => house.log.warn("commands on channels of programs were let go: too many wait"));
  const byTheWay = new Lanes(lost);
  const published = (it: { channel: string; message: (Word & { free: "message" })["message"] }) => {
    deliver(room, it);
    house.tellOthers({ free: "message", ...it });
  };
  house.channels.listeners.add(published);
  const ask = spaced(() => house.tellOthers({ free: "ask" }));
  const answer = spaced(() => house.tellOthers({ free: "here", from: room.id, people: peopleIn(room) }));
  let counted = 0;
  const beat = setInterval(() => {
    show(room.elsewhere.letGo(performance.now()));
    const before = counted;
    counted = peopleIn(room).length;
    // A process without clients stays silent once the others know that.
    if (before + counted > 0) house.tellOthers({ free: "beat", from: room.id, count: counted });
  }, BEAT);
  return {
    hear(word) {
      const now = performance.now();
      if (word.free === "message") return deliver(room, word);
      if (word.free === "command") return byTheWay.run(word.channel, () => passOn(house, room, word));
      if (word.free === "ask") return answer();
      if (word.free === "here") return void show(room.elsewhere.replace(word.from, word.people, now));
      if (word.free === "beat") return room.elsewhere.agrees(word.from, word.count, now) ? undefined : ask();
      const { free: _, from, ...change } = word;
      const news = room.elsewhere.note(from, change, now);
      if (news) show([news]);
    },
    publish: (happening) => lanes.run(`channel/${String(happening["channel"])}`, () => deliverDue(house, room, happening)),
    stop() {
      clearInterval(beat);
      house.channels.listeners.delete(published);
    },
  };
}

const peopleIn = (room: Room): Present[] =>
  [...room.callers].flatMap(({ connectionId, viewer, present }) =>
    [...present].map((channel) => ({ channel, connectionId, userId: viewer.id })),
  );

/** Runs at once, then not again for an interval: one answer serves many requests. */
function spaced(work: () => void): () => void {
  let doneAt = -Infinity;
  return () => {
    const now = performance.now();
    if (now - doneAt < BREATH) return;
    doneAt = now;
    work();
  };
}
