import { type Json, booleanType, integerType, listOf, objectOf, textType } from "./schema-types.ts";

const columnProperties = {
  name: textType,
  dataType: textType,
  dataSize: { type: ["integer", "null"] },
  required: booleanType,
  unique: booleanType,
  indexed: booleanType,
  defaultValue: {},
  expression: { type: ["string", "null"] },
};

/** Keys, tables, roles, limits and templates, as the management API has them. */
export const MANAGEMENT_SHAPES = {
  Keys: objectOf(
    { appId: textType, clientKey: textType, serverKey: textType, searchKey: textType },
    "appId",
    "clientKey",
    "serverKey",
    "searchKey",
  ),
  NewTable: objectOf({ name: textType, columns: listOf("Column") }, "name"),
  Table: objectOf(
    { name: textType, published: booleanType, columns: { type: "array" }, relations: { type: "array" } },
    "name",
    "published",
  ),
  Tables: listOf("Table"),
  Column: objectOf(columnProperties),
  Relation: objectOf(
    {
      name: textType,
      toTable: textType,
      relationshipType: { enum: ["ONE_TO_ONE", "ONE_TO_MANY"] },
      autoLoad: booleanType,
    },
    "name",
    "toTable",
  ),
  Access: {
    type: "object",
    additionalProperties: objectOf({
      find: booleanType,
      create: booleanType,
      update: booleanType,
      remove: booleanType,
    }),
    description: "Permissions by role name.",
  },
  DataConfig: objectOf({
    dynamicSchema: booleanType,
    defaultAccess: { enum: ["open", "members"] },
    iUnderstand: booleanType,
  }),
  ApiDefaults: objectOf(
    { apiDefaults: { enum: ["careful", "hosted"] }, iUnderstand: booleanType },
    "apiDefaults",
  ),
  Registration: objectOf({
    userRegistrationEnabled: booleanType,
    emailConfirmationRequired: booleanType,
    approvalRequired: booleanType,
    inviteOnly: booleanType,
    accountsPerAddress: integerType,
    registrationTries: integerType,
  }),
  Logins: objectOf({
    enableMultipleLogins: booleanType,
    maxConcurrentLogins: integerType,
    logoutLastUser: booleanType,
    failedLoginsLock: integerType,
    lockMinutes: integerType,
  }),
  Limits: objectOf({
    apiCalls: integerType,
    apiCallsOfPerson: integerType,
    tableRows: integerType,
    tableMegabytes: integerType,
  }),
  Role: objectOf({ name: textType }, "name"),
  Deleted: objectOf({ deleted: { const: true } }, "deleted"),
  ChannelName: objectOf({ name: textType }, "name"),
  ChannelLines: {
    type: "array",
    items: objectOf(
      { name: textType, created: integerType, used: integerType, waiting: integerType },
      "name",
    ),
  },
  MailTemplate: objectOf({ name: textType, subject: textType, text: textType, html: textType }, "subject"),
  PushTemplate: objectOf(
    {
      name: textType,
      os: { enum: ["ALL", "IOS", "ANDROID", "WEB"] },
      channel: { type: ["string", "null"] },
      title: textType,
      subtitle: textType,
      body: textType,
      sound: textType,
      badge: { type: ["integer", "null"] },
      headers: { type: "object", additionalProperties: textType },
    },
    "body",
  ),
  FlowDefinition: objectOf({ name: textType, enabled: booleanType, definition: { type: "object" } }),
  Confirm: objectOf({ confirm: textType }, "confirm"),
} satisfies Record<string, Json>;
