import { accountEndpoints } from "./account-routes.ts";
import { loginEndpoints } from "./login-routes.ts";
import { registrationEndpoints } from "./register-routes.ts";
import { roleEndpoints } from "./role-routes.ts";
import { propertyEndpoints } from "./user-properties.ts";

/** All endpoints of users and roles. */
export const userEndpoints = [
  ...registrationEndpoints,
  ...loginEndpoints,
  ...accountEndpoints,
  ...propertyEndpoints,
  ...roleEndpoints,
];
