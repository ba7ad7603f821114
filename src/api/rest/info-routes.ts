import { parseThresholds } from "#baas/logging";
import { z } from "zod";
import type { SiteSettings } from "#community/settings";
import { defineEndpoint } from "./endpoint.ts";
import type { RestContext } from "./rest-route.ts";

const Info = z
  .object({
    appId: z.string(),
    apiKey: z.string(),
    rtURL: z.string(),
    loggers: z.array(z.object({ name: z.string(), level: z.string() })),
  })
  .meta({ id: "Info" });

/**
 * Endpoints for the address of the real-time API and the application id. Guests may call them, because a
 * client requests them only once, before sign-in, and never opens a subscription after a refusal.
 */
export const infoEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/info",
    summary: "Returns the address of the real-time API, and the application id.",
    uncounted: true,
    forGuests: true,
    response: Info,
    handle: async ({ app }) => createInfo(app, await app.settings.get()),
  }),
  defineEndpoint({
    method: "GET",
    path: "/rt/lookup",
    summary: "Returns the address of the real-time API, for older clients.",
    uncounted: true,
    forGuests: true,
    response: z.string(),
    handle: async ({ app }) => app.origin(),
  }),
];

const createInfo = (
  { appId, clientKey, origin }: Pick<RestContext, "origin" | "appId" | "clientKey">,
  { logLevel, logLevels }: SiteSettings,
): z.output<typeof Info> => ({
  appId,
  apiKey: clientKey,
  rtURL: origin(),
  // Log levels, so that clients do not send lines that would not be stored. The first entry has the clients'
  // name for the default level.
  loggers: [
    { name: "Global logger", level: logLevel },
    ...[...parseThresholds(logLevel, logLevels).of].map(([name, level]) => ({ name, level })),
  ],
});
