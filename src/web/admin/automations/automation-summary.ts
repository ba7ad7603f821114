import type { Definition, Step, Trigger } from "#baas/automations";

/**
 * A trigger or step as a row, with its nested lists. A trigger also has its API id and, if scheduled, the
 * time of its next run.
 */
export type ItemView = {
  kind: string;
  name: string;
  summary: string;
  id?: string;
  nextAt?: Date | null;
  do?: ItemView[];
  otherwise?: ItemView[];
};

const truncateText = (it: unknown) => {
  const text = typeof it === "string" ? it : JSON.stringify(it);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
};

const joinParts = (...parts: (string | number | undefined)[]) =>
  parts.filter((it) => it !== undefined && it !== "").join(" · ");

function triggerSummary(trigger: Trigger): string {
  if (trigger.kind === "table") return joinParts(trigger.table, trigger.events.join(", "), trigger.where);
  if (trigger.kind === "schedule")
    return joinParts(
      trigger.at,
      trigger.every === undefined ? undefined : `${trigger.every} s`,
      trigger.cron,
    );
  return trigger.kind === "channel" ? joinParts(trigger.channel, trigger.selector) : "";
}

function stepSummary(it: Step): string {
  switch (it.kind) {
    case "set":
      return `${it.as} = ${truncateText(it.value)}`;
    case "condition":
      return truncateText(it.if);
    case "loop":
      return `${it.as} ∈ ${truncateText(it.over)}`;
    case "wait":
      return joinParts(it.seconds === undefined ? undefined : `${it.seconds} s`, it.for, it.if);
    case "record":
      return joinParts(it.act, it.table, it.id, it.where);
    case "call":
      return `${it.service}/${it.method}`;
    case "message":
      return truncateText(it.channel);
    case "mail":
      return joinParts(it.to, truncateText(it.subject));
  }
}

type KnownTrigger = { id: string; name: string; nextAt: Date | null };

const triggerView = (trigger: Trigger, known: KnownTrigger[]): ItemView => ({
  ...known.find(({ name }) => name === trigger.name),
  kind: trigger.kind,
  name: trigger.name,
  summary: triggerSummary(trigger),
});
const stepView = (it: Step): ItemView => ({
  kind: it.kind,
  name: it.name ?? "",
  summary: stepSummary(it),
  ...("do" in it && { do: it.do.map(stepView) }),
  ...("otherwise" in it && { otherwise: it.otherwise.map(stepView) }),
});

/** A definition as its page shows it, with long values truncated. */
export const definitionView = ({ triggers, steps }: Definition, known: KnownTrigger[]) => ({
  triggers: triggers.map((it) => triggerView(it, known)),
  steps: steps.map(stepView),
});
