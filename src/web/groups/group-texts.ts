import type { ContentFacts, GroupFacts, GroupRole, JoinPolicy, Visibility } from "#community/rules";
import { useRootData } from "../ui/hooks/use-root-data.ts";
import { useTranslate } from "../i18n/index.ts";

type BasicAccess = Pick<GroupFacts, "visibility" | "joinPolicy">;
type FullAccess = BasicAccess & Pick<GroupFacts, "historyPolicy"> & Partial<Pick<GroupFacts, "invitesBy">>;
type AudienceGroup = { name: string; visibility: Visibility; membersCount?: number };

/** Texts about a group's access and audience, the same wherever a group or its content appears. */
export function useGroupTexts() {
  const t = useTranslate();
  const { community } = useRootData();
  const everyone = community.forMembers
    ? t("Visible to every member of {community}", { community: community.name })
    : t("Visible to everyone, guests too");
  const visibility: Record<Visibility, string> = { public: t("Public"), private: t("Private"), secret: t("Secret") };
  const join: Record<JoinPolicy, string> = { open: t("open to join"), request: t("ask to join"), invite: t("by invitation") };
  const role: Record<GroupRole, string> = { owner: t("Owner"), moderator: t("Moderator"), member: t("Member") };
  return {
    visibility,
    role,
    /** "Private · ask to join". */
    door: (group: BasicAccess) => `${visibility[group.visibility]} · ${join[group.joinPolicy]}`,
    members: (count: number) => t("{count, plural, one {# member} other {# members}}", { count }),
    /**
     * The readers of content in a group, or (null) in the whole community; `among` is `members` for content
     * that only members read although the group is public.
     */
    audience(group: AudienceGroup | null, among: ContentFacts["audience"] = "group") {
      if (!group) return everyone;
      const { name, visibility, membersCount } = group;
      if (visibility === "public" && among === "group") return everyone;
      if (membersCount === undefined) return t("Visible to the members of {group}", { group: name });
      return t("{count, plural, one {Visible to the one member of {group}} other {Visible to the # members of {group}}}", {
        count: membersCount,
        group: name,
      });
    },
    /** Visibility, join policy and history policy in one sentence: for owners (`yours`), or for readers. */
    sentence({ visibility, joinPolicy, historyPolicy, invitesBy }: FullAccess, yours = false) {
      const find = {
        public: community.forMembers ? t("Everybody here can find and read it") : t("Anyone can find and read it"),
        private: community.forMembers
          ? t("Everybody here can find it, and only its members read")
          : t("Anyone can find it, and only members read"),
        secret: t("Only its members know that it exists"),
      }[visibility];
      const enter = {
        open: t("whoever likes joins at once"),
        request: yours ? t("you approve each request to join") : t("those who look after it approve each request to join"),
        invite:
          invitesBy === "moderators"
            ? t("people come in when those who look after it invite them")
            : t("people come in when a member invites them"),
      }[joinPolicy];
      return historyPolicy === "shared" || visibility === "public"
        ? t("{find}; {enter}.", { find, enter })
        : t("{find}; {enter}. Newcomers read from the day they join.", { find, enter });
    },
  };
}
