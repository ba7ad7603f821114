import type pg from "pg";
import { Bus } from "#platform/bus";
import type { Database } from "#platform/database";
import type { Log } from "#platform/log";
import { type Happening, onCommitted } from "#platform/outbox";
import type { Settings } from "#community/settings";
import { openRelay, reactions, thingsOf } from "#relay";
import type { GuestPages } from "#web/server";
import type { Realtime, Said } from "#wire/realtime";
import { Recent } from "./recent.ts";

/** What processes tell each other beside the names of things: something happened, or somebody said something on a channel. */
type News = { id: string; happening: Happening } | { said: Said };
type Options = {
  house: { database: Database; settings: Settings };
  connection: pg.ClientConfig;
  log: Log;
  now: () => Date;
  pages: GuestPages;
  realtime: Realtime;
};

/** Ids of what was shown lately, kept as long as another process may still bring them. */
const SHOWN = 10_000;

/**
 * Carries what happened: at once to open pages and to the other processes, which have it from the bus, then to what
 * follows from it. What a process without doors commits, or one that ended too soon, is found by the relay and shown then.
 */
export function openNews({ house, connection, log, now, pages, realtime }: Options) {
  const shown = new Recent(SHOWN);
  const changed = (things: string[] | null) => {
    if (things === null || things.includes("settings")) house.settings.forget();
    if (things === null) pages.clear();
    else for (const thing of things) pages.forget(thing);
  };
  const show = (happening: Happening, id: string) => {
    if (!shown.isNew(id)) return;
    const things = thingsOf(happening);
    changed(things);
    realtime.tell(happening);
    bus.tell(things, { id, happening } satisfies News);
  };
  const relay = openRelay({ house: { database: house.database, settingsChanged: house.settings.forget, show }, reactions, log, now });
  const bus = new Bus({
    connection,
    log,
    onLost() {
      pages.clear();
      realtime.missed();
    },
    onTold(things, news) {
      changed(things);
      for (const it of news as News[])
        if ("said" in it) realtime.pass(it.said);
        else if (shown.isNew(it.id)) realtime.tell(it.happening);
      relay.wake();
    },
  });
  // Whoever has the page open hears of it first: before what follows from it.
  const unlisten = onCommitted((happening, id) => {
    show(happening, id);
    relay.wake();
  });
  return {
    tellOthers: (said: Said) => bus.tell([], { said } satisfies News),
    async stopReacting() {
      unlisten();
      await relay.stop();
    },
    close: () => bus.close(),
  };
}
