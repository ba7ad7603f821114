import type { Route } from "../route.ts";
import { channelRoutes } from "./channels.ts";
import { publishingRoutes } from "./publishing.ts";

/** Messaging, a concern in a file each. */
export const messagingRoutes: Route[] = [...channelRoutes, ...publishingRoutes];
