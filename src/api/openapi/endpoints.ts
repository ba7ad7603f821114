import type { Endpoint as DeclaredEndpoint, Route } from "../rest/index.ts";
import type { EndpointShapes } from "./exchange-shapes.ts";
import { ENDPOINT_SHAPES } from "./endpoint-shapes.ts";

/** Descriptions by method and path; variable parts are `{}`. */
const DESCRIPTIONS: Record<string, string> = {
  "POST /services/{}/{}": "Calls a service with JSON as its input.",
  "GET /services/{}/{}": "Calls a service with the query string as its input.",
  "PUT /services/{}/{}": "Calls a service with the body, or the query string, as its input.",
  "DELETE /services/{}/{}": "Calls a service with the body, or the query string, as its input.",
  "POST /services/{}/{}/{}": "Calls a service. Any version number is accepted.",
  "GET /services/{}/{}/{}":
    "Calls a service with the query string as its input. Any version number is accepted.",
  "PUT /services/{}/{}/{}":
    "Calls a service with the body, or the query string, as its input. Any version number is accepted.",
  "DELETE /services/{}/{}/{}":
    "Calls a service with the body, or the query string, as its input. Any version number is accepted.",
  "POST /servercode/events/{}": "Dispatches a custom event to its extension and returns the result.",
  "GET /files": "Contents of the root directory.",
  "GET /files/*":
    "The bytes of a file, the contents of a directory (`pattern`, `sub`, `pagesize`, `offset`, " +
    "`sortBy`), or `action`: `exists`, `count`.",
  "PUT /files/binary/*": "Stores a file from base64 text or bytes; returns its URL.",
  "PUT /files/append/binary/*": "Appends base64 text or bytes to a file; returns its URL.",
  "PUT /files/append/*": "Appends the text of the body to a file; returns its URL.",
  "POST /files/append/*": "Appends a file from a form, or from a `url`, to a file.",
  "POST /files/*": "Stores a file from a form or from a `url`; without a body, creates a directory.",
  "PUT /files/rename": "Renames the file or directory at `oldPathName` to `newName`.",
  "PUT /files/move": "Moves the file or directory at `sourcePath` to `targetPath`.",
  "PUT /files/copy": "Copies the file or directory at `sourcePath` to `targetPath`.",
  "PUT /files/permissions/{}/*": "Grants or denies READ, WRITE or DELETE at a path and below it.",
  "DELETE /files/*":
    "Deletes a file or a directory with its contents, or with `pattern` and `sub` only matching files; " +
    "returns the number.",
  "POST /users/register": "Creates an account.",
  "POST /users/register/guest": "Creates a guest account without a name.",
  "POST /users/login": "Signs in; the response contains the `user-token`.",
  "GET /users/logout": "Signs out.",
  "GET /users/isvalidusertoken/{}": "Whether a token belongs to an open session.",
  "GET /users/{}": "A user, or the properties named in `props`.",
  "PUT /users/{}": "Changes the properties of a user.",
  "GET /users/userclassprops": "The columns of Users.",
  "GET /users/restorepassword/{}": "Sends an email with a link to set a new password.",
  "POST /users/verifypassowrd":
    "Whether this is the password of the session's user; requires the server key.",
  "PUT /users/{}/status":
    "Enables or disables an account; its person is notified by email. Requires the server key.",
  "POST /users/resendconfirmation/{}": "Sends the confirmation email again.",
  "POST /users/createEmailConfirmationURL/{}":
    "Creates a link that confirms an email address; requires the server key.",
  "GET /users/role/{}": "Users with a role, as far as the directory shows them.",
  "GET /users/userroles": "The roles of the caller.",
  "GET /users/userroles/{}": "The roles of a user; requires the server key.",
  "POST /users/assignRole": "Assigns a role to a user; requires the server key.",
  "POST /users/unassignRole": "Removes a role from a user; requires the server key.",
  "POST /users/social/oauth/{}/request_url": "URL at which a popup signs in with a provider.",
  "POST /users/oauth/{}/request_url": "URL at which a page signs in with a provider.",
  "GET /users/social/begin/{}": "Starts a sign-in with a provider: redirects there.",
  "GET /users/social/return/{}": "Callback URL for sign-in providers.",
  "POST /users/social/{}/sdk/login": "Signs in with a provider's token.",
  "POST /users/social/{}/login": "Signs in with a provider's token.",
};

export type Endpoint = {
  method: string;
  path: string;
  about: string;
  params: string[];
  exchange: EndpointShapes | null;
  /** Endpoints declared beside their handlers. */
  declared: DeclaredEndpoint | null;
};

/** Key of an endpoint in the tables of descriptions and shapes. */
const endpointKey = ({ method, path }: Pick<Route, "method" | "path">) =>
  `${method} ${path.replace(/:\w+/g, "{}")}`;

/** REST endpoints as documented, with path parameters in braces. */
export const describeEndpoints = (routes: readonly (Route | DeclaredEndpoint)[]): Endpoint[] =>
  routes.map((route) => ({
    method: route.method,
    path: route.path.replace(/:(\w+)/g, "{$1}").replace("*", "{path}"),
    about: "summary" in route ? route.summary : (DESCRIPTIONS[endpointKey(route)] ?? ""),
    params: [...route.path.replace("*", ":path").matchAll(/:(\w+)/g)].map((match) => match[1]!),
    exchange: ENDPOINT_SHAPES[endpointKey(route)] ?? null,
    declared: "summary" in route ? route : null,
  }));

/** Descriptions and shapes of endpoints that do not exist: must be empty. */
export const findStaleDescriptions = (routes: readonly Pick<Route, "method" | "path">[]): string[] => {
  const keys = new Set(routes.map(endpointKey));
  return [...Object.keys(DESCRIPTIONS), ...Object.keys(ENDPOINT_SHAPES)].filter((key) => !keys.has(key));
};
