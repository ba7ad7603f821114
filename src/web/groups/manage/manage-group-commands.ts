import { z } from "zod";
import {
  approveJoinRequest,
  archiveGroup,
  requestGroupExport,
  requestNewOwner,
  GroupBan,
  banFromGroup,
  cancelScheduledOpening,
  GroupStatusChange,
  declineJoinRequest,
  declineGroupBanAppeal,
  RequestDecline,
  deleteGroup,
  type Group,
  GroupChange,
  transferOwnership,
  inviteAddress,
  InviteAddress,
  inviteByName,
  InviteLink,
  InvitePerson,
  inviteSeveral,
  InviteSeveral,
  liftGroupBan,
  createInviteLink,
  moveStartItem,
  addStartItem,
  StartItem,
  StartItemMove,
  NewStartItem,
  removeStartItem,
  revokeInvitation,
  GroupPersonInput,
  MemberRemoval,
  removeGroupPicture,
  removeMember,
  RoleChange,
  setGroupHeaderStyle,
  setGroupPicture,
  setGroupRole,
  unarchiveGroup,
  updateGroup,
} from "#community/groups";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { parseForm, chooseAction } from "../../form-parsing.ts";
import type { WebContext } from "../../web-context.ts";
import { PENDING_POST_COMMANDS } from "../../moderation/pending/pending-post-commands.ts";
import { receivePicture } from "../../people/pictures/receive-picture.ts";
import { urls } from "../../urls.ts";
import { findChangedFields } from "./changed-fields.ts";

type GroupCommand = (tx: Tx, viewer: Viewer, form: FormData, group: Group) => Promise<unknown>;

/** Commands of the forms, by `intent`. Each form names the group in `groupId`. */
const COMMANDS: Record<string, GroupCommand> = {
  change: (tx, viewer, form, group) =>
    updateGroup(tx, viewer, findChangedFields(parseForm(GroupChange, form), group)),
  "cancel-opening": (tx, viewer, form) => cancelScheduledOpening(tx, viewer, parseForm(GroupInput, form)),
  "set-background": (tx, viewer, form) =>
    setGroupHeaderStyle(tx, viewer, parseForm(GroupInput, form).groupId, String(form.get("style"))),
  "remove-cover": (tx, viewer, form) =>
    removeGroupPicture(tx, viewer, parseForm(GroupInput, form).groupId, "cover"),
  "remove-photo": (tx, viewer, form) =>
    removeGroupPicture(tx, viewer, parseForm(GroupInput, form).groupId, "photo"),
  "approve-request": (tx, viewer, form) => approveJoinRequest(tx, viewer, parseForm(GroupPersonInput, form)),
  decline: (tx, viewer, form) => declineJoinRequest(tx, viewer, parseForm(RequestDecline, form)),
  role: (tx, viewer, form) => setGroupRole(tx, viewer, parseForm(RoleChange, form)),
  remove: (tx, viewer, form) => removeMember(tx, viewer, parseForm(MemberRemoval, form)),
  ban: (tx, viewer, form) => banFromGroup(tx, viewer, parseForm(GroupBan, form)),
  "decline-appeal": (tx, viewer, form) => declineGroupBanAppeal(tx, viewer, parseForm(MemberRemoval, form)),
  "lift-ban": (tx, viewer, form) => liftGroupBan(tx, viewer, parseForm(GroupPersonInput, form)),
  "invite-person": (tx, viewer, form) => inviteByName(tx, viewer, parseForm(InvitePerson, form)),
  "invite-several": (tx, viewer, form) => inviteSeveral(tx, viewer, parseForm(InviteSeveral, form)),
  revoke: (tx, viewer, form) => revokeInvitation(tx, viewer, parseForm(RevokeInput, form)),
  transfer: (tx, viewer, form) => transferOwnership(tx, viewer, parseForm(GroupPersonInput, form)),
  "request-owner": (tx, viewer, form) => requestNewOwner(tx, viewer, parseForm(GroupInput, form)),
  "add-start-item": (tx, viewer, form) => addStartItem(tx, viewer, parseForm(NewStartItem, form)),
  "remove-start-item": (tx, viewer, form) => removeStartItem(tx, viewer, parseForm(StartItem, form)),
  "move-start-item": (tx, viewer, form) => moveStartItem(tx, viewer, parseForm(StartItemMove, form)),
  ...PENDING_POST_COMMANDS,
  export: (tx, viewer, form) => requestGroupExport(tx, viewer, parseForm(GroupInput, form)),
  archive: (tx, viewer, form) => archiveGroup(tx, viewer, parseForm(GroupStatusChange, form)),
  unarchive: (tx, viewer, form) => unarchiveGroup(tx, viewer, parseForm(GroupStatusChange, form)),
  delete: (tx, viewer, form) => deleteGroup(tx, viewer, parseForm(GroupStatusChange, form)),
};
const RevokeInput = z.object({ invitationId: z.string() });
const GroupInput = z.object({ groupId: z.string() });

/** Pages to open after commands that may delete the group or end the viewer's access to it. */
const NEXT_PAGES: Record<string, (slug: string) => string> = {
  delete: () => urls.groups(),
  transfer: (slug) => urls.group(slug),
};

type ManageRequest = {
  app: Pick<WebContext, "database" | "settings" | "storage" | "origin">;
  viewer: Viewer;
  form: FormData;
  group: Group;
  part: string | undefined;
  url: URL;
};

/** Creates an invitation link and returns its full address. */
export async function createInvitationLink(
  app: Pick<WebContext, "database" | "origin">,
  viewer: Viewer,
  groupId: string,
  form: FormData,
): Promise<string> {
  form.set("groupId", groupId);
  const { token } = await app.database.inTransaction((tx) =>
    createInviteLink(tx, viewer, parseForm(InviteLink, form)),
  );
  return app.origin() + urls.invite(token);
}

async function inviteByEmail(
  app: Pick<WebContext, "database" | "settings" | "origin">,
  viewer: Viewer,
  form: FormData,
): Promise<void> {
  const { name: community } = await app.settings.get();
  const from = { community, linkTo: (token: string) => app.origin() + urls.invite(token) };
  await app.database.inTransaction((tx) => inviteAddress(tx, viewer, parseForm(InviteAddress, form), from));
}

/** Runs the command of a form and returns the address to go to. */
export async function runManageCommand({
  app,
  viewer,
  form,
  group,
  part,
  url,
}: ManageRequest): Promise<string> {
  const intent = String(form.get("intent"));
  form.set("groupId", group.id);
  if (intent === "save")
    await setGroupPicture(
      app,
      viewer,
      group.id,
      part === "photo" ? "photo" : "cover",
      await receivePicture(form),
    );
  else if (intent === "invite-address") await inviteByEmail(app, viewer, form);
  else {
    const action = chooseAction(COMMANDS, form);
    await app.database.inTransaction((tx) => action(tx, viewer, form, group));
  }
  return NEXT_PAGES[intent]?.(group.slug) ?? url.pathname + url.search;
}
