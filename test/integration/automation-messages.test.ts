import { expect, test } from "vitest";
import { z } from "zod";
import { checkDefinition, type EntityTriggers } from "#baas/automations";
import { TableFault, CODES, type DataTables } from "#baas/data";
import { requiredText } from "#community/common";
import { tooManyRequests } from "#platform/limits";
import { issueMessage, joinLines, type Message, msg, toDescriptor, toEnglish } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { loadWebBuild, createTranslator } from "../../src/app/web-build.ts";

const translator = createTranslator(await loadWebBuild());

const title = z.object({ title: requiredText("The title", "Enter a title.", 12_000, 8) });
const refusedFor = (typed: string) => issueMessage(title.safeParse({ title: typed }).error!.issues[0]!);

test.each([
  [
    "de",
    "Gib einen Titel an.",
    "Der Titel braucht mindestens 8 Zeichen.",
    "Der Titel kann höchstens 12.000 Zeichen haben.",
  ],
  [
    "es",
    "Indica un título.",
    "El título necesita 8 caracteres como mínimo.",
    "El título puede tener 12.000 caracteres como máximo.",
  ],
  [
    "en",
    "Enter a title.",
    "The title needs 8 characters at least.",
    "The title can have 12,000 characters at most.",
  ],
])(
  "form errors about text lengths are in the language %s and its number format",
  async (locale, missing, short, long) => {
    expect(await translator(locale, refusedFor(""))).toBe(missing);
    expect(await translator(locale, refusedFor("a b"))).toBe(short);
    expect(await translator(locale, refusedFor("x".repeat(12_001)))).toBe(long);
    expect(
      await translator(locale, "Nobody has put this into words, which can have 5 characters at most."),
    ).toContain("Nobody has put");
  },
);

test.each(["de", "fr", "es", "ar"])("times until a retry are in the language %s", async (locale) => {
  for (const why of [undefined, "Slow mode is on: let others reply first."])
    for (const seconds of [1, 40, 2_400, 7_200]) {
      const { descriptor } = tooManyRequests(seconds, why);
      expect(await translator(locale, descriptor)).not.toMatch(/try again|slow|at once|too many/i);
    }
  expect(await translator("de", tooManyRequests(2_400).descriptor)).toMatch(/in 40 Minuten/);
});

test.each([
  ["de", 12, "Du kannst deinen Benutzernamen alle 30 Tage ändern, das nächste Mal in 12 Tagen."],
  ["fr", 1, "Vous pouvez changer de nom d’utilisateur tous les 30 jours ; prochaine fois dans un jour."],
])("next possible date of a username change is in the language %s", async (locale, days, sentence) => {
  const message = msg(
    "You can change your username once every 30 days. " +
      "You can change it again in {count, plural, one {# day} other {# days}}.",
    { count: days },
  );
  expect(await translator(locale, message)).toBe(sentence);
});

/** The only data table, beside two of the community's entities. */
const own = { name: "Order" };
const catalogue = {
  async table(name: string) {
    if (name !== own.name) throw new TableFault(CODES.tableNotFound, "It is not there.");
    return own;
  },
  all: async () => [own],
  config: async () => ({ dynamicSchema: false }),
};
const tables = { catalogue } as unknown as DataTables;
const entities: EntityTriggers = {
  events: { Users: ["created"], Messages: [] },
  changesIn: () => [],
  read: async () => null,
};

