import { parseThresholds } from "#baas/logging";
import type { SiteSettings } from "#community/settings";
import type { RestContext, Route } from "./rest-route.ts";

/**
 * Where clients find the sockets, and which application this is. Older ones ask for the first alone. A client asks once, before anybody
 * has signed in, and follows nothing for as long as it runs where that is refused.
 */
export const infoRoutes: Route[] = [
  {
    method: "GET",
    path: "/info",
    uncounted: true,
    forGuests: true,
    handle: async ({ app }) => createInfo(app, await app.settings.get()),
  },
  { method: "GET", path: "/rt/lookup", uncounted: true, forGuests: true, handle: async ({ app }) => app.origin() },
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
