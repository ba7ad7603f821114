import type { Definition, Step, Trigger } from "#backend/flows";

/**
 * A trigger or step as its row shows it, with its nested lists. A trigger has an id for the API, and the time
 * of its next run if it has one.
 */
export type ShownItem = {
  kind: string;
  name: string;
  summary: string;
  id?: string;
  nextAt?: Date | null;
  do?: ShownItem[];
  otherwise?: ShownItem[];
};

const cut = (it: unknown) => {
  const text = typeof it === "string" ? it : JSON.stringify(it);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
};

const of = (...parts: (string | number | undefined)[]) => parts.filter((it) => it !== undefined && it !== "").join(" · ");

function triggerSummary(it: Trigger): string {
  if (it.kind === "table") return of(it.table, it.events.join(", "), it.where);
  if (it.kind === "schedule") return of(it.at, it.every === undefined ? undefined : `${it.every} s`, it.cron);
  return it.kind === "channel" ? of(it.channel, it.selector) : "";
}

function stepSummary(it: Step): string {
  switch (it.kind) {
    case "set":
      return `${it.as} = ${cut(it.value)}`;
    case "condition":
      return cut(it.if);
    case "loop":
      return `${it.as} ∈ ${cut(it.over)}`;
    case "wait":
      return of(it.seconds === undefined ? undefined : `${it.seconds} s`, it.for, it.if);
    case "record":
      return of(it.act, it.table, it.id, it.where);
    case "call":
      return `${it.service}/${it.method}`;
    case "message":
      return cut(it.channel);
    case "mail":
      return of(it.to, cut(it.subject));
  }
}

type KnownTrigger = { id: string; name: string; nextAt: Date | null };

const shownTrigger = (it: Trigger, known: KnownTrigger[]): ShownItem => ({
  ...known.find(({ name }) => name === it.name),
  kind: it.kind,
  name: it.name,
  summary: triggerSummary(it),
});
const shownStep = (it: Step): ShownItem => ({
  kind: it.kind,
  name: it.name ?? "",
  summary: stepSummary(it),
  ...("do" in it && { do: it.do.map(shownStep) }),
  ...("otherwise" in it && { otherwise: it.otherwise.map(shownStep) }),
});

/** A definition as its page shows it, with long values truncated. */
export const shownOf = ({ triggers, steps }: Definition, known: KnownTrigger[]) => ({
  triggers: triggers.map((it) => shownTrigger(it, known)),
  steps: steps.map(shownStep),
});
