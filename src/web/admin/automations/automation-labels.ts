import { useTranslate } from "../../i18n/index.ts";

export type AutomationItemKind =
  | "call"
  | "table"
  | "schedule"
  | "channel"
  | "set"
  | "condition"
  | "loop"
  | "wait"
  | "record"
  | "call-service"
  | "message"
  | "mail";

/** Labels of trigger and step kinds. */
export function useItemKindLabels(): Record<AutomationItemKind, string> {
  const t = useTranslate();
  return {
    call: t("A call"),
    table: t("A change in a table"),
    schedule: t("A moment"),
    channel: t("A message on a channel"),
    set: t("Set a value"),
    condition: t("Decide"),
    loop: t("Repeat for each"),
    wait: t("Wait"),
    record: t("Change a record"),
    "call-service": t("Call a service"),
    message: t("Say something on a channel"),
    mail: t("Send a mail"),
  };
}

export type AutomationField =
  | "name"
  | "starts"
  | "table"
  | "events"
  | "where"
  | "at"
  | "every"
  | "cron"
  | "channel"
  | "selector"
  | "as"
  | "value"
  | "if"
  | "over"
  | "seconds"
  | "for"
  | "act"
  | "id"
  | "values"
  | "service"
  | "method"
  | "input"
  | "message"
  | "headers"
  | "to"
  | "subject"
  | "text"
  | "retries";

/** Label and hint of each field of a trigger or step. `nouns`: API entities that `table` may name. */
export function useAutomationFieldLabels(nouns: readonly string[]): Record<AutomationField, { label: string; hint?: string }> {
  const t = useTranslate();
  const templates = t("What stands in double braces is filled in: {example}", { example: "{{trigger.data.name}}" });
  const json = t("JSON, or a text. What stands in double braces is filled in.");
  const object = t("An object in JSON. What stands in double braces is filled in.");
  return {
    name: { label: t("Name") },
    starts: { label: t("It starts a run"), hint: t("Otherwise it wakes the runs that wait for it.") },
    table: {
      label: t("Table"),
      ...(nouns.length > 0 && { hint: t("One of programs, or of the community: {names}", { names: nouns.join(", ") }) }),
    },
    events: { label: t("What happens there") },
    where: { label: t("Only where this holds (optional)"), hint: t("A condition on the columns of the table.") },
    at: { label: t("At this moment (optional)"), hint: t("As in {example}", { example: "2027-01-31T08:00:00Z" }) },
    every: { label: t("Every so many seconds (optional)") },
    cron: {
      label: t("By the calendar (optional)"),
      hint: t("Minute, hour, day, month and weekday, in UTC: {example}", { example: "0 8 * * 1" }),
    },
    channel: { label: t("Channel") },
    selector: { label: t("Only for messages whose headers are so (optional)") },
    as: { label: t("Under which name the run keeps it") },
    value: { label: t("Value"), hint: json },
    if: { label: t("Condition"), hint: t("As tables are asked: {example}", { example: "trigger.data.total > 100" }) },
    over: { label: t("List"), hint: t("A template that names a list, or a list in JSON.") },
    seconds: { label: t("Seconds at the most") },
    for: { label: t("For which trigger (optional)") },
    act: { label: t("What is done") },
    id: { label: t("Id of the record"), hint: templates },
    values: { label: t("Its values"), hint: object },
    service: { label: t("Service") },
    method: { label: t("Method") },
    input: { label: t("What it is given"), hint: object },
    message: { label: t("Message"), hint: json },
    headers: { label: t("Headers (optional)"), hint: object },
    to: { label: t("For whom"), hint: t("A mail address, or the id of somebody here. Templates are filled in.") },
    subject: { label: t("Subject"), hint: templates },
    text: { label: t("Text"), hint: templates },
    retries: { label: t("How often it is tried again (optional)"), hint: t("Only what does no harm when it is done twice.") },
  };
}

/** Label and color of each run state. */
export function useRunStateLabels(): Record<string, { words: string; tone?: "good" | "bad" | "pending" }> {
  const t = useTranslate();
  return {
    running: { words: t("at work"), tone: "pending" },
    waiting: { words: t("waits"), tone: "pending" },
    done: { words: t("done"), tone: "good" },
    failed: { words: t("failed"), tone: "bad" },
    stopped: { words: t("stopped by hand") },
    again: { words: t("is tried again"), tone: "pending" },
  };
}

/** Labels of the callers who may start an automation. */
export function useCallerLabels(): Record<string, string> {
  const t = useTranslate();
  return {
    admins: t("Admins, and programs with the server key"),
    roles: t("Who has one of these roles, too"),
    members: t("Everybody who is signed in"),
    everyone: t("Everybody"),
  };
}
