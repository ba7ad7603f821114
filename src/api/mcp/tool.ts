import type { z } from "zod";
import { assertTokenScope } from "#community/common";
import type { TokenAccess, TokenArea } from "#community/rules";
import type { SearchEngine } from "#community/search";
import { Refusal } from "#platform/refusal";
import type { Caller, RestContext } from "../rest/index.ts";

/** Dependencies of the MCP server, provided by `src/app`. */
export type McpContext = RestContext & { engine: SearchEngine };
/** A call of a tool, resource or prompt: the person for whom it acts, within the scopes of their token. */
export type McpCall = { app: McpContext; caller: Caller };

/** An answer: as text for language models, and the same as data for programs. */
export type ToolResult<Data> = { text: string; data: Data };
type ToolData = Record<string, unknown>;
/** Schema of a tool's data. */
type ToolOutput = z.ZodType<ToolData, ToolData>;

/** A tool with typed input and output. */
type ToolDeclaration<Input extends z.ZodType, Output extends ToolOutput> = {
  name: string;
  title: string;
  description: string;
  /** Area and access that the token needs; null for a tool whose answer omits what the token may not read. */
  scope: readonly [area: TokenArea, access: TokenAccess] | null;
  /** Whether repeating a call with the same input has no further effect. */
  isIdempotent?: boolean;
  input: Input;
  output: Output;
  run: (call: McpCall, input: z.output<Input>) => Promise<ToolResult<z.input<Output>>>;
};

/** A tool as the server registers it. */
export type Tool = Omit<ToolDeclaration<z.ZodType, ToolOutput>, "run"> & {
  run: (call: McpCall, input: never) => Promise<ToolResult<ToolData>>;
};

/** Declares a tool. Its description names the required scope, and each call checks that scope. */
export const defineTool = <Input extends z.ZodType, Output extends ToolOutput>({
  scope,
  description,
  run,
  ...rest
}: ToolDeclaration<Input, Output>): Tool => ({
  ...rest,
  scope,
  description: scope ? `${description} Needs the scope ${scope.join(":")}.` : description,
  async run(call: McpCall, input: z.output<Input>) {
    if (scope) assertTokenScope(call.caller.viewer, ...scope);
    return run(call, input);
  },
});

/** Hints for clients, which ask people before they call a tool that changes something. */
export const createAnnotations = ({ scope, isIdempotent = false }: Tool) => {
  const readOnlyHint = scope === null || scope[1] === "read";
  return {
    readOnlyHint,
    destructiveHint: false,
    idempotentHint: readOnlyHint || isIdempotent,
    openWorldHint: false,
  };
};

/** The message of a refusal with its fields, or null for an unexpected error. */
export function describeError(error: unknown): string | null {
  if (!(error instanceof Refusal)) return null;
  const fields = Object.entries(error.fields).map(([name, message]) => `${name}: ${message}`);
  return [error.message, ...fields].join("\n");
}

export const UNEXPECTED_ERROR_MESSAGE = "Something went wrong on the server. Try again later.";
