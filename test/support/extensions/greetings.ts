import { type Mail, Refused, service, z } from "#extensions";

const Nothing = z.unknown();
const about = "A test.";

export const hello = service("Greetings", "hello", {
  about: "Greets somebody.",
  input: z.object({ name: z.string().min(1, "Say who.") }),
  run: ({ caller }, { name }) => ({ said: `Hello ${name}!`, by: caller.id, roles: caller.roles }),
});
export const server = service("Greetings", "server", {
  about,
  input: Nothing,
  run: ({ caller }) => caller.server,
});
export const echo = service("Greetings", "echo", { about, input: Nothing, run: (_, input) => input });
export const refuse = service("Greetings", "refuse", {
  about,
  input: z.object({ code: z.int().optional() }),
  run: (_, { code }) => {
    throw new Refused("The tea is cold.", { code, data: { degrees: 20 } });
  },
});
export const throwing = service("Greetings", "throwing", {
  about,
  input: Nothing,
  run: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- extensions may throw anything
    throw "thrown";
  },
});
export const loop = service("Greetings", "loop", {
  about,
  input: Nothing,
  run: () => {
    for (;;) {}
  },
});
export const secret = service("Greetings", "secret", {
  about,
  input: Nothing,
  run: ({ tables }) => tables.save("Safe", {}),
});
export const note = service("Greetings", "note", {
  about,
  input: z.object({ text: z.string(), asServer: z.boolean().default(false) }),
  run: (kith, { text, asServer }) => (asServer ? kith.asServer : kith).tables.save("Note", { text }),
});
export const reach = service("Greetings", "reach", {
  about,
  input: z.object({ groupId: z.string() }),
  async run(kith, { groupId }) {
    const { tables, counters, cache, services } = kith;
    const joined = await services.call("Groups", "join", { groupId });
    const mine = await tables.save("Mine", { text: "a" });
    const its = await kith.asServer.tables.save("Mine", { text: "b" });
    await cache.put("key", { a: 1 }, 60);
    const hive = kith.hive("house");
    await hive.set("key", "value");
    return {
      owner: mine.ownerId,
      asServer: its.ownerId,
      found: (await tables.find("Mine", { where: "text in ('a', 'b')" })).length,
      counted: [await counters.add("greeted", 3), await counters.get("greeted")],
      cached: await cache.get("key"),
      hive: [await hive.get("key"), await hive.remove("key", "other")],
      said: (await services.call<{ said: string }>("Greetings", "hello", { name: "Ada" })).said,
      joined,
    };
  },
});
export const call = service("Greetings", "call", {
  about,
  input: z.object({ channel: z.string(), later: z.boolean().default(false) }),
  run: ({ channels }, { channel, later }) =>
    channels.publish(
      channel,
      { to: "all" },
      { headers: { loud: 1 }, ...(later && { publishAt: Date.now() + 3_600_000 }) },
    ),
});
export const write = service("Greetings", "write", {
  about,
  input: z.object({ mail: z.record(z.string(), z.unknown()), asServer: z.boolean().default(false) }),
  run: (kith, { mail, asServer }) => (asServer ? kith.asServer : kith).mail.send(mail as Mail),
});
export const hasty = service("Greetings", "hasty", {
  about,
  input: Nothing,
  async run({ tables }) {
    void tables.createMany("Plant", [{ name: "hasty waits" }]).catch(() => {});
    await tables.count("Plant");
    return 1;
  },
});
