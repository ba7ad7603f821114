import { z } from "zod";
import type { Kith, Query, Row } from "./host-api.ts";
import type { HookedAction } from "./thread-protocol.ts";

type Answer<T> = T | Promise<T>;
/** As a method, so that each part may declare the input that its schema has checked. */
type RunPart = { run(kith: Kith, given: unknown): unknown }["run"];

type PartShape =
  | { kind: "service"; service: string; method: string; about: string; input: z.ZodType }
  | { kind: "event"; event: string; about: string; input: z.ZodType }
  | { kind: "timer"; name: string; at: string; about: string }
  | { kind: "hook"; when: "before" | "after"; table: string; act: HookedAction; about: string };

/**
 * A service method, event handler, timer or hook that an extension provides. A file provides the parts it
 * exports.
 */
export class Part {
  readonly shape: PartShape;
  readonly run: RunPart;
  constructor(shape: PartShape, run: RunPart) {
    this.shape = shape;
    this.run = run;
  }
}

/**
 * Declares a service method, called at `POST /services/{service}/{method}`. `input` validates the request
 * before `run` sees it.
 */
export const service = <S extends z.ZodType>(
  name: string,
  method: string,
  { about, input, run }: { about: string; input: S; run: (kith: Kith, input: z.output<S>) => unknown },
): Part => new Part({ kind: "service", service: name, method, about, input }, run);

/** Declares the handler of a custom event. Its result is returned to the client. */
export const on = <S extends z.ZodType>(
  event: string,
  { about = "", input, run }: { about?: string; input: S; run: (kith: Kith, args: z.output<S>) => unknown },
): Part => new Part({ kind: "event", event, about, input }, run);

/**
 * Declares a timer: `at` is minute, hour, day of the month, month and weekday, in UTC. The timer runs with
 * the rights of the server.
 */
export const every = (
  name: string,
  { at, about = "", run }: { at: string; about?: string; run: (kith: Kith) => unknown },
): Part => new Part({ kind: "timer", name, at, about }, run);

/** Payload of a before-hook, by action. */
export type Before = {
  /** One record, or all records of one call. */
  create: { table: string; records: Row[] };
  /**
   * Records with their `objectId`s, or a single record whose values are set in all records that match
   * `where`.
   */
  update: { table: string; records: Row[]; where: string | null };
  remove: { table: string; ids: string[] | null; where: string | null };
  find: { table: string; query: Query; objectId: string | null };
};
/**
 * Values that a before-hook may return to replace the original ones; returning nothing leaves them
 * unchanged.
 */
type HookAnswer = { create: Row[]; update: Row[]; remove: never; find: Query };

/** Payload of an after-hook, by action. */
export type After = {
  create: { table: string; records: Row[] };
  update: { table: string; records: Row[]; where: string | null; count: number };
  remove: { table: string; ids: string[] | null; where: string | null; count: number };
  find: { table: string; query: Query; objectId: string | null; records: Row[] };
};

/**
 * Declares a hook that runs before an action on the records of a data table (`*` for all tables), whether
 * the action is single, bulk, nested or in a transaction. The hook may return other records, or throw to
 * refuse the action.
 */
export const before = <A extends HookedAction>(
  table: string,
  act: A,
  run: (kith: Kith, given: Before[A]) => Answer<HookAnswer[A] | undefined | void>,
): Part => new Part({ kind: "hook", when: "before", table, act, about: "" }, run);

/** Declares a hook that runs in the background after an action. Its errors are logged and undo nothing. */
export const after = <A extends HookedAction>(
  table: string,
  act: A,
  run: (kith: Kith, given: After[A]) => unknown,
): Part => new Part({ kind: "hook", when: "after", table, act, about: "" }, run);

/**
 * Error by which an extension refuses a call. The caller gets the message, and the code if the error has one.
 */
export class Refused extends Error {
  override name = "Refused";
  readonly code: number | null;
  readonly data: Record<string, unknown> | undefined;
  constructor(
    sentence: string,
    { code = null, data }: { code?: number | null; data?: Record<string, unknown> } = {},
  ) {
    super(sentence);
    this.code = code;
    this.data = data;
  }
}
