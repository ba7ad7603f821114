import { channelEndpoints } from "./channel-routes.ts";
import { deviceEndpoints } from "./device-routes.ts";
import { publishingEndpoints } from "./publishing-routes.ts";
import { templateEndpoints } from "./push-template-routes.ts";

/** All messaging endpoints, one file per concern. */
export const messagingEndpoints = [
  ...deviceEndpoints,
  ...templateEndpoints,
  ...channelEndpoints,
  ...publishingEndpoints,
];
