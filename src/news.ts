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

/** Milliseconds within which a bus message of another process arrives, if at all. */
const WORD_OF_OTHERS = 250;

/** Milliseconds for which caches are trusted while the bus is down. */
const TAKEN_AT_ITS_WORD = 2 * SECOND;

/**
 * Bus messages beside cache tags: a domain event, a channel or log message, or a change of a shared object.
 */
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

/** Ids of recent events, as many as another process may still send. */
const SHOWN = 10_000;
/** Bytes of records that travel with an event; longer ones are read by the receiver. */
const LONGEST = 2_500;

/**
 * Distributes domain events: at once to sockets and other processes through the bus, then to the handlers.
 * Events of a process without sockets, or of one that ended too soon, are found by the dispatcher.
 */
export function openNews({ house, connection, redis, log, now, pages, rest, realtime }: Options) {
  const shown = new Recent(SHOWN);
  const changed = (things: string[] | null) => {
    if (things === null || things.includes("settings")) house.settings.forget();
    if (things === null) pages.clear();
    else for (const thing of things) pages.forget(thing);
  };
  /** Events may have been missed. */
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
   * Table changes of other processes arrive from them, in order and with records; the dispatcher would be
   * earlier. Only what they do not send is distributed from here.
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
  // While the bus is down changes are not announced, so that caches expire after this time.
  const doubting = setInterval(() => bus.listening || doubted(), TAKEN_AT_ITS_WORD).unref();
  // Open pages come first, before the handlers.
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