/** Errors of a definition by path. */
async function faultsOf(given: unknown): Promise<Record<string, Message>> {
  try {
    await checkDefinition({ tables, entities }, given);
  } catch (error) {
    if (error instanceof Refusal)
      return Object.keys(error.fieldDescriptors).length > 0
        ? error.fieldDescriptors
        : { all: error.descriptor };
    throw error;
  }
  return {};
}
const mail = { kind: "mail", to: "ada", subject: "A", text: "B" };
const trigger = { kind: "call", name: "call" };
const wrong: unknown[] = [
  "text",
  { about: "x".repeat(501), who: "friends", rights: "all", roles: [""], triggers: 1, steps: 1 },
  {
    roles: Array.from({ length: 21 }, () => "a"),
    triggers: Array.from({ length: 21 }, (_, n) => ({ kind: "call", name: `t${n}` })),
  },
  { roles: 1, about: 1, who: 1, other: 1 },
  { steps: Array.from({ length: 201 }, () => ({ kind: "set", as: "a", value: 1 })) },
  {
    steps: [
      { kind: "set", as: "trigger", value: "{{1+1}}" },
      { kind: "set", as: "1", value: undefined },
      { kind: "shell" },
      1,
    ],
  },
  {
    steps: [
      { ...mail, to: "", subject: 1, text: "x".repeat(20_001), retries: 9, eval: "1" },
      { ...mail, retries: 0.5, name: "" },
      { ...mail, retries: -1 },
    ],
  },
  {
    steps: [
      { kind: "call" },
      { kind: "message", channel: "{{a b}}", headers: [] },
      { kind: "call", service: "A", method: "b", input: "c" },
    ],
  },
  {
    steps: [
      { kind: "record", act: "look", table: "" },
      { kind: "record", act: "update", table: "A" },
      { kind: "record", act: "find", table: "A", where: "" },
    ],
  },
  {
    steps: [
      { kind: "condition", if: "a = = 1" },
      { kind: "condition", if: "a = \u0001" },
      { kind: "condition" },
      { kind: "loop", over: 1, as: "x", do: 1 },
    ],
  },
  {
    steps: [
      { kind: "wait" },
      { kind: "wait", seconds: 1e9 },
      { kind: "wait", seconds: "a" },
      { kind: "wait", seconds: -1 },
      { kind: "wait", for: "paid" },
    ],
  },
  { triggers: [trigger, trigger, { ...trigger, name: "", starts: "yes" }, { kind: "else", name: "a" }] },
  {
    triggers: [
      { kind: "table", name: "a", table: "", events: [] },
      { kind: "table", name: "b", table: "A", events: ["seen"], where: "a =" },
      { kind: "channel", name: "c" },
    ],
  },
  {
    triggers: [
      { kind: "schedule", name: "a" },
      { kind: "schedule", name: "b", at: "noon", every: 1 },
      { kind: "schedule", name: "c", cron: "1", every: 60 },
    ],
  },
  {
    triggers: ["61 * * * *", "* * 30 2 *", "x".repeat(101)].map((cron, n) => ({
      kind: "schedule",
      name: `${n}`,
      cron,
    })),
  },
  { triggers: [{ kind: "table", name: "b", table: "A", events: 1 }] },
  {
    triggers: ["Messages", "Users", "order", "Parcel"].map((table) => ({
      kind: "table",
      name: table,
      table,
      events: ["updated"],
    })),
  },
  { steps: [{ kind: "set", as: "a", value: "x".repeat(70_000) }] },
];

test.each(["de", "fr", "es", "ar"])("automation errors are in the language %s", async (locale) => {
  const faults = await Promise.all(wrong.map(faultsOf));
  const english = new Set(faults.flatMap((fault) => Object.values(fault)));
  expect(english.size).toBeGreaterThan(40);
  const unsaid = await Promise.all(
    [...english].map(async (message) =>
      (await translator(locale, message)) === toEnglish(message) ? [message] : [],
    ),
  );
  expect(unsaid.flat()).toEqual([]);
  const places = Object.entries(faults[1]!).map(([place, what]) =>
    msg("{place}: {what}", { place, what: toDescriptor(what) }),
  );
  // Typed text is isolated where the surrounding text has the other direction.
  const lines = (await translator(locale, joinLines(places))).replaceAll(/[\u2068\u2069]/g, "").split("\n");
  expect(lines).toHaveLength(places.length);
  for (const [n, line] of lines.entries()) {
    const before = toEnglish(places[n]!);
    expect([line.split(/ ?:/)[0], line === before]).toEqual([before.split(":")[0], false]);
  }
});

test("automation errors quote the admin's input untranslated", async () => {
  const german = async (given: unknown) =>
    Promise.all(Object.values(await faultsOf(given)).map((message) => translator("de", message)));
  expect(await german({ steps: [{ kind: "condition", if: "a = = 1" }] })).toEqual([
    "Unerwartet an Zeichen 5 der Bedingung: =",
  ]);
  expect(await german({ steps: [{ kind: "condition", if: "a".repeat(4_001) }] })).toEqual([
    "Die Bedingung kann höchstens 4.000 Zeichen haben.",
  ]);
  expect(
    await german({ steps: Array.from({ length: 201 }, () => ({ kind: "set", as: "a", value: 1 })) }),
  ).toEqual(["Höchstens 200 Schritte."]);
  expect(await german({ triggers: [{ kind: "schedule", name: "a", cron: "61 * * * *" }] })).toEqual([
    "„61“ ist an dieser Stelle eines Zeitplans nicht gültig.",
  ]);
});
