import type { Route } from "../route.ts";
import { channelRoutes } from "./channels.ts";
import { deviceRoutes } from "./devices.ts";
import { publishingRoutes } from "./publishing.ts";
import { templateRoutes } from "./templates.ts";

/** All messaging routes, one file per concern. */
export const messagingRoutes: Route[] = [...deviceRoutes, ...templateRoutes, ...channelRoutes, ...publishingRoutes];
