export { traceRequests } from "./request-tracing.ts";
export {
  drainConnections,
  createHttpServer,
  renderPlainErrorPage,
  prepareErrorReply,
  jsonError,
} from "./http.ts";
export type { HttpOptions, EarlyRequestHandler } from "./http.ts";
export { isDeeperThan } from "./json-depth.ts";
export { isSameOrigin } from "./same-origin.ts";
export {
  contentDisposition,
  SANDBOX_HEADERS,
  matchesEtag,
  parseRange,
  contentTypeHeader,
} from "./file-headers.ts";
export { allowSlowBody, drainBody } from "./body-timeout.ts";
