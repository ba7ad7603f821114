import { type EndpointShapes, shapesOf } from "./exchange-shapes.ts";

const QUERY_PARAMS = [
  "where",
  "property",
  "excludeProps",
  "loadRelations",
  "relationsDepth",
  "relationsPageSize",
  "pageSize",
  "offset",
  "sortBy",
];
const FULL_QUERY_PARAMS = [...QUERY_PARAMS, "props", "groupBy", "having", "distinct"];

const serviceEndpoints = (method: string): Record<string, EndpointShapes> =>
  Object.fromEntries(
    ["/services/{}/{}", "/services/{}/{}/{}"].map((path) => [
      `${method} ${path}`,
      shapesOf(method === "GET" ? null : "Anything", "Anything"),
    ]),
  );

/**
 * By method and path, with `{}` for variable parts. An endpoint missing here documents no body and no answer.
 */
export const ENDPOINT_SHAPES: Record<string, EndpointShapes> = {
  "POST /users/register": shapesOf("NewUser", "User"),
  "POST /users/register/guest": shapesOf(null, "SignedIn"),
  "POST /users/login": shapesOf("Login", "SignedIn"),
  "GET /users/logout": shapesOf(null, null),
  "GET /users/isvalidusertoken/{}": shapesOf(null, "Flag"),
  "POST /users/verifypassowrd": shapesOf("Password", "Flag"),
  "GET /users/{}": shapesOf(null, "Record", ...FULL_QUERY_PARAMS),
  "PUT /users/{}": shapesOf("Changes", "User"),
  "PUT /users/{}/status": shapesOf("UserStatus", null),
  "GET /users/restorepassword/{}": shapesOf(null, null),
  "POST /users/resendconfirmation/{}": shapesOf(null, null),
  "POST /users/createEmailConfirmationURL/{}": shapesOf(null, "Confirmation"),
  "GET /users/userclassprops": shapesOf(null, "ColumnItems"),
  "GET /users/role/{}": shapesOf(null, "UserList", "loadRoles", ...QUERY_PARAMS),
  "GET /users/userroles": shapesOf(null, "Texts"),
  "GET /users/userroles/{}": shapesOf(null, "Texts"),
  "POST /users/assignRole": shapesOf("Roled", null),
  "POST /users/unassignRole": shapesOf("Roled", null),
  "POST /users/social/oauth/{}/request_url": shapesOf("Link", "Text"),
  "POST /users/oauth/{}/request_url": shapesOf("Link", "Text"),
  "GET /users/social/begin/{}": shapesOf(null, null, "to"),
  "GET /users/social/return/{}": shapesOf(null, "Bytes", "code", "state"),
  "POST /users/social/{}/sdk/login": shapesOf("Token", "SignedIn"),
  "POST /users/social/{}/login": shapesOf("Token", "SignedIn"),
  ...serviceEndpoints("POST"),
  ...serviceEndpoints("GET"),
  ...serviceEndpoints("PUT"),
  ...serviceEndpoints("DELETE"),
  "POST /servercode/events/{}": shapesOf("Named", "Anything"),
  "GET /files": shapesOf(
    null,
    ["Records", "Flag", "Whole"],
    "pattern",
    "sub",
    "pagesize",
    "offset",
    "sortBy",
    "action",
    "countDirectories",
  ),
  "GET /files/*": shapesOf(
    null,
    ["Records", "Flag", "Whole", "Bytes"],
    "pattern",
    "sub",
    "pagesize",
    "offset",
    "sortBy",
    "action",
    "countDirectories",
  ),
  "PUT /files/binary/*": shapesOf(["Base64", "Bytes"], "Text", "overwrite"),
  "PUT /files/append/binary/*": shapesOf(["Base64", "Bytes"], "Text"),
  "PUT /files/append/*": shapesOf("Bytes", "Text"),
  "POST /files/append/*": shapesOf(["FileForm", "Url", "Bytes"], "FileUrl"),
  "POST /files/*": shapesOf(["FileForm", "Url", "Bytes"], "FileUrl", "overwrite"),
  "PUT /files/rename": shapesOf("Renamed", "Text"),
  "PUT /files/move": shapesOf("Moved", "Text"),
  "PUT /files/copy": shapesOf("Moved", "Text"),
  "PUT /files/permissions/{}/*": shapesOf("Permission", null),
  "DELETE /files/*": shapesOf(null, "Whole", "pattern", "sub"),
};
