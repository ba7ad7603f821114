type Json = Record<string, unknown>;

const textType: Json = { type: "string" };
const numberType: Json = { type: "number" };
const integerType: Json = { type: "integer" };
const booleanType: Json = { type: "boolean" };
const timeType: Json = { type: ["integer", "string", "null"], description: "Milliseconds since 1970, or ISO 8601." };
const textList: Json = { type: "array", items: textType };
const objectOf = (properties: Json, ...required: string[]): Json => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
const listOf = (name: string): Json => ({ type: "array", items: { $ref: `#/components/schemas/${name}` } });

const recordProperties = {
  objectId: textType,
  ownerId: { type: ["string", "null"] },
  ___class: textType,
  created: integerType,
  updated: { type: ["integer", "null"] },
};
const queryProperties = {
  where: textType,
  having: textType,
  sortBy: textType,
  groupBy: textType,
  props: textType,
  excludeProps: textType,
  loadRelations: textType,
  relationsDepth: integerType,
  relationsPageSize: integerType,
  pageSize: integerType,
  offset: integerType,
  distinct: booleanType,
};
const userProperties = {
  ...recordProperties,
  ___class: { const: "Users" },
  name: textType,
  username: textType,
  email: { type: ["string", "null"] },
  userStatus: textType,
};
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

/**
 * Request and answer shapes by name. Records, users and custom data may have more properties than named here.
 */
