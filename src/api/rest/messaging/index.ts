import type { Route } from "../rest-route.ts";
import { channelRoutes } from "./channel-routes.ts";
import { deviceRoutes } from "./device-routes.ts";
import { publishingRoutes } from "./publishing-routes.ts";
import { templateRoutes } from "./push-template-routes.ts";

/** All messaging routes, one file per concern. */
export const messagingRoutes: Route[] = [
  ...deviceRoutes,
  ...templateRoutes,
  ...channelRoutes,
  ...publishingRoutes,
];
