import { inputSchemaOf } from "#community/services";
import type { Message } from "#platform/messages";
import { z } from "zod";
import { assertServerKey, parseInput } from "./parse-input.ts";
import type { Call, Route } from "./rest-route.ts";

/** The callers that an endpoint admits. */
export type Permission = {
  /** Name of the permission in the documentation. */
  name: string;
  /** Throws for others before the body is read; missing where the command decides. */
  check?: (call: Pick<Call, "app" | "caller" | "params">) => void | Promise<void>;
} & (
  | { caller: "guest"; refusal?: undefined }
  | {
      /** A caller who has the permission: what the contract test sends the example as. */
      caller: "member" | "server key" | "member with server key";
      /** The answer to a guest with the client key. */
      refusal: { status: number; code: number };
    }
);

/** Every caller, with either key. */
export const ANYONE: Permission = { name: "everyone", caller: "guest" };

/** Admits only the server key; others are refused by the `kind` of error that clients know. */
export const serverKeyOnly = (
  message: Message,
  kind: string,
  refusal: { status: number; code: number },
): Permission => ({
  name: "the server key",
  caller: "server key",
  refusal,
  check: (call) => assertServerKey(call, message, kind),
});

/** A request that succeeds, for the documentation and the contract test. */
export type Example = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Type of a body that is not JSON: it is sent as it is. */
  contentType?: string;
};

/** The part of an endpoint that its documentation and its tests read too. */
type Description = {
  /** One sentence, with code in backticks. */
  summary: string;
  permission: Permission;
  /** Schemas of the input: also its documentation. What has none is not parsed here. */
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Kind of the refusal of wrong input, where clients know it by a code of its own. */
  inputError?: string;
  /** Shape of the answer; missing where its body is empty. */
  response?: z.ZodType;
  /** Status of the answer to the example, if not 200. */
  status?: number;
  example: Example;
  /** Runs after the permission check and before input is parsed: rate limits, audit. */
  prepare?: (call: Call) => Promise<void>;
};

/** An endpoint, declared once: the router, OpenAPI, the docs and the contract test read it. */
export type Endpoint = Route & Description;

/** Names after colons in a path; `*` is the rest of it. */
type PathParams<P extends string> = P extends `${infer Part}/${infer Rest}`
  ? PathParams<Part> & PathParams<Rest>
  : P extends `:${infer Name}`
    ? Record<Name, string>
    : P extends "*"
      ? Record<"*", string>
      : unknown;

type Parsed<S, Raw> = S extends z.ZodType ? z.output<S> : Raw;

/** A call whose input has been parsed by the schemas of its endpoint. */
export type ParsedCall<P extends string, A, Q, B> = Omit<Call, "params" | "query" | "body"> & {
  params: PathParams<P> & Record<string, string> & Parsed<A, unknown>;
  query: Parsed<Q, Call["query"]>;
  body: Parsed<B, unknown>;
};

type Declaration<P extends string, A, Q, B> = Omit<Route, "path" | "handle"> &
  Omit<Description, "permission" | "example" | "params" | "query" | "body"> & {
    path: P;
    /** Every caller, if not given. */
    permission?: Permission;
    /** A call without input, if not given. */
    example?: Example;
    params?: A;
    query?: Q;
    body?: B;
    handle: (call: ParsedCall<P, A, Q, B>) => Promise<unknown>;
  };

/**
 * Documents input by a schema with which the handler parses it, since its errors are particular: the handler
 * gets it as it was sent.
 */
export function parsedByHandler<T = unknown>(schema: z.ZodType): z.ZodType<T> {
  const { $schema: _, ...described } = inputSchemaOf({ input: schema });
  return z.unknown().meta(described) as z.ZodType<T>;
}

/** Declares an endpoint. Its handler gets the input as the schemas return it. */
export const defineEndpoint = <
  const P extends string,
  A extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  declaration: Declaration<P, A, Q, B>,
): Endpoint => ({ permission: ANYONE, example: {}, ...declaration }) as unknown as Endpoint;

/** Answers a call whose permission has been checked: parses its input, and runs the handler. */
export async function runEndpoint(endpoint: Endpoint, call: Call): Promise<unknown> {
  const { prepare, params, query, body, inputError } = endpoint;
  if (prepare) await prepare(call);
  if (params) call.params = parseInput(params, call.params, inputError) as Call["params"];
  if (query) call.query = parseInput(query, call.query, inputError) as Call["query"];
  if (body) call.body = parseInput(body, call.body, inputError);
  return endpoint.handle(call);
}
