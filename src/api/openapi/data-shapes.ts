import { type Json, booleanType, integerType, listOf, objectOf, textList, textType } from "./schema-types.ts";

const recordProperties = {
  objectId: textType,
  ownerId: { type: ["string", "null"] },
  ___class: textType,
  created: integerType,
  updated: { type: ["integer", "null"] },
};
const userProperties = {
  ...recordProperties,
  ___class: { const: "Users" },
  name: textType,
  username: textType,
  email: { type: ["string", "null"] },
  userStatus: textType,
};

/** Records of tables. */
export const DATA_SHAPES = {
  Record: objectOf(recordProperties),
  Records: listOf("Record"),
  Changes: { type: "object", description: "Properties by the names of their columns." },
  ColumnItem: objectOf(
    {
      name: textType,
      type: textType,
      required: booleanType,
      relatedTable: { type: ["string", "null"] },
      isPrimaryKey: booleanType,
    },
    "name",
    "type",
  ),
  ColumnItems: listOf("ColumnItem"),
} satisfies Record<string, Json>;

/** Users, and how they sign in. */
export const USER_SHAPES = {
  User: objectOf(userProperties, "objectId", "___class"),
  UserList: listOf("User"),
  SignedIn: objectOf({ ...userProperties, "user-token": textType }, "objectId", "user-token"),
  NewUser: objectOf({ email: textType, password: textType, name: textType }, "email", "password"),
  Login: objectOf({ login: textType, password: textType, code: textType }, "login"),
  Password: objectOf({ password: textType }, "password"),
  UserStatus: objectOf({ userStatus: { enum: ["ENABLED", "DISABLED"] } }, "userStatus"),
  Confirmation: objectOf({ confirmationURL: textType }, "confirmationURL"),
  Roled: objectOf({ user: textType, roleName: textType }, "user", "roleName"),
  Link: objectOf({
    redirect: booleanType,
    redirectAfterLoginUrl: textType,
    fieldsMapping: { type: "object" },
    permissions: textList,
  }),
  Token: objectOf(
    {
      accessToken: textType,
      accessTokenSecret: { type: ["string", "null"] },
      fieldsMapping: {
        type: ["object", "null"],
        description: "User properties to fill, by the field names of the sign-in provider.",
      },
      guestUser: {
        type: ["object", "null"],
        description: "The guest account that becomes the new account, by `objectId`.",
      },
    },
    "accessToken",
  ),
} satisfies Record<string, Json>;
