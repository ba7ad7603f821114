import type { Route } from "../route.ts";
import { accountRoutes } from "./account.ts";
import { describeRoutes } from "./describe.ts";
import { loginRoutes } from "./login.ts";
import { registerRoutes } from "./register.ts";
import { roleRoutes } from "./roles.ts";

/** Everything about users and their roles. */
export const userRoutes: readonly Route[] = [...registerRoutes, ...loginRoutes, ...accountRoutes, ...describeRoutes, ...roleRoutes];
