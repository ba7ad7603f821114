import type { Route } from "../route.ts";
import { accountRoutes } from "./account.ts";
import { describeRoutes } from "./describe.ts";
import { loginRoutes } from "./login.ts";
import { registerRoutes } from "./register.ts";
import { roleRoutes } from "./roles.ts";

/** All routes for users and roles. */
export const userRoutes: readonly Route[] = [...registerRoutes, ...loginRoutes, ...accountRoutes, ...describeRoutes, ...roleRoutes];
