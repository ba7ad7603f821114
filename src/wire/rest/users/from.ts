import type { From } from "#community/people";
import type { Call } from "../route.ts";

/** Where a call comes from. The address of a program with the server key is that of a server, which acts for many. */
export const fromOf = ({ caller, request }: Call): From => ({
  address: request.ip,
  userAgent: request.headers["user-agent"] ?? "",
  acceptLanguage: request.headers["accept-language"] ?? "",
  trusted: caller.key === "server",
});
