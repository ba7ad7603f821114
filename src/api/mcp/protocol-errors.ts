import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { describeError, type McpCall, UNEXPECTED_ERROR_MESSAGE } from "./tool.ts";

/**
 * Runs the read of a resource or prompt.
 * @throws the protocol's error with the message of a refusal; other errors are logged, and only a general
 * message is thrown
 */
export async function withProtocolErrors<Result>(
  { app }: McpCall,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const message = describeError(error);
    if (message !== null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    app.log.error({ err: error }, "an MCP request failed");
    throw new ProtocolError(ProtocolErrorCode.InternalError, UNEXPECTED_ERROR_MESSAGE);
  }
}
