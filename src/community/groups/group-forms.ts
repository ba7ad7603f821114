import { z } from "zod";
import { clientId, id, requiredText, optionalText, toStorableText } from "#community/common";
import { LIMITS } from "#community/rules";

const name = requiredText("The name", "Give the group a name.", LIMITS.groupName.max, LIMITS.groupName.min);
const purpose = optionalText("The purpose", LIMITS.purpose);
const about = optionalText("The description", LIMITS.about);
const topic = optionalText("The topic", 40);
const visibility = z.enum(["public", "private", "secret"], "Choose who can find and read the group.");
const joinPolicy = z.enum(["open", "request", "invite"], "Choose how people join.");

const historyPolicy = z.enum(["shared", "from_joining"], "Choose what newcomers read.");

const whoMay = z.enum(["members", "moderators"], "Choose who may do this.");

/** A form sends one item per line; an API client sends a list. */
const listField = (what: string, most: number) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((given) => (typeof given === "string" ? given.split("\n") : given))
    .transform((given) => given.map((line) => toStorableText(line).trim()).filter((line) => line !== ""))
    .pipe(
      z.array(z.string().max(300, `${what}: at most 300 characters.`)).max(most, `${what}: at most ${most}.`),
    );
const rules = listField("Each rule", 20);
const questions = listField("Each question", 3);
const headerStyle = z.string().regex(/^[a-z]{1,20}$/, "Unknown cover style.");

export const NewGroup = z
  .object({
    name,
    purpose,
    about,
    topic,
    visibility,
    joinPolicy,
    historyPolicy: historyPolicy.default("shared"),
    rules: rules.default([]),
    questions: questions.default([]),
    headerStyle: headerStyle.default("meadow"),
    clientId,
  })
  .refine((it) => it.visibility !== "secret" || it.joinPolicy === "invite", {
    path: ["joinPolicy"],
    message: "Secret groups cannot take join requests, as nobody can find them. Choose “Invite only”.",
  })
  .refine((it) => it.visibility !== "public" || it.historyPolicy === "shared", {
    path: ["historyPolicy"],
    message: "New members of a public group can read its whole history.",
  });

/** Omitted fields stay unchanged. */
export const GroupChange = z.object({
  groupId: id,
  name: name.optional(),
  purpose: purpose.unwrap().optional(),
  about: about.unwrap().optional(),
  topic: topic.unwrap().optional(),
  rules: rules.optional(),
  questions: questions.optional(),
  headerStyle: headerStyle.optional(),
  visibility: visibility.optional(),
  joinPolicy: joinPolicy.optional(),
  historyPolicy: historyPolicy.optional(),
  repliesBy: z.enum(["members", "readers"], "Choose who may do this.").optional(),
  startsBy: whoMay.optional(),
  eventsBy: z.enum(["members", "established", "moderators"], "Choose who may do this.").optional(),
  invitesBy: whoMay.optional(),
});

const reason = requiredText("The reason", "Enter a reason. The person will read it.", LIMITS.reason);

export const GroupPersonInput = z.object({ groupId: id, personId: id });
export const MemberRemoval = GroupPersonInput.extend({ reason });
/** A ban without an end lasts until it is lifted. */
export const GroupBan = MemberRemoval.extend({
  days: z
    .union([
      z.literal("").transform(() => undefined),
      z.coerce
        .number("Enter a number of days.")
        .int()
        .min(1, "At least one day.")
        .max(3_650, "At most ten years."),
    ])
    .optional(),
});
/** Appeal of a banned person. */
export const NewAppeal = z.object({
  groupId: id,
  text: requiredText("Your text", "Say why the ban should be lifted.", LIMITS.appeal.text),
});
export const RequestDecline = GroupPersonInput.extend({ reason: optionalText("The reason", LIMITS.reason) });
export const RoleChange = GroupPersonInput.extend({
  role: z.enum(["member", "moderator", "owner"], "This role does not exist."),
});
const entry = z.enum(["join", "ask"], "Choose what happens to people who open the link.").default("join");
export const InvitePerson = z.object({
  groupId: id,
  username: requiredText("The username", "Enter a username.", 60),
});
/** `personIds` has at most 50 people. Everyone but staff can invite ten people a day. */
export const InviteSeveral = z.object({
  groupId: id,
  personIds: z
    .array(id, "Choose people to invite.")
    .min(1, "Choose people to invite.")
    .max(50, "At most 50 at a time."),
});
export const InviteAddress = z.object({
  groupId: id,
  email: z.email("That is not a valid email address.").max(LIMITS.email),
  entry,
});
export const InviteLink = z.object({
  groupId: id,
  entry,
  mostUses: z.coerce
    .number("Enter a whole number.")
    .int()
    .min(1, "Enter at least one use.")
    .max(LIMITS.invitation.usesByStaff, "That is more uses than an invitation can have.")
    .default(LIMITS.invitation.uses),
});
export const GroupDecline = z.object({ groupId: id, reason });
/** `address` is the URL or path of a discussion or a resource. */
export const NewStartItem = z.object({
  groupId: id,
  address: requiredText("The address", "Paste the link of a discussion or a resource.", 500),
});
export const StartItem = z.object({ groupId: id, itemId: id });
export const StartItemMove = StartItem.extend({ way: z.enum(["up", "down"]) });
export const GroupStatusChange = z.object({ groupId: id, reason: optionalText("The reason", LIMITS.reason) });

/**
 * `answers` are in the order of `questions`, as the person saw them. Without `questions`, they are in the
 * group's order.
 */
export const InvitationAnswer = z.object({
  questions: z.array(z.string().transform(toStorableText)).max(3).optional(),
  answers: z
    .array(
      z
        .string()
        .transform((it) => toStorableText(it).trim())
        .pipe(z.string().max(1_000, "An answer can have 1,000 characters at most.")),
    )
    .max(3)
    .default([]),
});
export const JoinAnswers = InvitationAnswer.extend({ groupId: id });
