import { listUserProperties } from "#community/accounts";
import { ColumnList } from "../data/data-shapes.ts";
import { defineEndpoint } from "../endpoint.ts";

/** Endpoints for the properties of users: those of the community, and those added by apps. */
export const propertyEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/users/userclassprops",
    summary: "Returns the columns of Users.",
    open: true,
    response: ColumnList,
    handle: async ({ app }) => [
      ...BUILT_IN_PROPERTIES,
      ...(await listUserProperties(app.database.db)).map((it) => formatProperty(it)),
    ],
  }),
];

type PropertyInfo = { name: string; type: string; required?: boolean };

const formatProperty = ({ name, type, required = false }: PropertyInfo) => ({
  name,
  required,
  type,
  defaultValue: null,
  expression: null,
  relatedTable: null,
  customRegex: null,
  autoLoad: false,
  isPrimaryKey: name === "objectId",
  identity: name === "email",
});

const BUILT_IN_PROPERTIES = [
  { name: "objectId", type: "STRING_ID", required: true },
  { name: "ownerId", type: "STRING" },
  { name: "created", type: "DATETIME" },
  { name: "updated", type: "DATETIME" },
  { name: "email", type: "STRING", required: true },
  { name: "name", type: "STRING" },
  { name: "username", type: "STRING" },
  { name: "password", type: "STRING", required: true },
  { name: "userStatus", type: "STRING" },
  { name: "lastLogin", type: "DATETIME" },
  { name: "socialAccount", type: "STRING" },
  { name: "blUserLocale", type: "STRING" },
].map(formatProperty);
