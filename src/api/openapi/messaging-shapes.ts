import { type Json, booleanType, listOf, objectOf, textList, textType, timeType } from "./schema-types.ts";

/** Messages, devices, push notifications and mail. */
export const MESSAGING_SHAPES = {
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
  MessageStatus: objectOf(
    { messageId: textType, status: textType, errorMessage: { type: ["string", "null"] } },
    "messageId",
    "status",
  ),
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
    {
      id: textType,
      deviceToken: textType,
      deviceId: textType,
      os: textType,
      channels: textList,
      expiration: timeType,
    },
    "id",
    "deviceId",
    "os",
  ),
  Devices: listOf("Device"),
  Answered: objectOf({ result: booleanType }, "result"),
  PushValues: objectOf({ templateValues: { type: ["object", "null"] } }),
  PlainMail: objectOf(
    {
      subject: textType,
      bodyparts: objectOf({ textmessage: textType, htmlmessage: textType }),
      to: textList,
      attachment: textList,
    },
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
} satisfies Record<string, Json>;
