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
    call: t("API call"),
    table: t("Record changed"),
    schedule: t("Schedule"),
    channel: t("Channel message"),
    set: t("Set value"),
    condition: t("Condition"),
    loop: t("Repeat for each"),
    wait: t("Wait"),
    record: t("Update record"),
    "call-service": t("Call a service"),
    message: t("Publish to channel"),
    mail: t("Send email"),
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

/** Label and hint of each field of a trigger or step. `entities`: API entities that `table` may name. */
export function useAutomationFieldLabels(
  entities: readonly string[],
): Record<AutomationField, { label: string; hint?: string }> {
  const t = useTranslate();
  const templates = t("Text in double braces is filled in: {example}", { example: "{{trigger.data.name}}" });
  const json = t("JSON or text. Text in double braces is filled in.");
  const object = t("A JSON object. Text in double braces is filled in.");
  return {
    name: { label: t("Name") },
    starts: { label: t("Starts a run"), hint: t("If off, the trigger only resumes waiting runs.") },
    table: {
      label: t("Table"),
      ...(entities.length > 0 && {
        hint: t("Enter a data table or a community table: {names}", { names: entities.join(", ") }),
      }),
    },
    events: { label: t("Events") },
    where: { label: t("Condition (optional)"), hint: t("A condition on the table's columns.") },
    at: {
      label: t("Time (optional)"),
      hint: t("For example {example}", { example: "2027-01-31T08:00:00Z" }),
    },
    every: { label: t("Interval in seconds (optional)") },
    cron: {
      label: t("Cron schedule (optional)"),
      hint: t("Minute, hour, day, month and weekday, in UTC: {example}", { example: "0 8 * * 1" }),
    },
    channel: { label: t("Channel") },
    selector: { label: t("Header condition (optional)") },
    as: { label: t("Save result as") },
    value: { label: t("Value"), hint: json },
    if: {
      label: t("Condition"),
      hint: t("Enter a condition, such as {example}", { example: "trigger.data.total > 100" }),
    },
    over: { label: t("List"), hint: t("Enter a template for a list, or a JSON list.") },
    seconds: { label: t("Maximum wait in seconds") },
    for: { label: t("Trigger (optional)") },
    act: { label: t("Action") },
    id: { label: t("Record id"), hint: templates },
    values: { label: t("Values"), hint: object },
    service: { label: t("Service") },
    method: { label: t("Method") },
    input: { label: t("Arguments"), hint: object },
    message: { label: t("Message"), hint: json },
    headers: { label: t("Headers (optional)"), hint: object },
    to: {
      label: t("Recipient"),
      hint: t("An email address or the id of a person. You can use templates."),
    },
    subject: { label: t("Subject"), hint: templates },
    text: { label: t("Text"), hint: templates },
    retries: { label: t("Retries (optional)"), hint: t("Retry only steps that can safely run twice.") },
  };
}

/** Label and color of each run state. */
export function useRunStateLabels(): Record<string, { words: string; tone?: "good" | "bad" | "pending" }> {
  const t = useTranslate();
  return {
    running: { words: t("running"), tone: "pending" },
    waiting: { words: t("waiting"), tone: "pending" },
    done: { words: t("done"), tone: "good" },
    failed: { words: t("failed"), tone: "bad" },
    stopped: { words: t("stopped manually") },
    again: { words: t("retrying"), tone: "pending" },
  };
}

/** Labels of the callers who may start an automation. */
export function useCallerLabels(): Record<string, string> {
  const t = useTranslate();
  return {
    admins: t("Admins, and API clients with the server key"),
    roles: t("Also people with one of these roles"),
    members: t("Everyone who is signed in"),
    everyone: t("Everyone"),
  };
}
