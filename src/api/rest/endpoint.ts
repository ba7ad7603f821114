import { getInputSchema } from "#community/services";
import type { Message } from "#platform/messages";
import { z } from "zod";
import { assertServerKey, parseInput } from "./parse-input.ts";
import type { Call, Route } from "./rest-route.ts";

/** Which callers an endpoint accepts. */
export type Permission = {
  /** Name of the permission in the documentation. */
  name: string;
  /** Throws for callers without permission, before the body is read. Missing if the command checks. */
  check?: (call: Pick<Call, "app" | "caller" | "params">) => void | Promise<void>;
} & (
  | { caller: "guest"; refusal?: undefined }
  | {
      /** A caller with the permission; the contract test sends the example as this caller. */
      caller: "member" | "server key" | "member with server key";
      /** Expected answer to a guest with the client key. */
      refusal: { status: number; code: number };
    }
);

/** Every caller, with either key. */
export const ANYONE: Permission = { name: "everyone", caller: "guest" };

/** Permission of the server key. Other callers are refused with an error of this `kind`. */
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

/** A request that succeeds, used in the documentation and by the contract test. */
export type Example = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Content type of a body that is not JSON; the body is then sent unchanged. */
  contentType?: string;
};

/** Description of an endpoint for documentation and tests, in addition to what the router needs. */
type Description = {
  /** One sentence, with code in backticks. */
  summary: string;
  permission: Permission;
  /** Schemas of the input, which also document it. Input without a schema is not parsed. */
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Kind of the error for invalid input, if clients expect a particular error code. */
  inputError?: string;
  /** Schema of the answer; missing if its body is empty. */
  response?: z.ZodType;
  /** Status of the answer to the example; 200 if missing. */
  status?: number;
  example: Example;
  /** Runs between the permission check and the parsing of input, for rate limits and the audit log. */
  prepare?: (call: Call) => Promise<void>;
};

/**
 * An endpoint. The router, OpenAPI, the documentation page and the contract test all read this one
 * declaration.
 */
export type Endpoint = Omit<Route, "handle"> &
  Description & { handle: (call: EndpointCall) => Promise<unknown> };
/** A call whose input has been parsed; only the endpoint's own handler knows its types. */
type EndpointCall = Omit<Call, "params" | "query"> & { params: unknown; query: unknown };

/** Path parameters: names after colons, and `*` for the rest of the path. */
type PathParams<P extends string> = P extends `${infer Part}/${infer Rest}`
  ? PathParams<Part> & PathParams<Rest>
  : P extends `:${infer Name}`
    ? Record<Name, string>
    : P extends "*"
      ? Record<"*", string>
      : unknown;

/** Input as the handler gets it: parsed by its schema, or raw if there is none or it accepts everything. */
type Parsed<S, Raw> = S extends z.ZodType ? (unknown extends z.output<S> ? Raw : z.output<S>) : Raw;

/** A call whose input has been parsed by the schemas of its endpoint. */
export type ParsedCall<P extends string, A, Q, B> = Omit<Call, "params" | "query" | "body"> & {
  params: PathParams<P> & Record<string, string> & Parsed<A, unknown>;
  query: Parsed<Q, Call["query"]>;
  body: Parsed<B, unknown>;
};

type Declaration<P extends string, A, Q, B> = Omit<Route, "path" | "handle"> &
  Omit<Description, "permission" | "example" | "params" | "query" | "body"> & {
    path: P;
    /** Permission that callers need; if missing, every caller may use the endpoint. */
    permission?: Permission;
    /** Example of a call; if missing, a call without input is the example. */
    example?: Example;
    params?: A;
    query?: Q;
    body?: B;
    handle: (call: ParsedCall<P, A, Q, B>) => Promise<unknown>;
  };

/**
 * Declares input that the handler parses itself, because its errors differ from the usual ones. The schema
 * is only documentation; the handler gets the input unparsed.
 */
export function parsedByHandler(schema: z.ZodType): z.ZodUnknown {
  const { $schema: _, ...described } = getInputSchema({ input: schema });
  return z.unknown().meta(described);
}

/** Declares an endpoint. Its handler gets the input as parsed by the schemas. */
export const defineEndpoint = <
  const P extends string,
  A extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  declaration: Declaration<P, A, Q, B>,
): Endpoint =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `runEndpoint` parses with these schemas
  ({ permission: ANYONE, example: {}, ...declaration }) as unknown as Endpoint;

/** Runs an endpoint for a call whose permission has been checked: parses the input and calls the handler. */
export async function runEndpoint(endpoint: Endpoint, call: Call): Promise<unknown> {
  const { prepare, params, query, body, inputError } = endpoint;
  if (prepare) await prepare(call);
  const parsed: EndpointCall = call;
  if (params) parsed.params = parseInput(params, call.params, inputError);
  if (query) parsed.query = parseInput(query, call.query, inputError);
  if (body) parsed.body = parseInput(body, call.body, inputError);
  return endpoint.handle(parsed);
}
