import { z } from "zod";
import {
  admit,
  archiveGroup,
  askForGroupExport,
  askForHeir,
  Ban,
  banFromGroup,
  cancelOpening,
  Closing,
  decline,
  declineAppeal,
  Declining,
  deleteGroup,
  type Group,
  GroupChange,
  handOver,
  inviteAddress,
  InviteAddress,
  inviteByName,
  InviteLink,
  InvitePerson,
  inviteSeveral,
  InviteSeveral,
  liftGroupBan,
  makeInviteLink,
  moveAtStart,
  putAtStart,
  StartItem,
  StartMove,
  StartPut,
  takeFromStart,
  revokeInvitation,
  OnSomebody,
  Removal,
  removeGroupPicture,
  removeMember,
  RoleChange,
  setGroupGround,
  setGroupPicture,
  setGroupRole,
  unarchiveGroup,
  updateGroup,
} from "#community/groups";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { parseForm, verbIn } from "../../forms.ts";
import type { House } from "../../house.ts";
import { HELD_DEEDS } from "../../moderation/held-verbs.ts";
import { pictureSent } from "../../people/picture-sent.ts";
import { urls } from "../../urls.ts";
import { changedIn } from "./changed-fields.ts";

type Deed = (tx: Tx, viewer: Viewer, form: FormData, group: Group) => Promise<unknown>;

/** Commands of the forms, by `intent`. Each form names the group in `groupId`. */
const DEEDS: Record<string, Deed> = {
  change: (tx, viewer, form, group) => updateGroup(tx, viewer, changedIn(parseForm(GroupChange, form), group)),
  stay: (tx, viewer, form) => cancelOpening(tx, viewer, parseForm(GroupOnly, form)),
  ground: (tx, viewer, form) => setGroupGround(tx, viewer, parseForm(GroupOnly, form).groupId, String(form.get("style"))),
  "remove-cover": (tx, viewer, form) => removeGroupPicture(tx, viewer, parseForm(GroupOnly, form).groupId, "cover"),
  "remove-photo": (tx, viewer, form) => removeGroupPicture(tx, viewer, parseForm(GroupOnly, form).groupId, "photo"),
  admit: (tx, viewer, form) => admit(tx, viewer, parseForm(OnSomebody, form)),
  decline: (tx, viewer, form) => decline(tx, viewer, parseForm(Declining, form)),
  role: (tx, viewer, form) => setGroupRole(tx, viewer, parseForm(RoleChange, form)),
  remove: (tx, viewer, form) => removeMember(tx, viewer, parseForm(Removal, form)),
  ban: (tx, viewer, form) => banFromGroup(tx, viewer, parseForm(Ban, form)),
  "decline-appeal": (tx, viewer, form) => declineAppeal(tx, viewer, parseForm(Removal, form)),
  lift: (tx, viewer, form) => liftGroupBan(tx, viewer, parseForm(OnSomebody, form)),
  "invite-person": (tx, viewer, form) => inviteByName(tx, viewer, parseForm(InvitePerson, form)),
  "invite-several": (tx, viewer, form) => inviteSeveral(tx, viewer, parseForm(InviteSeveral, form)),
  revoke: (tx, viewer, form) => revokeInvitation(tx, viewer, parseForm(Revoking, form)),
  "hand-over": (tx, viewer, form) => handOver(tx, viewer, parseForm(OnSomebody, form)),
  "ask-heir": (tx, viewer, form) => askForHeir(tx, viewer, parseForm(GroupOnly, form)),
  "start-put": (tx, viewer, form) => putAtStart(tx, viewer, parseForm(StartPut, form)),
  "start-take": (tx, viewer, form) => takeFromStart(tx, viewer, parseForm(StartItem, form)),
  "start-move": (tx, viewer, form) => moveAtStart(tx, viewer, parseForm(StartMove, form)),
  ...HELD_DEEDS,
  "take-along": (tx, viewer, form) => askForGroupExport(tx, viewer, parseForm(GroupOnly, form)),
  archive: (tx, viewer, form) => archiveGroup(tx, viewer, parseForm(Closing, form)),
  unarchive: (tx, viewer, form) => unarchiveGroup(tx, viewer, parseForm(Closing, form)),
  delete: (tx, viewer, form) => deleteGroup(tx, viewer, parseForm(Closing, form)),
};
const Revoking = z.object({ invitationId: z.string() });
const GroupOnly = z.object({ groupId: z.string() });

/** After these commands the page may be closed to the viewer, or gone. */
const ELSEWHERE: Record<string, (slug: string) => string> = {
  delete: () => urls.groups(),
  "hand-over": (slug) => urls.group(slug),
};

type Asked = { house: House; viewer: Viewer; form: FormData; group: Group; part: string | undefined; url: URL };

/** Creates an invitation link and returns its full address. */
export async function makeLink(house: House, viewer: Viewer, groupId: string, form: FormData): Promise<string> {
  form.set("groupId", groupId);
  const { token } = await house.database.inTransaction((tx) => makeInviteLink(tx, viewer, parseForm(InviteLink, form)));
  return house.origin() + urls.invite(token);
}

async function inviteByMail(house: House, viewer: Viewer, form: FormData): Promise<void> {
  const { name: community } = await house.settings.get();
  const from = { community, linkTo: (token: string) => house.origin() + urls.invite(token) };
  await house.database.inTransaction((tx) => inviteAddress(tx, viewer, parseForm(InviteAddress, form), from));
}

/** Runs the command of a form and returns the address to go to. */
export async function doInManaging({ house, viewer, form, group, part, url }: Asked): Promise<string> {
  const intent = String(form.get("intent"));
  form.set("groupId", group.id);
  if (intent === "save") await setGroupPicture(house, viewer, group.id, part === "photo" ? "photo" : "cover", await pictureSent(form));
  else if (intent === "invite-address") await inviteByMail(house, viewer, form);
  else {
    const deed = verbIn(DEEDS, form);
    await house.database.inTransaction((tx) => deed(tx, viewer, form, group));
  }
  return ELSEWHERE[intent]?.(group.slug) ?? url.pathname + url.search;
}
