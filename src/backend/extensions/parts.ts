import { z } from "zod";
import type { Kith, Query, Row } from "./context.ts";
import type { HookedAct } from "./protocol.ts";

type Answer<T> = T | Promise<T>;
type Run = (kith: Kith, given: never) => unknown;

type Shape =
  | { kind: "service"; service: string; method: string; about: string; input: z.ZodType }
  | { kind: "event"; event: string; about: string; input: z.ZodType }
  | { kind: "timer"; name: string; at: string; about: string }
  | { kind: "hook"; when: "before" | "after"; table: string; act: HookedAct; about: string };

/** One thing that an extension offers. A file offers what it exports of these. */
export class Part {
  readonly shape: Shape;
  readonly run: (kith: Kith, given: unknown) => unknown;
  constructor(shape: Shape, run: Run) {
    this.shape = shape;
    this.run = run as Part["run"];
  }
}

/** A method of a service, called at `POST /services/{service}/{method}`. Its `input` reads what was sent before `run` sees it. */
export const service = <S extends z.ZodType>(
  name: string,
  method: string,
  { about, input, run }: { about: string; input: S; run: (kith: Kith, input: z.output<S>) => unknown },
): Part => new Part({ kind: "service", service: name, method, about, input }, run);

/** What is done when a program dispatches an event of this name; its answer is the program's. */
export const on = <S extends z.ZodType>(
  event: string,
  { about = "", input, run }: { about?: string; input: S; run: (kith: Kith, args: z.output<S>) => unknown },
): Part => new Part({ kind: "event", event, about, input }, run);

/** What is done by the clock: `at` is minute, hour, day of the month, month and weekday, in UTC. It runs with the rights of the server. */
export const every = (name: string, { at, about = "", run }: { at: string; about?: string; run: (kith: Kith) => unknown }): Part =>
  new Part({ kind: "timer", name, at, about }, run);

/** What a hook is told before something is done, by what is done. */
export type Before = {
  /** One record, or as many as one call brings. */
  create: { table: string; records: Row[] };
  /** Records with their `objectId`s; or one, for all records that meet `where`. */
  update: { table: string; records: Row[]; where: string | null };
  remove: { table: string; ids: string[] | null; where: string | null };
  find: { table: string; query: Query; objectId: string | null };
};
/** What a hook may give back in place of what it was told. Nothing leaves it as it is. */
type Changed = { create: Row[]; update: Row[]; remove: never; find: Query };

/** What a hook is told once it was done. */
export type After = {
  create: { table: string; records: Row[] };
  update: { table: string; records: Row[]; where: string | null; count: number };
  remove: { table: string; ids: string[] | null; where: string | null; count: number };
  find: { table: string; query: Query; objectId: string | null; records: Row[] };
};

/**
 * Runs before something is done with records of a table of programs (`*` is all of them), whichever way it is asked for: one by one, many at
 * once, within others, in a transaction. It may give back other records, or refuse by throwing.
 */
export const before = <A extends HookedAct>(
  table: string,
  act: A,
  run: (kith: Kith, given: Before[A]) => Answer<Changed[A] | undefined | void>,
): Part => new Part({ kind: "hook", when: "before", table, act, about: "" }, run);

/** Runs once it was done, beside the answer. What it throws undoes nothing, and stands in the log. */
export const after = <A extends HookedAct>(table: string, act: A, run: (kith: Kith, given: After[A]) => unknown): Part =>
  new Part({ kind: "hook", when: "after", table, act, about: "" }, run);

/** Thrown to say no: the caller is told the sentence, and the number if there is one. */
export class Refused extends Error {
  override name = "Refused";
  readonly code: number | null;
  readonly data: Record<string, unknown> | undefined;
  constructor(sentence: string, { code = null, data }: { code?: number | null; data?: Record<string, unknown> } = {}) {
    super(sentence);
    this.code = code;
    this.data = data;
  }
}
