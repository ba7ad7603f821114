import { parseThresholds } from "#baas/logging";
import type { SiteSettings } from "#community/settings";
import type { RestContext, Route } from "./rest-route.ts";

/**
 * Address of the real-time API and the application id; older clients ask for the address only. Open to
 * guests: a client asks once, before sign-in, and after a refusal never opens a subscription.
 */
export const infoRoutes: Route[] = [
  {
    method: "GET",
    path: "/info",
    uncounted: true,
    forGuests: true,
    handle: async ({ app }) => createInfo(app, await app.settings.get()),
  },
  {
    method: "GET",
    path: "/rt/lookup",
    uncounted: true,
    forGuests: true,
    handle: async ({ app }) => app.origin(),
  },
];

const createInfo = ({ appId, clientKey, origin }: RestContext, { logLevel, logLevels }: SiteSettings) => ({
  appId,
  apiKey: clientKey,
  rtURL: origin(),
  // Clients need not send levels that are not stored. The first entry is their name for the default.
  loggers: [
    { name: "Global logger", level: logLevel },
    ...[...parseThresholds(logLevel, logLevels).of].map(([name, level]) => ({ name, level })),
  ],
});
