import type { Route } from "../rest-route.ts";
import { accountRoutes } from "./account-routes.ts";
import { describeRoutes } from "./user-properties.ts";
import { loginRoutes } from "./login-routes.ts";
import { registerRoutes } from "./register-routes.ts";
import { roleRoutes } from "./role-routes.ts";

/** All routes for users and roles. */
export const userRoutes: readonly Route[] = [
  ...registerRoutes,
  ...loginRoutes,
  ...accountRoutes,
  ...describeRoutes,
  ...roleRoutes,
];
