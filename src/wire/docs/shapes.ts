type Json = Record<string, unknown>;

const text: Json = { type: "string" };
const number: Json = { type: "number" };
const whole: Json = { type: "integer" };
const flag: Json = { type: "boolean" };
const moment: Json = { type: ["integer", "string", "null"], description: "Milliseconds since 1970, or ISO 8601." };
const texts: Json = { type: "array", items: text };
const one = (properties: Json, ...required: string[]): Json => ({ type: "object", properties, ...(required.length > 0 && { required }) });
const many = (name: string): Json => ({ type: "array", items: { $ref: `#/components/schemas/${name}` } });

const record = {
  objectId: text,
  ownerId: { type: ["string", "null"] },
  ___class: text,
  created: whole,
  updated: { type: ["integer", "null"] },
};
const query = {
  where: text,
  having: text,
  sortBy: text,
  groupBy: text,
  props: text,
  excludeProps: text,
  loadRelations: text,
  relationsDepth: whole,
  relationsPageSize: whole,
  pageSize: whole,
  offset: whole,
  distinct: flag,
};
const user = { ...record, ___class: { const: "Users" }, name: text, username: text, email: { type: ["string", "null"] }, userStatus: text };
const column = {
  name: text,
  dataType: text,
  dataSize: { type: ["integer", "null"] },
  required: flag,
  unique: flag,
  indexed: flag,
  defaultValue: {},
  expression: { type: ["string", "null"] },
};

