import { after, before, every, on, Refused, service, z } from "#extensions";

/** A guestbook: members sign it, everyone can see how many have, and once a day the number is logged. */

const BOOK = "Guestbook";

/** Every entry passes here, whether by this service or by a client that writes to the table itself. */
export const cleanEntries = before(BOOK, "create", ({ caller }, { records }) =>
  records.map((record) => {
    if (caller.id === null) throw new Refused("Please sign in to sign the guestbook.", { code: 1600 });
    const words = String(record["words"] ?? "").trim();
    if (words === "") throw new Refused("Say a word or two.", { code: 1601 });
    return { ...record, words: words.slice(0, 280) };
  }),
);

export const countEntries = after(BOOK, "create", ({ counters }, { records }) =>
  counters.add("guestbook", records.length),
);

export const sign = service("Guestbook", "sign", {
  about: "Signs the guestbook.",
  input: z.object({ words: z.string().max(2_000, "Not quite as much, please.") }),
  async run({ tables }, { words }) {
    const { objectId, words: signed } = await tables.save<{ objectId: string; words: string }>(BOOK, {
      words,
    });
    return { objectId, words: signed };
  },
});

export const signatures = service("Guestbook", "count", {
  about: "How many have signed.",
  input: z.object({}),
  run: async ({ counters }) => ({ count: await counters.get("guestbook") }),
});

/** An API client may dispatch this event when a party begins: the response is who signed last. */
export const party = on("party", {
  about: "Reads the last words aloud.",
  input: z.object({ most: z.number().int().min(1).max(10).default(3) }),
  async run({ tables }, { most }) {
    const last = await tables.find<{ words: string }>(BOOK, {
      props: ["words"],
      sortBy: "created desc",
      pageSize: most,
    });
    return last.map(({ words }) => words);
  },
});

export const daily = every("guestbook-count", {
  at: "0 6 * * *",
  about: "Says in the log how many have signed.",
  async run({ counters, log }) {
    log.info("the guestbook has been signed", { times: await counters.get("guestbook") });
  },
});
