import { issueMessage, type Message, type MessageDescriptor, msg } from "#platform/messages";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import type { EntityRow as Standing } from "#community/api-entities";
import type { CommandContext } from "../define-service.ts";

/** An incoming record with arbitrary values from the API client. */
export type RecordInput = Record<string, unknown>;
export type { Standing };
/**
 * The commands that save and remove records of an entity. A text in place of a command is the message of the
 * refusal. API clients send whole records, so changes are found by comparing.
 */
export type RecordCommands = {
  /** Creates a record; returns its objectId. */
  create: Message | ((context: CommandContext, input: RecordInput) => Promise<string>);
  /**
   * Commands by the column that they change. Other columns cannot be changed. `input` is the whole record.
   */
  update:
    | string
    | Record<string, (context: CommandContext, now: Standing, input: RecordInput) => Promise<unknown>>;
  remove: Message | ((context: CommandContext, now: Standing) => Promise<unknown>);
};

/**
 * Parses a record into a command's input.
 * @throws `invalid` with the first problem
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: RecordInput): z.output<Schema> {
  const it = schema.safeParse(input);
  if (it.success) return it.data;
  const [issue] = it.error.issues;
  throw invalid(
    issue?.path.map(String).join(".") ?? "",
    issue ? issueMessage(issue) : "The record is not valid.",
  );
}

/** Creates the refusal for an impossible state change. */
export const invalidTransition = (from: unknown, to: unknown) =>
  new Refusal(
    "not-allowed",
    msg("The status cannot change from {from} to {to}.", {
      from: describeState(from),
      to: describeState(to),
    }),
  );

/** The name of a state for messages. The state may be any value, because API clients may send anything. */
export const describeState = (state: unknown): string | MessageDescriptor =>
  typeof state === "string" ? state.slice(0, 60) : msg("a value that is not text");

export function splitId(id: string): [string, string, string] {
  const [one, two, three = ""] = id.split(":");
  if (one === undefined || two === undefined) throw notFound();
  return [one, two, three];
}

/**
 * Commands by column for one command that changes several columns; it runs once, for the first changed
 * column.
 */
export const applyOnce = <
  Do extends (context: CommandContext, now: Standing, input: RecordInput) => Promise<unknown>,
>(
  names: readonly string[],
  act: Do,
) => Object.fromEntries(names.map((name) => [name, act]));