/** What is sent and answered, by name. Records, users and what programs say for themselves may have more than is named here. */
export const SHAPES = {
  Anything: { description: "Any JSON." },
  Whole: whole,
  Number: number,
  Flag: flag,
  Text: text,
  Texts: texts,
  Values: { type: "array", items: {}, description: "Any JSON but null." },
  Named: { type: "object", description: "Values by their names." },
  Url: one({ url: text }, "url"),
  FileUrl: one({ fileURL: text }, "fileURL"),
  FileForm: one({ file: { type: "string", format: "binary" } }, "file"),
  Base64: { type: "string", contentEncoding: "base64" },
  Bytes: { description: "The bytes themselves." },
  Renamed: one({ oldPathName: text, newName: text }, "oldPathName", "newName"),
  Moved: one({ sourcePath: text, targetPath: text }, "sourcePath", "targetPath"),
  Permission: one({ permission: text, user: text, role: text }, "permission"),
  Info: one(
    { appId: text, apiKey: text, rtURL: text, loggers: { type: "array", items: one({ name: text, level: text }) } },
    "rtURL",
    "loggers",
  ),
  LogLines: {
    type: "array",
    maxItems: 1_000,
    items: one({ logger: text, message: text, exception: { type: ["string", "null"] }, "log-level": text, timestamp: moment }),
  },
  Record: one(record),
  Records: many("Record"),
  Changes: { type: "object", description: "Properties by the names of their columns." },
  ManyChanges: many("Changes"),
  Removed: one({ deletionTime: whole }, "deletionTime"),
  Query: one(query),
  Clause: one({ where: text }),
  GroupTree: one({ hasNextPage: flag, items: { type: "array", items: { type: "object" } } }, "hasNextPage", "items"),
  GroupQuery: one({ ...query, groupPath: { type: "array", items: one({ column: text, value: {} }) }, groupDepth: whole }),
  ColumnItem: one(
    { name: text, type: text, required: flag, relatedTable: { type: ["string", "null"] }, isPrimaryKey: flag },
    "name",
    "type",
  ),
  ColumnItems: many("ColumnItem"),
  UnitOfWork: one(
    {
      isolationLevelEnum: text,
      operations: { type: "array", items: one({ operationType: text, table: text, opResultId: text, payload: {} }, "operationType") },
    },
    "operations",
  ),
  UnitOfWorkResult: one({ success: flag, error: { type: ["object", "null"] }, results: { type: ["object", "null"] } }, "success"),
  User: one(user, "objectId", "___class"),
  UserList: many("User"),
  SignedIn: one({ ...user, "user-token": text }, "objectId", "user-token"),
  NewUser: one({ email: text, password: text, name: text }, "email", "password"),
  Login: one({ login: text, password: text, code: text }, "login"),
  Password: one({ password: text }, "password"),
  UserStatus: one({ userStatus: { enum: ["ENABLED", "DISABLED"] } }, "userStatus"),
  Confirmation: one({ confirmationURL: text }, "confirmationURL"),
  Roled: one({ user: text, roleName: text }, "user", "roleName"),
  Link: one({ redirect: flag, redirectAfterLoginUrl: text, fieldsMapping: { type: "object" }, permissions: texts }),
  Token: one(
    {
      accessToken: text,
      accessTokenSecret: { type: ["string", "null"] },
      fieldsMapping: { type: ["object", "null"], description: "By the other house's names, the properties of a user that they become." },
      guestUser: { type: ["object", "null"], description: "The guest who becomes the newcomer, by `objectId`." },
    },
    "accessToken",
  ),
  KeyPage: one({ keys: texts, cursorId: text }, "keys", "cursorId"),
  Written: one({ value: {}, ttl: number, expireAt: number, condition: { enum: ["IfExists", "IfNotExists", "Always"] } }, "value"),
  Valued: one({ value: {}, overwrite: flag, count: whole, reverse: flag }, "value"),
  Beside: one({ valueToInsert: {}, anchorValue: {} }, "valueToInsert", "anchorValue"),
  Flags: { type: "array", items: flag },
  Scored: {
    type: "array",
    items: { type: "array", prefixItems: [number, {}], minItems: 2, maxItems: 2 },
    description: "Scores with values.",
  },
  Scores: one(
    { items: { $ref: "#/components/schemas/Scored" }, duplicateBehaviour: text, scoreUpdateMode: text, resultType: text },
    "items",
  ),
  ScoreStep: one({ value: {}, scoreValue: number }, "value", "scoreValue"),
  ScoreIfAny: { type: ["number", "null"] },
  Purchase: { type: "object", description: "As Google Play says it." },
  Publishing: one({
    message: {},
    headers: { type: ["object", "null"] },
    publisherId: { type: ["string", "null"] },
    subtopic: { type: ["string", "null"] },
    publishPolicy: { enum: ["PUSH", "PUBSUB", "BOTH", null] },
    publishAt: moment,
    repeatEvery: { type: ["number", "string", "null"] },
    repeatExpiresAt: moment,
  }),
  MessageStatus: one({ messageId: text, status: text, errorMessage: { type: ["string", "null"] } }, "messageId", "status"),
  NewDevice: one(
    {
      deviceToken: text,
      deviceId: text,
      os: text,
      osVersion: { type: ["string", "null"] },
      channels: { type: ["array", "null"], items: text },
      expiration: moment,
    },
    "deviceToken",
    "deviceId",
    "os",
  ),
  Registered: one({ registrationId: text }, "registrationId"),
  Device: one({ id: text, deviceToken: text, deviceId: text, os: text, channels: texts, expiration: moment }, "id", "deviceId", "os"),
  Devices: many("Device"),
  Answered: one({ result: flag }, "result"),
  PushValues: one({ templateValues: { type: ["object", "null"] } }),
  PlainMail: one(
    { subject: text, bodyparts: one({ textmessage: text, htmlmessage: text }), to: texts, attachment: texts },
    "subject",
    "bodyparts",
    "to",
  ),
  TemplateMail: one(
    {
      "template-name": text,
      "template-values": { type: "object" },
      addresses: texts,
      "cc-addresses": texts,
      "bcc-addresses": texts,
      criteria: { type: ["string", "null"] },
      uniqueEmails: flag,
      attachment: texts,
    },
    "template-name",
  ),
  FlowStart: one({ name: text, initialData: { type: ["object", "null"] } }, "name"),
  Started: one({ executionId: { type: ["string", "null"] }, executionIds: texts }, "executionId"),
  FlowRun: one({ executionId: text, flowId: text, flowName: text, status: text, context: { type: "object" } }, "executionId", "status"),
  Keys: one({ appId: text, clientKey: text, serverKey: text, searchKey: text }, "appId", "clientKey", "serverKey", "searchKey"),
  NewTable: one({ name: text, columns: many("Column") }, "name"),
  Table: one({ name: text, published: flag, columns: { type: "array" }, relations: { type: "array" } }, "name", "published"),
  Tables: many("Table"),
  Column: one(column),
  Relation: one(
    { name: text, toTable: text, relationshipType: { enum: ["ONE_TO_ONE", "ONE_TO_MANY"] }, autoLoad: flag },
    "name",
    "toTable",
  ),
  Access: {
    type: "object",
    additionalProperties: one({ find: flag, create: flag, update: flag, remove: flag }),
    description: "What roles may, by their names.",
  },
  DataConfig: one({ dynamicSchema: flag, defaultAccess: { enum: ["open", "members"] }, iUnderstand: flag }),
  Registration: one({
    userRegistrationEnabled: flag,
    emailConfirmationRequired: flag,
    approvalRequired: flag,
    inviteOnly: flag,
    accountsPerAddress: whole,
    registrationTries: whole,
  }),
  Logins: one({
    enableMultipleLogins: flag,
    maxConcurrentLogins: whole,
    logoutLastUser: flag,
    failedLoginsLock: whole,
    lockMinutes: whole,
  }),
  Limits: one({ apiCalls: whole, apiCallsOfPerson: whole, tableRows: whole, tableMegabytes: whole }),
  Role: one({ name: text }, "name"),
  Deleted: one({ deleted: { const: true } }, "deleted"),
  Confirm: one({ confirm: text }, "confirm"),
  SearchQuestion: one({ query: text, params: text, filters: text, facets: texts, page: whole, hitsPerPage: whole }),
  SearchQuestions: one({ requests: { type: "array", items: { type: "object" } }, strategy: text }, "requests"),
  SearchRecord: one({ objectID: text }, "objectID"),
  SearchAnswer: one({ hits: many("Named"), nbHits: whole, page: whole, nbPages: whole, query: text, cursor: text }, "hits"),
  SearchResults: one({ results: { type: "array", items: { type: ["object", "null"] } } }, "results"),
  FacetHits: one({ facetHits: { type: "array", items: one({ value: text, highlighted: text, count: whole }) } }, "facetHits"),
  SearchKey: one({ value: text, acl: texts, indexes: texts, validity: whole }, "value", "acl"),
  IndexList: one({ items: { type: "array", items: one({ name: text, entries: whole }) }, nbPages: whole }, "items"),
  SearchFault: one({ message: text, status: whole }, "message", "status"),
  Emptied: one({ emptied: { const: true } }, "emptied"),
} satisfies Record<string, Json>;

export type Shape = keyof typeof SHAPES;

/** What travels as something else than JSON. */
export const AS: Partial<Record<Shape, string>> = { FileForm: "multipart/form-data", Base64: "text/plain", Bytes: "*/*" };
