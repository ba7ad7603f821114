import type { ClientInfo } from "#community/accounts";
import type { Call } from "../rest-route.ts";

/**
 * Network origin of a call. With the server key the address is that of a server, which acts for many people.
 */
export const requestOrigin = ({ caller, request }: Call): ClientInfo => ({
  address: request.ip,
  userAgent: request.headers["user-agent"] ?? "",
  acceptLanguage: request.headers["accept-language"] ?? "",
  trusted: caller.key === "server",
});
