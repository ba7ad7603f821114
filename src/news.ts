import type pg from "pg";
import { type Channels, withdrawAllOf } from "#backend/channels";
import { type Logs, onKept } from "#backend/logs";
import type { Accounts } from "#community/people";
import { openBus } from "#platform/bus";
import { SECOND } from "#platform/clock";
import type { Database } from "#platform/database";
import type { Limits } from "#platform/limits";
import type { Log } from "#platform/log";
import type { Redis } from "#platform/redis";
import { type Happening, onCommitted, type Whole } from "#platform/outbox";
import { isOfTables } from "#backend/tables";
import { type Flows, hearOf } from "#backend/flows";
import type { Search } from "#community/search";
import type { Settings } from "#community/settings";
import { openRelay, reactions, thingsOf } from "#relay";
import type { GuestPages } from "#web/server";
import type { Deed, KeptElsewhere, Realtime, Said, Word } from "#wire/realtime";
import type { Rest } from "#wire/rest";
import { Recent } from "./recent.ts";

/** Milliseconds in which the word of another process has come, if it comes at all. */
const WORD_OF_OTHERS = 250;

/** Milliseconds for which what was read holds while the other processes are not heard. */
const TAKEN_AT_ITS_WORD = 2 * SECOND;

/** What processes tell each other beside the names of things: something happened, somebody said something on a channel or in the logs, or did something with a shared object. */
type News = { id: string; happening: Happening; whole?: Whole } | { said: Said | Word } | { deed: Deed } | { kept: KeptElsewhere };
type Options = {
  house: {
    following: Database;
    limits: Limits;
    settings: Settings;
    search: Search;
    logs: Logs;
    flows: Flows;
    channels: Channels;
    accounts: Accounts;
  };
  connection: pg.ClientConfig;
  redis: Redis | null;
  log: Log;
  now: () => Date;
  pages: GuestPages;
  rest: Rest;
  realtime: Realtime;
};

/** Ids of what was shown lately, kept as long as another process may still bring them. */
const SHOWN = 10_000;
/** Bytes of what is known of a happening beyond its row, as far as it goes to the others with it. Of what is longer they read it. */
const LONGEST = 2_500;

/**
 * Carries what happened: at once to open pages and to the other processes, which have it from the bus, then to what
 * follows from it. What a process without doors commits, or one that ended too soon, is found by the relay and shown then.
 */
export function openNews({ house, connection, redis, log, now, pages, rest, realtime }: Options) {
  const shown = new Recent(SHOWN);
  const changed = (things: string[] | null) => {
    if (things === null || things.includes("settings")) house.settings.forget();
    if (things === null) pages.clear();
    else for (const thing of things) pages.forget(thing);
  };
  /** Something may have happened that nobody told us of. */
  const doubted = () => {
    changed(null);
    rest.missed();
  };
  /** A test installation was emptied: each process counts anew, as if it had just started. */
  const emptied = ({ type }: Happening) => {
    if (type === "backend.emptied") house.limits.clear().catch((error: unknown) => log.warn({ err: error }, "limits could not be cleared"));
  };
  const show = (happening: Happening, id: string, whole: Whole | null = null) => {
    if (!shown.isNew(id)) return;
    const things = thingsOf(happening);
    changed(things);
    emptied(happening);
    rest.happened(happening);
    realtime.tell(happening, id, whole);
    bus.tell(things, { id, happening, ...(whole && isShort(whole) && { whole }) } satisfies News);
  };
  /**
   * What others did to tables is told by them, in its order and with the records; what the relay finds of it would come before. Only
   * what does not come from them is told from here.
   */
  const showFound = (happening: Happening, id: string) => {
    if (!isOfTables(happening)) return show(happening, id);
    setTimeout(() => show(happening, id), WORD_OF_OTHERS).unref();
  };
  const file = (happenings: readonly Happening[]) => house.search.filing.react(...happenings);
  const relay = openRelay({
    house: {
      database: house.following,
      settingsChanged: house.settings.forget,
      show: showFound,
      file,
      startFlows: (happening, id) => hearOf(house.flows, happening, id),
      withdraw: (personId) => withdrawAllOf(house.channels, personId),
      tellOfStatus: (told) => house.accounts.tellOfStatus(told),
      tellOfAppeal: (told) => house.accounts.tellOfAppeal(told),
    },
    reactions,
    log,
    now,
  });
  const bus = openBus({
    connection,
    redis,
    log,
    onLost() {
      doubted();
      realtime.missed();
    },
    onTold(things, news) {
      changed(things);
      for (const it of news as News[])
        if ("said" in it) realtime.pass(it.said);
        else if ("deed" in it) realtime.share(it.deed);
        else if ("kept" in it) realtime.log(it.kept);
        else if (shown.isNew(it.id)) {
          emptied(it.happening);
          rest.happened(it.happening);
          realtime.tell(it.happening, it.id, it.whole ?? null);
        }
      relay.wake();
    },
  });
  // While the line is down, nobody says what is changed elsewhere: nothing is taken at its word for longer than this.
  const doubting = setInterval(() => bus.listening || doubted(), TAKEN_AT_ITS_WORD).unref();
  // Whoever has the page open hears of it first: before what follows from it.
  const unlisten = onCommitted((happening, id, whole) => {
    show(happening, id, whole);
    relay.wake();
  });
  const deafen = onKept(house.logs, (batch) => {
    realtime.log(batch);
    bus.tell([], { kept: { kind: batch.kind, id: batch.id } } satisfies News);
  });
  return {
    tellOthers: (said: Said | Word) => bus.tell([], { said } satisfies News),
    shareWithOthers: (deed: Deed) => bus.tell([], { deed } satisfies News),
    async stopReacting() {
      unlisten();
      deafen();
      await relay.stop();
    },
    close: () => (clearInterval(doubting), bus.close()),
  };
}

const isShort = (whole: Whole) => Buffer.byteLength(JSON.stringify(whole)) <= LONGEST;