export const SHAPES = {
  Anything: { description: "Any JSON." },
  Whole: integerType,
  Number: numberType,
  Flag: booleanType,
  Text: textType,
  Texts: textList,
  Values: { type: "array", items: {}, description: "Any JSON but null." },
  Named: { type: "object", description: "Values by their names." },
  Url: objectOf({ url: textType }, "url"),
  FileUrl: objectOf({ fileURL: textType }, "fileURL"),
  FileForm: objectOf({ file: { type: "string", format: "binary" } }, "file"),
  Base64: { type: "string", contentEncoding: "base64" },
  Bytes: { description: "The bytes themselves." },
  Renamed: objectOf({ oldPathName: textType, newName: textType }, "oldPathName", "newName"),
  Moved: objectOf({ sourcePath: textType, targetPath: textType }, "sourcePath", "targetPath"),
  Permission: objectOf({ permission: textType, user: textType, role: textType }, "permission"),
  Permissions: listOf("Permission"),
  Info: objectOf(
    {
      appId: textType,
      apiKey: textType,
      rtURL: textType,
      loggers: { type: "array", items: objectOf({ name: textType, level: textType }) },
    },
    "rtURL",
    "loggers",
  ),
  LogLines: {
    type: "array",
    maxItems: 1_000,
    items: objectOf({
      logger: textType,
      message: textType,
      exception: { type: ["string", "null"] },
      "log-level": textType,
      timestamp: timeType,
    }),
  },
  Record: objectOf(recordProperties),
  Records: listOf("Record"),
  Changes: { type: "object", description: "Properties by the names of their columns." },
  ManyChanges: listOf("Changes"),
  Removed: objectOf({ deletionTime: integerType }, "deletionTime"),
  Query: objectOf(queryProperties),
  Clause: objectOf({ where: textType }),
  GroupTree: objectOf({ hasNextPage: booleanType, items: { type: "array", items: { type: "object" } } }, "hasNextPage", "items"),
  GroupQuery: objectOf({
    ...queryProperties,
    groupPath: { type: "array", items: objectOf({ column: textType, value: {} }) },
    groupDepth: integerType,
  }),
  ColumnItem: objectOf(
    { name: textType, type: textType, required: booleanType, relatedTable: { type: ["string", "null"] }, isPrimaryKey: booleanType },
    "name",
    "type",
  ),
  ColumnItems: listOf("ColumnItem"),
  UnitOfWork: objectOf(
    {
      isolationLevelEnum: textType,
      operations: {
        type: "array",
        items: objectOf({ operationType: textType, table: textType, opResultId: textType, payload: {} }, "operationType"),
      },
    },
    "operations",
  ),
  UnitOfWorkResult: objectOf(
    { success: booleanType, error: { type: ["object", "null"] }, results: { type: ["object", "null"] } },
    "success",
  ),
  User: objectOf(userProperties, "objectId", "___class"),
  UserList: listOf("User"),
  SignedIn: objectOf({ ...userProperties, "user-token": textType }, "objectId", "user-token"),
  NewUser: objectOf({ email: textType, password: textType, name: textType }, "email", "password"),
  Login: objectOf({ login: textType, password: textType, code: textType }, "login"),
  Password: objectOf({ password: textType }, "password"),
  UserStatus: objectOf({ userStatus: { enum: ["ENABLED", "DISABLED"] } }, "userStatus"),
  Confirmation: objectOf({ confirmationURL: textType }, "confirmationURL"),
  Roled: objectOf({ user: textType, roleName: textType }, "user", "roleName"),
  Link: objectOf({ redirect: booleanType, redirectAfterLoginUrl: textType, fieldsMapping: { type: "object" }, permissions: textList }),
  Token: objectOf(
    {
      accessToken: textType,
      accessTokenSecret: { type: ["string", "null"] },
      fieldsMapping: { type: ["object", "null"], description: "By the other house's names, the properties of a user that they become." },
      guestUser: { type: ["object", "null"], description: "The guest who becomes the newcomer, by `objectId`." },
    },
    "accessToken",
  ),
  KeyPage: objectOf({ keys: textList, cursorId: textType }, "keys", "cursorId"),
  Written: objectOf(
    { value: {}, ttl: numberType, expireAt: numberType, condition: { enum: ["IfExists", "IfNotExists", "Always"] } },
    "value",
  ),
  Valued: objectOf({ value: {}, overwrite: booleanType, count: integerType, reverse: booleanType }, "value"),
  Beside: objectOf({ valueToInsert: {}, anchorValue: {} }, "valueToInsert", "anchorValue"),
  Flags: { type: "array", items: booleanType },
  Scored: {
    type: "array",
    items: { type: "array", prefixItems: [numberType, {}], minItems: 2, maxItems: 2 },
    description: "Scores with values.",
  },
  Scores: objectOf(
    { items: { $ref: "#/components/schemas/Scored" }, duplicateBehaviour: textType, scoreUpdateMode: textType, resultType: textType },
    "items",
  ),
  ScoreStep: objectOf({ value: {}, scoreValue: numberType }, "value", "scoreValue"),
  ScoreIfAny: { type: ["number", "null"] },
  Purchase: { type: "object", description: "As Google Play says it." },
  Publishing: objectOf({
    message: {},
    headers: { type: ["object", "null"] },
    publisherId: { type: ["string", "null"] },
    subtopic: { type: ["string", "null"] },
    publishPolicy: { enum: ["PUSH", "PUBSUB", "BOTH", null] },
    publishAt: timeType,
    repeatEvery: { type: ["number", "string", "null"] },
    repeatExpiresAt: timeType,
  }),
  MessageStatus: objectOf({ messageId: textType, status: textType, errorMessage: { type: ["string", "null"] } }, "messageId", "status"),
  NewDevice: objectOf(
    {
      deviceToken: textType,
      deviceId: textType,
      os: textType,
      osVersion: { type: ["string", "null"] },
      channels: { type: ["array", "null"], items: textType },
      expiration: timeType,
    },
    "deviceToken",
    "deviceId",
    "os",
  ),
  Registered: objectOf({ registrationId: textType }, "registrationId"),
  Device: objectOf(
    { id: textType, deviceToken: textType, deviceId: textType, os: textType, channels: textList, expiration: timeType },
    "id",
    "deviceId",
    "os",
  ),
  Devices: listOf("Device"),
  Answered: objectOf({ result: booleanType }, "result"),
  PushValues: objectOf({ templateValues: { type: ["object", "null"] } }),
  PlainMail: objectOf(
    { subject: textType, bodyparts: objectOf({ textmessage: textType, htmlmessage: textType }), to: textList, attachment: textList },
    "subject",
    "bodyparts",
    "to",
  ),
  TemplateMail: objectOf(
    {
      "template-name": textType,
      "template-values": { type: "object" },
      addresses: textList,
      "cc-addresses": textList,
      "bcc-addresses": textList,
      criteria: { type: ["string", "null"] },
      uniqueEmails: booleanType,
      attachment: textList,
    },
    "template-name",
  ),
  FlowStart: objectOf({ name: textType, initialData: { type: ["object", "null"] } }, "name"),
  Started: objectOf({ executionId: { type: ["string", "null"] }, executionIds: textList }, "executionId"),
  FlowRun: objectOf(
    { executionId: textType, flowId: textType, flowName: textType, status: textType, context: { type: "object" } },
    "executionId",
    "status",
  ),
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
    { name: textType, toTable: textType, relationshipType: { enum: ["ONE_TO_ONE", "ONE_TO_MANY"] }, autoLoad: booleanType },
    "name",
    "toTable",
  ),
  Access: {
    type: "object",
    additionalProperties: objectOf({ find: booleanType, create: booleanType, update: booleanType, remove: booleanType }),
    description: "What roles may, by their names.",
  },
  DataConfig: objectOf({ dynamicSchema: booleanType, defaultAccess: { enum: ["open", "members"] }, iUnderstand: booleanType }),
  ApiDefaults: objectOf({ apiDefaults: { enum: ["careful", "hosted"] }, iUnderstand: booleanType }, "apiDefaults"),
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
  Limits: objectOf({ apiCalls: integerType, apiCallsOfPerson: integerType, tableRows: integerType, tableMegabytes: integerType }),
  Role: objectOf({ name: textType }, "name"),
  Deleted: objectOf({ deleted: { const: true } }, "deleted"),
  ChannelName: objectOf({ name: textType }, "name"),
  ChannelLines: {
    type: "array",
    items: objectOf({ name: textType, created: integerType, used: integerType, waiting: integerType }, "name"),
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
  SearchQuestion: objectOf({
    query: textType,
    params: textType,
    filters: textType,
    facets: textList,
    page: integerType,
    hitsPerPage: integerType,
  }),
  SearchQuestions: objectOf({ requests: { type: "array", items: { type: "object" } }, strategy: textType }, "requests"),
  SearchRecord: objectOf({ objectID: textType }, "objectID"),
  SearchAnswer: objectOf(
    { hits: listOf("Named"), nbHits: integerType, page: integerType, nbPages: integerType, query: textType, cursor: textType },
    "hits",
  ),
  SearchResults: objectOf({ results: { type: "array", items: { type: ["object", "null"] } } }, "results"),
  FacetHits: objectOf(
    { facetHits: { type: "array", items: objectOf({ value: textType, highlighted: textType, count: integerType }) } },
    "facetHits",
  ),
  SearchKey: objectOf({ value: textType, acl: textList, indexes: textList, validity: integerType }, "value", "acl"),
  IndexList: objectOf(
    { items: { type: "array", items: objectOf({ name: textType, entries: integerType }) }, nbPages: integerType },
    "items",
  ),
  SearchFault: objectOf({ message: textType, status: integerType }, "message", "status"),
  Emptied: objectOf({ emptied: { const: true } }, "emptied"),
} satisfies Record<string, Json>;

export type Shape = keyof typeof SHAPES;

/** Content types of shapes that are not JSON. */
export const CONTENT_TYPES: Partial<Record<Shape, string>> = { FileForm: "multipart/form-data", Base64: "text/plain", Bytes: "*/*" };
